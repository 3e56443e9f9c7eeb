import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RateFaults, readRateTable } from '#products/tax-lookup/rate-files.ts';
import { findEntry, rowsOn } from '#products/tax-lookup/rate-table.ts';
import { ratesFolder } from '#products/test-products.ts';

const table = readRateTable(ratesFolder);
const folder = mkdtempSync(join(tmpdir(), 'rates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const notifications = `asOf: 2026-04-30
notifications:
  a: { name: A, dated: 2025-09-17, from: 2025-09-22 }
`;

function faultsOf(codes: string, head = notifications): readonly string[] {
  writeFileSync(join(folder, 'notifications.yaml'), head);
  writeFileSync(join(folder, 'codes.yaml'), codes);
  try {
    readRateTable(folder);
    return [];
  } catch (error) {
    if (error instanceof RateFaults) return error.faults;
    throw error;
  }
}

const rows = (first: string, second: string) => code(`      - { ${first}, by: a }\n      - { ${second}, by: a }`);
const code = (rates: string) => `codes:\n  - code: '1006'\n    description: Rice\n    rates:\n${rates}`;

test('the shipped table is valid and has at least 250 codes of goods and services', () => {
  expect(table.entries.length).toBeGreaterThanOrEqual(250);
  expect(table.entries.filter((entry) => entry.kind === 'services').length).toBeGreaterThanOrEqual(80);
  expect(table.entries.filter(({ rows }) => rows.some(({ notification }) => notification.length <= 10))).toEqual([]);
});

test('28 % appears nowhere after January 2026, and 12 % only for bricks and roofing tiles', () => {
  const now = table.entries.flatMap((entry) =>
    rowsOn(entry.rows, '2026-11-21').inForce.map((row) => [entry.code, row.rate]),
  );
  expect(now.filter(([, rate]) => rate === 28)).toEqual([]);
  expect(now.filter(([, rate]) => rate === 12).map(([code]) => code)).toEqual([
    '6815',
    '69010010',
    '69041000',
    '69051000',
  ]);
});

test('goods of the new schedules have the rate of their schedule', () => {
  const rates = new Map([
    ['I', 5],
    ['II', 18],
    ['III', 40],
    ['IV', 3],
    ['V', 0.25],
    ['VI', 1.5],
    ['VII', 28],
  ]);
  const wrong = table.entries.flatMap((entry) =>
    entry.rows.filter(
      ({ schedule, notification, rate }) => notification.startsWith('9/2025') && rates.get(schedule ?? '') !== rate,
    ),
  );
  expect(wrong).toEqual([]);
});

test('rejects a rate that GST does not have', () => {
  expect(faultsOf(code('      - { rate: 17, by: a }'))).toEqual([
    'codes.yaml: codes.0.rates.0.rate: must be one of 0, 0.25, 1.5, 3, 5, 12, 18, 28, 40',
  ]);
});

test('a row must name a listed notification, and must not begin before it', () => {
  expect(faultsOf(code('      - { rate: 5, by: b }'))).toEqual([
    "codes.yaml: 1006: no notification 'b' in notifications.yaml.",
  ]);
  expect(faultsOf(code('      - { rate: 5, by: a, from: 2025-09-21 }'))).toEqual([
    'codes.yaml: 1006: a rate begins before its notification a.',
  ]);
});

test('rejects two rates under one condition on the same day', () => {
  expect(faultsOf(rows('rate: 5', 'rate: 18'))).toEqual(['codes.yaml: 1006: 5 % and 18 % apply on the same day.']);
  expect(faultsOf(rows('rate: 5, condition: packed', 'rate: 18, condition: packed'))).toHaveLength(1);
  expect(faultsOf(rows('rate: 5, condition: packed', 'rate: 18'))).toHaveLength(1);
  expect(faultsOf(rows('rate: 5, to: 2026-01-31', 'rate: 18, from: 2026-01-31'))).toHaveLength(1);
  expect(faultsOf(rows('rate: 5, to: 2026-01-31', 'rate: 18, from: 2026-02-01'))).toEqual([]);
  expect(faultsOf(rows('rate: 5, condition: packed', 'rate: 18, condition: loose'))).toEqual([]);
});

test('rejects a day that does not exist, an unknown field, and a duplicate code', () => {
  expect(faultsOf(code('      - { rate: 5, by: a, to: 2026-02-30 }'))).toHaveLength(1);
  expect(faultsOf(code('      - { rate: 5, by: a, until: 2026-02-01 }'))).toHaveLength(1);
  expect(faultsOf(code('      - { rate: 5, by: a, to: 2025-09-01 }'))).toContain(
    'codes.yaml: 1006: a rate ends before it begins.',
  );
  const twice = `${code('      - { rate: 5, by: a }')}\n  - code: '1006'\n    description: Rice\n    rates:\n      - { rate: 5, by: a }`;
  expect(faultsOf(twice)).toEqual(['codes.yaml: 1006 is listed twice.']);
});

test('a heading applies to the codes below it only if its entry covers them, and a chapter never applies to a heading', () => {
  expect(findEntry(table, '85171300')?.code).toBe('8517');
  expect(findEntry(table, '61091000')?.code).toBe('61');
  expect(findEntry(table, '28044010')?.code).toBe('28044010');
  expect(findEntry(table, '28044090')).toBeUndefined();
  expect(findEntry(table, '84131100')).toBeUndefined();
  expect(findEntry(table, '85')).toBeUndefined();
});

test('the nearest entry applies, not the widest', () => {
  expect(findEntry(table, '21069020')?.description).toBe('Pan masala');
  expect(findEntry(table, '21069099')?.code).toBe('2106');
  expect(findEntry(table, '96031000')?.code).toBe('96031000');
});

test('a file that is not YAML, and a missing folder, are reported as errors', () => {
  expect(faultsOf('codes: [')).toHaveLength(1);
  expect(() => readRateTable(join(folder, 'nowhere'))).toThrow(RateFaults);
});
