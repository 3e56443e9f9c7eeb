import type { QueryClient } from '@tanstack/react-query';
import { readCredit, readStatement } from '#shared/contract/credit.ts';
import { callKey } from '#web/api/use-call.ts';
import { reload } from '#web/features/payments/follow-payment.ts';

/** Reads again what a bill changes. Few pages show it, so it is not among the calls that every page with plans knows. */
export async function reloadBills(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    reload(queryClient),
    ...[readCredit, readStatement].map((call) => queryClient.invalidateQueries({ queryKey: callKey(call) })),
  ]);
}
