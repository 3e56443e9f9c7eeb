import { type CatalogPlan, plansByCategory, type Product as CatalogProduct } from '#catalog/catalog.ts';
import type { Plan, Product } from '#contract/marketplace.ts';
import { rupees } from '#domain/money.ts';
import { priceOf } from '#domain/price.ts';
import { refuse } from '#server/platform/refuse.ts';
import type { Portal } from '#server/portal.ts';

/** All products as the marketplace shows them. */
export function listProducts(portal: Portal): Product[] {
  return portal.catalog.products.map((product) => describeProduct(portal, product));
}

/** The plans of a product by category (D24). */
export function listPlans(portal: Portal, productId: string): Record<string, Plan[]> {
  const product = portal.catalog.find(productId);
  if (!product) throw refuse('not_found');
  return Object.fromEntries(
    [...plansByCategory(product)].map(([category, plans]) => [category, plans.map(describePlan)]),
  );
}

function describeProduct(portal: Portal, product: CatalogProduct): Product {
  const baseUrl = `${portal.settings.gatewayUrl}/${product.gatewayPath}`;
  const { id, aliases, name, tagline, description, longDescription, features, useCases, sample } = product;
  return {
    id,
    aliases,
    name,
    tagline,
    description,
    longDescription,
    features,
    useCases,
    sample,
    baseUrl,
    documentationUrl: `${baseUrl}/openapi.json`,
    plans: [...plansByCategory(product).values()].flat().map(describePlan),
  };
}

function describePlan(plan: CatalogPlan): Plan {
  const price = priceOf(plan);
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
    benefits: plan.benefits,
  };
}
