import { type QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query';
import { listActivations } from '#shared/contract/activations.ts';
import type { CallReply } from '#shared/contract/call.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { call } from '#web/api/client.ts';
import { callKey } from '#web/api/use-call.ts';

/** Cycles, and the packs of each in the same form. */
export function withPacks(cycles: readonly Cycle[]): Cycle[] {
  return cycles.flatMap((cycle) => [
    cycle,
    ...cycle.packs.map(({ id, name, status, price, changed, payments }) => ({
      ...cycle,
      id,
      planName: name,
      status,
      price,
      changed,
      // A pack is paid at once.
      bill: null,
      packs: [],
      payments,
    })),
  ]);
}

const everyMs = 3_000;

/** The same query as on the pages, so that they update too. */
const activationsQuery = queryOptions({
  queryKey: callKey(listActivations, {}),
  queryFn: ({ signal }) => call(listActivations, {}, signal),
});

function cycleIn({ activations }: CallReply<typeof listActivations>, cycleId: string): Cycle | undefined {
  const cycles = activations.flatMap((activation) => activation.billingCycles);
  return withPacks(cycles).find((cycle) => cycle.id === cycleId);
}

/**
 * The current cycle from the server, which also updates the pages; undefined when it no longer exists or there was no
 * response.
 */
export async function readCycle(queryClient: QueryClient, cycleId: string): Promise<Cycle | undefined> {
  try {
    return cycleIn(await queryClient.fetchQuery({ ...activationsQuery, staleTime: 0 }), cycleId);
  } catch {
    return undefined;
  }
}

/**
 * Refetches every few seconds, in a hidden tab too, until `until` accepts the cycle. Undefined after
 * `forMs` or when aborted.
 */
export function watchCycle(
  queryClient: QueryClient,
  cycleId: string,
  until: (cycle: Cycle) => boolean,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<Cycle | undefined> {
  const observer = new QueryObserver(queryClient, {
    ...activationsQuery,
    retry: false,
    refetchOnMount: false,
    refetchInterval: everyMs,
    refetchIntervalInBackground: true,
  });
  return new Promise((resolve) => {
    const end = (cycle?: Cycle) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(cycle);
    };
    const timer = setTimeout(end, forMs);
    const unsubscribe = observer.subscribe(({ data }) => {
      const cycle = data && cycleIn(data, cycleId);
      if (cycle !== undefined && until(cycle)) end(cycle);
    });
    signal.addEventListener('abort', () => end(), { once: true });
    if (signal.aborted) end();
  });
}
