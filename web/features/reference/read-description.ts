import type { PublicProduct } from '#shared/contract/public-pages.ts';
import { type ApiDescription, apiDescription } from '#web/features/reference/api-description.ts';
import { type OperationEntry, operationsOf, webhooksOf } from '#web/features/reference/operations.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';

/** A product's OpenAPI document, read. */
export interface ReadDescription {
  description: ApiDescription;
  operations: OperationEntry[];
  /** Requests that the API sends to its customers by itself. */
  webhooks: OperationEntry[];
  /** To be saved; set out in lines when it is. */
  given: unknown;
}

/** Reads a document. Throws when it is none. */
export function readDescription(given: unknown): ReadDescription {
  const read = apiDescription.safeParse(given);
  if (!read.success) throw new Error(texts.unreadable, { cause: read.error });
  return {
    description: read.data,
    operations: operationsOf(read.data),
    webhooks: webhooksOf(read.data, texts.webhooks),
    given,
  };
}

/** The same with the names that the catalogue gives to operations and tags. */
export function withNames(
  read: ReadDescription,
  { operations: names, tags }: Pick<PublicProduct, 'operations' | 'tags'>,
): ReadDescription {
  const operations = read.operations.map((each) => ({
    ...each,
    summary: ownName(names, each.id) ?? each.summary,
    tag: ownName(tags, each.tag) ?? each.tag,
  }));
  return { ...read, operations };
}

/** Documents choose their ids: one may be called `constructor`. */
function ownName(names: Readonly<Record<string, string>>, id: string): string | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined;
}
