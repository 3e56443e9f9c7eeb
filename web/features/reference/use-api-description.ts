import { useCallback } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Product } from '#shared/contract/marketplace.ts';
import { Unreachable } from '#web/api/failures.ts';
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

const timeoutMs = 15_000;
const staleMs = 5 * 60_000;

/** The product's document, from the gateway; it takes no key and counts nothing. */
export function useApiDescription(product: Product): UseQueryResult<ReadDescription> {
  const { operations: names, tags } = product;
  // The same function while the names are the same: it runs for each new one.
  const named = useCallback(
    (read: ReadDescription): ReadDescription => ({
      ...read,
      operations: read.operations.map((each) => ({
        ...each,
        summary: ownName(names, each.id) ?? each.summary,
        tag: ownName(tags, each.tag) ?? each.tag,
      })),
    }),
    [names, tags],
  );
  return useQuery({
    queryKey: ['api-description', product.documentationUrl],
    queryFn: ({ signal }) => readDescription(product.documentationUrl, signal),
    staleTime: staleMs,
    // Comparing two versions of a large document would take longer than showing the new one.
    structuralSharing: false,
    select: named,
  });
}

/** Documents choose their ids: one may be called `constructor`. */
function ownName(names: Readonly<Record<string, string>>, id: string): string | undefined {
  return Object.hasOwn(names, id) ? names[id] : undefined;
}

async function readDescription(url: string, signal: AbortSignal): Promise<ReadDescription> {
  let text: string;
  try {
    const timed = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { signal: timed, credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (!response.ok) throw new Error(`${response.status}`);
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw error;
    throw navigator.onLine ? new Error(texts.gatewayDown, { cause: error }) : new Unreachable('offline', error);
  }
  const given = parsed(text);
  const read = apiDescription.safeParse(given);
  if (!read.success) throw new Error(texts.unreadable, { cause: read.error });
  return {
    description: read.data,
    operations: operationsOf(read.data),
    webhooks: webhooksOf(read.data, texts.webhooks),
    given,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
