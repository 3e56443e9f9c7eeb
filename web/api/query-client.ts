import { QueryCache, QueryClient, type QueryState } from '@tanstack/react-query';
import type { RefusalCode } from '#shared/contract/refusal-codes.ts';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { readAsOf } from '#web/ui/as-of.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { afterPress } from '#web/ui/press.ts';

const passingRefusals: ReadonlySet<RefusalCode> = new Set(['unavailable', 'too_many_requests', 'internal']);
/** How soon it is read again after a read that failed. */
const afterFailureMs = 10_000;

/** One for the page's life; `main.tsx` empties it when the session ends. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof Refused && error.code === 'forbidden') notifyFailure(error.message);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Around every read.
        persister: async (read, context) => {
          try {
            return await read(context);
          } finally {
            await afterPress();
          }
        },
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
        // What the browser kept is read again too.
        refetchInterval: (query) => intervalWhenFailed(query) || (readAsOf() === null ? false : afterFailureMs),
        // The client has its own sentence for being offline; a paused query would only look like loading.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * The refetch interval of a query that failed: without it the page would show old data, or an error, until something else happens.
 * False when waiting can't help.
 */
export function intervalWhenFailed({ state: { error } }: { state: Pick<QueryState, 'error'> }): number | false {
  if (error === null) return false;
  const isLasting =
    error instanceof Refused
      ? !passingRefusals.has(error.code)
      : !(error instanceof Unreachable) || error.reason === 'unreadable';
  return isLasting ? false : afterFailureMs;
}

/** True when a retry may succeed at once. */
function isPassing(error: Error): boolean {
  if (error instanceof Refused) return error.code === 'unavailable';
  return error instanceof Unreachable && error.reason === 'no-answer';
}
