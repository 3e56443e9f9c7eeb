import { useCallback } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Product } from '#shared/contract/marketplace.ts';
import { Unreachable } from '#web/api/failures.ts';
import { type ReadDescription, readDescription, withNames } from '#web/features/reference/read-description.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';

const timeoutMs = 15_000;
const staleMs = 5 * 60_000;

/** The product's document, from the gateway; it takes no key and counts nothing. */
export function useApiDescription(product: Product): UseQueryResult<ReadDescription> {
  const { operations: names, tags } = product;
  // The same function while the names are the same: it runs for each new one.
  const named = useCallback(
    (read: ReadDescription): ReadDescription => withNames(read, { operations: names, tags }),
    [names, tags],
  );
  return useQuery({
    queryKey: ['api-description', product.documentationUrl],
    queryFn: ({ signal }) => fetchDescription(product.documentationUrl, signal),
    staleTime: staleMs,
    // Comparing two versions of a large document would take longer than showing the new one.
    structuralSharing: false,
    select: named,
  });
}

async function fetchDescription(url: string, signal: AbortSignal): Promise<ReadDescription> {
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
  return readDescription(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
