import type { QueryClient } from '@tanstack/react-query';
import { listActivations } from '#contract/activations.ts';
import type { Cycle } from '#contract/cycles.ts';
import { call } from '#web/api/client.ts';
import { callKey } from '#web/api/use-call.ts';

const everyMs = 2_000;

/** The cycle as the server has it now, with the pages following; undefined when it is gone or no answer came. */
export async function readCycle(queryClient: QueryClient, cycleId: string): Promise<Cycle | undefined> {
  try {
    const { activations } = await queryClient.fetchQuery({
      queryKey: callKey(listActivations, {}),
      queryFn: ({ signal }) => call(listActivations, {}, signal),
      staleTime: 0,
    });
    return activations.flatMap((activation) => activation.billingCycles).find((cycle) => cycle.id === cycleId);
  } catch {
    return undefined;
  }
}

/** Asks the server every 2 seconds until the cycle has one of these statuses; undefined after `times` times, or when aborted. */
export async function watchCycle(
  queryClient: QueryClient,
  cycleId: string,
  until: (status: Cycle['status']) => boolean,
  { times, signal }: { times: number; signal: AbortSignal },
): Promise<Cycle | undefined> {
  for (let time = 0; time < times; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    if (signal.aborted) return undefined;
    const cycle = await readCycle(queryClient, cycleId);
    if (cycle !== undefined && until(cycle.status)) return cycle;
  }
  return undefined;
}
