import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import type { Catalog, CatalogPlan } from './catalog.ts';
import { readCatalog } from './catalog-files.ts';
import { compareRenewals } from './renewal-changes.ts';

const before = readCatalog(projectFolder('ship', 'standins', 'catalog'));
const product = before.products.find(({ plans }) => plans.some(({ planId }) => planId === 'growth'));
const serviceId = product?.id ?? '';

/** The catalogue with another plan “growth”; `undefined` removes it. */
function withGrowth(change: (plan: CatalogPlan) => CatalogPlan | undefined): Catalog {
  const products = before.products.map((each) => ({
    ...each,
    plans: each.plans.flatMap((plan) => (plan.planId === 'growth' ? (change(plan) ?? []) : [plan])),
  }));
  return { ...before, products, find: (id) => products.find((each) => each.id === id) };
}
const at = (pricePaise: number) => withGrowth((plan) => ({ ...plan, pricePaise }));
const renewing = (ceilings: number[]) =>
  ceilings.map((ceilingPaise) => ({ serviceId, planId: 'growth', ceilingPaise, email: 'meenakshi@example.com' }));
const changesOf = (after: Catalog, ceilings: number[]) =>
  compareRenewals(before, after, renewing(ceilings)).map(({ change, affects }) => `${change} | ${affects}`);

test('a new price says how many renewals are debited otherwise, and how many end by their ceiling', () => {
  expect(changesOf(at(1_599_00), [1_874_00, 1_874_00])).toEqual([
    'renewals of plan growth: ₹1,499 → ₹1,599 | 2 renewals: 2 will be debited ₹1,599 (announced again).',
  ]);
  expect(changesOf(at(1_999_00), [1_874_00, 1_800_00, 2_500_00])).toEqual([
    'renewals of plan growth: ₹1,499 → ₹1,999 | 3 renewals: 1 will be debited ₹1,999 (announced again), 2 end, since at most ₹1,874 was agreed to.',
  ]);
  expect(changesOf(at(1_999_00), [1_874_00])).toEqual([
    'renewals of plan growth: ₹1,499 → ₹1,999 | 1 renewal: 1 ends, since at most ₹1,874 was agreed to.',
  ]);
});

test('a plan that is no longer for sale, or not to this customer, ends its renewals', () => {
  expect(
    changesOf(
      withGrowth(() => undefined),
      [1_874_00, 1_874_00],
    ),
  ).toEqual(['renewals of plan growth: ₹1,499 → not for sale | 2 renewals: all end when what is paid is over.']);
  const toOthers = withGrowth((plan) => ({ ...plan, customers: ['ravi@example.com'] }));
  expect(changesOf(toOthers, [1_874_00])).toEqual([
    'renewals of plan growth: ₹1,499 → not for sale | 1 renewal: it ends when what is paid is over.',
  ]);
  const gone: Catalog = { ...before, products: [], find: () => undefined };
  expect(compareRenewals(before, gone, renewing([1_874_00]))).toMatchObject([{ product: serviceId }]);
});

test('other changes touch no renewal', () => {
  expect(
    changesOf(
      withGrowth((plan) => ({ ...plan, dailyQuota: 1 })),
      [1_874_00],
    ),
  ).toEqual([]);
  expect(changesOf(at(1_999_00), [])).toEqual([]);
});
