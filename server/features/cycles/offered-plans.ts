import type { CatalogPlan, Product } from '#catalog/catalog.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Caller } from '#server/portal.ts';

/**
 * The product with the plans that a customer may buy (product §4.24): a private plan only for the customers that it names by their
 * sign-in addresses, whatever their case. For everyone else it does not exist.
 */
export async function productFor(db: Db | Tx, caller: Caller, product: Product): Promise<Product> {
  if (product.plans.every(({ customers }) => customers === undefined)) return product;
  const { email } = await db
    .selectFrom('customers')
    .select('email')
    .where('id', '=', caller.customerId)
    .executeTakeFirstOrThrow();
  const isOffered = ({ customers }: CatalogPlan): boolean =>
    customers === undefined || customers.includes(email.toLowerCase());
  return { ...product, plans: product.plans.filter(isOffered) };
}
