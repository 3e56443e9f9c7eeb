import type { PublicProduct } from '#shared/contract/public-pages.ts';
import { type ReadDescription, readDescription, withNames } from '#web/features/reference/read-description.ts';

const known = new WeakMap<object, ReadDescription>();

/** An OpenAPI document, read once: it may have thousands of operations. Throws when it can't be read. */
export function documentOf(given: object): ReadDescription {
  const read = known.get(given) ?? readDescription(given);
  known.set(given, read);
  return read;
}

const named = new WeakMap<PublicProduct, { given: object; read: ReadDescription }>();

/** The same with the names of a product, for all pages of its operations at once. */
export function documentOfProduct(given: object, product: PublicProduct): ReadDescription {
  const before = named.get(product);
  if (before?.given === given) return before.read;
  const read = withNames(documentOf(given), product);
  named.set(product, { given, read });
  return read;
}

export function operationsIn(given: object): string[] {
  try {
    const { operations, webhooks } = documentOf(given);
    return [...operations, ...webhooks].map(({ id }) => id);
  } catch {
    return [];
  }
}
