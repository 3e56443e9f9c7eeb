import { notifyManager, type QueryClient } from '@tanstack/react-query';

/** A page whose replies take longer changes its own texts first. */
const waitMs = 2_000;

/**
 * Reads what the page shows again, in the language that it is about to have: the catalogue's texts in replies change together with the
 * texts of the page. Returns how to show it. What is not there in time is read again after the change.
 */
export async function readForLanguage(queryClient: QueryClient): Promise<() => void> {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' });
  const replies = new Map<readonly unknown[], unknown>();
  const ends = AbortSignal.timeout(waitMs);
  const reads = shown.map(async ({ queryKey, options }) => {
    const { queryFn } = options;
    if (typeof queryFn !== 'function') return;
    replies.set(queryKey, await queryFn({ client: queryClient, queryKey, signal: ends, meta: undefined }));
  });
  await Promise.allSettled(reads);
  return () =>
    notifyManager.batch(() => {
      for (const [queryKey, reply] of replies) queryClient.setQueryData(queryKey, reply);
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !replies.has(queryKey) });
    });
}
