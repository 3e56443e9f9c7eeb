import type { DocumentOutline, PublicProduct } from '#shared/contract/public-pages.ts';
import { uniqueNames } from '#shared/domain/unique-names.ts';
import { byTag, type OperationEntry, slug } from '#web/features/reference/operations.ts';
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

/** More operations have a page for each tag, so that none is megabytes. */
export const onOnePage = 300;

interface TagOfDocument {
  /** As in the address of its page. */
  id: string;
  name: string;
  operations: OperationEntry[];
}

const tags = new WeakMap<ReadDescription, TagOfDocument[]>();

/** The tags of a document with many operations, by their own names; none when one page has room for all. `named`: with the names that are shown. */
export function tagsOf(given: object, named: ReadDescription = documentOf(given)): TagOfDocument[] {
  const known = tags.get(named);
  if (known !== undefined) return known;
  const { operations } = documentOf(given);
  const free = uniqueNames();
  const shown = new Map(named.operations.map((each) => [each.id, each]));
  const groups = operations.length <= onOnePage ? [] : byTag(operations);
  const found = groups.map(({ tag, operations: members }) => {
    const own = members.map((each) => shown.get(each.id) ?? each);
    return { id: free(slug(tag)), name: own[0]?.tag ?? tag, operations: own };
  });
  tags.set(named, found);
  return found;
}

export function outlineOf(given: object): DocumentOutline {
  try {
    const read = documentOf(given);
    return {
      operations: [...read.operations, ...read.webhooks].map(({ id }) => id),
      tags: tagsOf(given).map(({ id }) => id),
    };
  } catch {
    return { operations: [], tags: [] };
  }
}
