import { verifyLedger } from '#server/features/ledger/ledger.ts';
import type { Portal } from '#server/portal.ts';
import { startDueWork } from './due-work.ts';

export { readUnsettled } from './unsettled.ts';

/** Starts everything that money depends on beside the calls: settling, refunding, reconciling, and the ledger's verification. */
export async function workPayments(portal: Portal): Promise<{ stop: () => Promise<void> }> {
  await portal.jobs.work('verify-ledger', () => verifyLedger(portal));
  return startDueWork(portal);
}
