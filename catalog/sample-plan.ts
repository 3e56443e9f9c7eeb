import { type Catalog, type CatalogPlan, findPlan, type Product } from './catalog.ts';

/** A product and its plan, to fill databases with. */
export interface SamplePlan {
  product: Product;
  plan: CatalogPlan;
}

/** Customers have one after the other. */
const longestDays = 31;

/**
 * The named product and plan, or the first of the catalogue: the first product with a paid plan of at most a month, and its first such plan.
 * A private plan only by its name. Undefined when there is none.
 */
export function samplePlan(
  catalog: Catalog,
  { product: productId, plan: planId }: { product?: string | undefined; plan?: string | undefined } = {},
): SamplePlan | undefined {
  const asked =
    productId === undefined ? catalog.products : [catalog.find(productId)].filter((each) => each !== undefined);
  for (const product of asked) {
    const plan = planId === undefined ? product.plans.find(isUsual) : findPlan(product, planId);
    if (plan !== undefined && plan.pricePaise > 0) return { product, plan };
  }
  return undefined;
}

const isUsual = ({ pricePaise, tenure, maxDays, customers }: CatalogPlan): boolean =>
  pricePaise > 0 && tenure === 'MONTHLY' && maxDays <= longestDays && customers === undefined;
