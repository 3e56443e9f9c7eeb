import { compareLockedMonths, faultsOfLocks } from '#server/features/bookkeeping/bookkeeping.ts';
import { isWholeCheckDue, verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { createRound } from '#server/rounds/round.ts';
import type { Portal } from '#server/portal.ts';

/** Advisory locks of the two ledger checks: the letters "ledg" and "ledw". */
const checkLocks = { changes: 0x6c656467, whole: 0x6c656477 };

/** Verifies what is new in the ledger each minute, and all of it each night, with the months that are locked. */
export async function startLedgerChecks(portal: Portal): Promise<{ stop: () => Promise<void> }> {
  const changes = createRound(portal.db, checkLocks.changes, () => verifyLedger(portal));
  const lockedMonths = async () => faultsOfLocks(await compareLockedMonths(portal.db));
  const whole = createRound(portal.db, checkLocks.whole, async (stopping) => {
    if (await isWholeCheckDue(portal)) await verifyWholeLedger(portal, stopping, lockedMonths);
  });
  await portal.jobs.work('verify-ledger', async () => {
    await changes.run();
  });
  await portal.jobs.work('verify-whole-ledger', async () => {
    await whole.run();
  });
  // A new installation is checked at once: before that the doctor would not call it sound.
  for (const check of ['verify-ledger', 'verify-whole-ledger'] as const) await portal.jobs.send(portal.db, check, {});
  return {
    stop: async () => {
      await Promise.all([changes.stop(), whole.stop()]);
    },
  };
}
