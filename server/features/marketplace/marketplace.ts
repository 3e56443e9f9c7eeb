import { describeOperations } from '#catalog/operations.ts';
import { type CatalogPlan, plansByCategory, type Product as CatalogProduct, termsOf } from '#catalog/catalog.ts';
import type { Plan, Product } from '#shared/contract/marketplace.ts';
import type { PublicProduct } from '#shared/contract/public-pages.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { priceOf } from '#shared/domain/price.ts';
import { firstFreePlan, productFor } from '#server/features/cycles/cycles.ts';
import { type Buyer, readBuyer } from '#server/features/documents/documents.ts';
import { markOf, pictureOf } from '#server/images/product-images.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** All products as the marketplace shows them. */
export async function listProducts(portal: Portal, owner: Owner): Promise<Product[]> {
  const buyer = await readBuyer(portal, owner, portal.db);
  return Promise.all(
    portal.catalog.products.map(async (inCatalog) => {
      const product = await productFor(portal.db, owner, inCatalog);
      const planId = await firstFreePlan(owner, portal.db, product);
      const plan = product.plans.find((each) => each.planId === planId);
      const activateNow = plan === undefined ? null : { planId: plan.planId, name: plan.name, maxDays: plan.maxDays };
      return { ...describeProduct(portal, product, buyer), activateNow };
    }),
  );
}

/** The plans of a product by category (product §2.17). */
export async function listPlans(portal: Portal, owner: Owner, productId: string): Promise<Record<string, Plan[]>> {
  const product = portal.catalog.find(productId);
  if (!product) throw refuse('not_found');
  const describe = describePlan(dayOf(portal.clock()), await readBuyer(portal, owner, portal.db), product);
  const offered = await productFor(portal.db, owner, product);
  return Object.fromEntries([...plansByCategory(offered)].map(([category, plans]) => [category, plans.map(describe)]));
}

/** All products as everybody may see them: for no customer in particular, and without private plans. */
export function publicProducts(portal: Portal): PublicProduct[] {
  return portal.catalog.products.map((product) =>
    describeProduct(
      portal,
      { ...product, plans: product.plans.filter(({ customers }) => customers === undefined) },
      anyone,
    ),
  );
}

/** A buyer of whom nothing is known pays GST. */
const anyone: Pick<Buyer, 'isZeroRatedOn'> = { isZeroRatedOn: () => false };

function describeProduct(portal: Portal, product: CatalogProduct, buyer: Pick<Buyer, 'isZeroRatedOn'>): PublicProduct {
  const baseUrl = `${portal.settings.gatewayUrl}/${product.gatewayPath}`;
  const {
    id,
    aliases,
    name,
    tagline,
    description,
    longDescription,
    features,
    useCases,
    faq,
    sample,
    operations,
    tags,
  } = product;
  return {
    id,
    aliases,
    name,
    tagline,
    description,
    longDescription,
    features,
    useCases,
    faq,
    mark: markOf(product),
    picture: pictureOf(product),
    claims: { support: product.claims.support ?? null, uptime: product.claims.uptime ?? null },
    sample,
    operations,
    tags,
    changelog: product.changelog.toSorted((a, b) => (a.on < b.on ? 1 : -1)),
    deprecations: product.deprecations.map(({ of, since, sunset = null, note, link = null }) => ({
      of,
      since,
      sunset,
      note,
      link,
    })),
    baseUrl,
    documentationUrl: `${baseUrl}/openapi.json`,
    plans: [...plansByCategory(product).values()].flat().map(describePlan(dayOf(portal.clock()), buyer, product)),
  };
}

function capitalised(category: string): string {
  return `${category.charAt(0).toUpperCase()}${category.slice(1)}`;
}

/** A plan with its price for a buyer on a day. */
const describePlan =
  (today: Day, buyer: Pick<Buyer, 'isZeroRatedOn'>, { metered, categories }: CatalogProduct) =>
  (plan: CatalogPlan): Plan => {
    const price = priceOf(termsOf(plan, today), buyer.isZeroRatedOn(today));
    return {
      id: plan.planId,
      name: plan.name,
      description: plan.description,
      price: rupees(plan.pricePaise),
      total: rupees(price.totalPaise),
      taxableValue: rupees(price.taxablePaise),
      gst: rupees(price.gstPaise),
      tenure: plan.tenure,
      maxDays: plan.maxDays,
      ...(plan.badge === undefined ? {} : { badge: plan.badge }),
      priceMonthly: rupees(plan.pricePaise),
      monthlyQuota: plan.monthlyQuota,
      dailyQuota: plan.dailyQuota,
      rps: plan.rps,
      category: plan.category,
      categoryName: categories[plan.category] ?? capitalised(plan.category),
      benefits: plan.benefits,
      ...describeOperations(metered, plan),
    };
  };
