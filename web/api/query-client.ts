import { QueryCache, QueryClient } from '@tanstack/react-query';
import { Refused, Unreachable } from '#web/api/failures.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

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
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (attempt) => 400 * 2 ** attempt,
        // The client has its own sentence for being offline; a paused query would only look like loading.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** True when a retry may succeed. */
function isPassing(error: Error): boolean {
  if (error instanceof Refused) return error.code === 'unavailable';
  return error instanceof Unreachable && error.reason === 'no-answer';
}
