import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CatalogFaults, findPlan, plansByCategory, readCatalog, termsOf } from '#catalog/catalog.ts';

const folder = import.meta.dirname;

function faultsOf(path: string): readonly string[] {
  try {
    readCatalog(path);
  } catch (error) {
    if (error instanceof CatalogFaults) return error.faults;
    throw error;
  }
  return [];
}

test('the catalogue sells both products, each with Free, Trial, Starter, Growth and Scale', () => {
  const catalog = readCatalog(folder);
  expect(catalog.products.map((product) => product.id).toSorted()).toEqual(['invoicing-system', 'tax-lookup-api']);
  for (const product of catalog.products) {
    expect(product.plans.map((plan) => plan.name)).toEqual(
      expect.arrayContaining(['Free', 'Trial', 'Starter', 'Growth', 'Scale']),
    );
  }
});

test('finds a product by its alias', () => {
  const catalog = readCatalog(folder);
  expect(catalog.find('tax-lookup')?.id).toBe('tax-lookup-api');
  expect(catalog.find('gst-invoicing')?.id).toBe('invoicing-system');
  expect(catalog.find('nothing')).toBeUndefined();
});

test('groups keep the order of the file; inside a group free plans come first, then by price', () => {
  const product = readCatalog(folder).find('tax-lookup-api');
  const groups = product ? [...plansByCategory(product)] : [];
  expect(groups.map(([category]) => category)).toEqual(['standard', 'quarterly']);
  expect(groups[0]?.[1].map((plan) => plan.pricePaise)).toEqual([0, 0, 49_900, 149_900, 499_900]);
});

test('the terms of a plan have price, tax and quotas but not its place in the catalogue', () => {
  const product = readCatalog(folder).find('tax-lookup-api');
  const plan = product && findPlan(product, 'growth');
  expect(plan && termsOf(plan, '2026-11-22')).toMatchObject({
    planId: 'growth',
    pricePaise: 149_900,
    gstRateBasisPoints: 1800,
    tax: 'inclusive',
    maxDays: 30,
    rps: 20,
  });
  expect(plan && termsOf(plan, '2026-11-22')).not.toHaveProperty('category');
});

test('every error in a file is reported with its line', () => {
  const bad = mkdtempSync(join(tmpdir(), 'catalog-'));
  writeFileSync(join(bad, 'bad.yaml'), 'id: bad-one\nname: Bad\nplans:\n  - id: p\n    price: -1\n');
  const faults = faultsOf(bad);
  expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(/^bad\.yaml:5: plans\.0\.price: /)]));
  expect(faults.length).toBeGreaterThan(5);
});

test('a file that is not YAML is rejected with its line', () => {
  const bad = mkdtempSync(join(tmpdir(), 'catalog-'));
  writeFileSync(join(bad, 'bad.yaml'), 'id: x\nname: [\n');
  expect(() => readCatalog(bad)).toThrow(/bad\.yaml:3/);
});
