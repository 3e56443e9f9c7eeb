import type { CatalogPlan, Product } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Owner } from '#server/portal.ts';

/**
 * The product with the plans that a customer may buy (product §4.24): a private plan only for the customers that it names by their
 * sign-in addresses, whatever their case. For everyone else it does not exist.
 */
export async function productFor(db: Db | Tx, owner: Owner, product: Product): Promise<Product> {
  const isOffered = await readOffered(db, owner, [product]);
  return { ...product, plans: product.plans.filter(isOffered) };
}

/** Which plans of these products a customer may buy. */
export async function readOffered(
  db: Db | Tx,
  owner: Owner,
  products: readonly Product[],
): Promise<(plan: CatalogPlan) => boolean> {
  if (products.every(({ plans }) => plans.every(({ customers }) => customers === undefined))) return () => true;
  const { email } = await db
    .selectFrom('customers')
    .select('email')
    .where('id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  return ({ customers }) => customers === undefined || customers.includes(email.toLowerCase());
}
