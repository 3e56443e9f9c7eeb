import type { QueryClient } from '@tanstack/react-query';
import type { Call } from '#shared/contract/call.ts';
import { callKey } from '#web/api/use-call.ts';

/**
 * Returns a function to call after each event: it reads the replies to these calls again. One read at a time, since ending it at each event would
 * let no slow one end; an event during a read leads to one more, since that one may have begun before what happened.
 */
export function createRereading(queryClient: QueryClient, calls: readonly Call[]): () => void {
  const names = new Set(calls.map((call) => callKey(call)[0]));
  // Only what is on screen is read again, so only that is waited for.
  const filters = {
    type: 'active' as const,
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => names.has(queryKey[0]),
  };
  let isDue = false;
  let isReading = false;
  const read = async () => {
    isReading = true;
    while (isDue) {
      isDue = queryClient.isFetching(filters) > 0;
      await queryClient.invalidateQueries(filters, { cancelRefetch: false });
    }
    isReading = false;
  };
  return () => {
    isDue = true;
    if (!isReading) void read();
  };
}
