import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type Catalog, type CatalogPlan } from './catalog.ts';
import { readCatalog } from './catalog-files.ts';
import { samplePlan } from './sample-plan.ts';

const catalog = readCatalog(projectFolder('ship', 'standins', 'catalog'));

/** A catalogue of these plans of its first product with paid ones. */
function selling(change: (plan: CatalogPlan) => CatalogPlan): Catalog {
  const products = catalog.products.map((product) => ({ ...product, plans: product.plans.map(change) }));
  return { products, guides: [], find: (id) => products.find((product) => product.id === id) };
}

const namesOf = (found: ReturnType<typeof samplePlan>) => found && [found.product.id, found.plan.planId];

test('takes the first paid plan of at most a month that everybody may buy, of any catalogue', () => {
  const found = samplePlan(catalog);
  const usual = catalog.products.flatMap(({ id, plans }) =>
    plans
      .filter(({ pricePaise, tenure, maxDays }) => pricePaise > 0 && tenure === 'MONTHLY' && maxDays <= 31)
      .map(({ planId }) => [id, planId]),
  );
  expect(usual.length).toBeGreaterThan(1);
  expect(namesOf(found)).toEqual(usual[0]);
  expect(
    namesOf(samplePlan(selling((plan) => (plan.planId === usual[0]?.[1] ? { ...plan, customers: [] } : plan)))),
  ).toEqual(usual[1]);
  expect(samplePlan(selling((plan) => ({ ...plan, pricePaise: 0 })))).toBeUndefined();
  expect(samplePlan(selling((plan) => ({ ...plan, maxDays: 365 })))).toBeUndefined();
});

test('takes the named product and plan, also a long one, and none that costs nothing or is not there', () => {
  const long = catalog.products.flatMap(({ id, plans }) =>
    plans.filter(({ maxDays, pricePaise }) => maxDays > 31 && pricePaise > 0).map(({ planId }) => ({ id, planId })),
  )[0] ?? { id: '', planId: '' };
  expect(namesOf(samplePlan(catalog, { product: long.id, plan: long.planId }))).toEqual([long.id, long.planId]);
  const free = catalog.products.flatMap(({ id, plans }) =>
    plans.filter(({ pricePaise }) => pricePaise === 0).map(({ planId }) => ({ id, planId })),
  )[0] ?? { id: '', planId: '' };
  expect(samplePlan(catalog, { product: free.id, plan: free.planId })).toBeUndefined();
  expect(samplePlan(catalog, { product: 'weather' })).toBeUndefined();
});
