import { isWholeCheckDue, verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { createRound } from '#server/rounds/round.ts';
import type { Portal } from '#server/portal.ts';
import { startDueWork } from './due-work.ts';

export { remindOfEvidence } from './dispute-events.ts';
export { readMoneyElsewhere } from './elsewhere-health.ts';
export { readUnsettled } from './unsettled.ts';

/** Advisory locks of the two ledger checks: the letters "ledg" and "ledw". */
const checkLocks = { changes: 0x6c656467, whole: 0x6c656477 };

/** Starts the background work on money: settling, refunding, reconciling, and verifying the ledger. */
export async function startPaymentWorkers(portal: Portal): Promise<{ stop: () => Promise<void> }> {
  const changes = createRound(portal.db, checkLocks.changes, () => verifyLedger(portal));
  const whole = createRound(portal.db, checkLocks.whole, async (stopping) => {
    if (await isWholeCheckDue(portal)) await verifyWholeLedger(portal, stopping);
  });
  await portal.jobs.work('verify-ledger', async () => {
    await changes.run();
  });
  await portal.jobs.work('verify-whole-ledger', async () => {
    await whole.run();
  });
  const dueWork = startDueWork(portal);
  return {
    stop: async () => {
      await Promise.all([dueWork.stop(), changes.stop(), whole.stop()]);
    },
  };
}
