import type { Db } from '#database/connect.ts';
import type { Portal } from '#server/portal.ts';
import { verifyLedgerOf } from './verify-ledger.ts';

/**
 * Verifies the ledger in the running portal, every minute. A fault is logged loudly and shown by /backend/health until a
 * verification finds none. The last entry's hash goes into the log: it proves later that nothing before it was changed.
 */
export async function verifyLedger(portal: Portal): Promise<void> {
  const before = await portal.db.selectFrom('ledger_checks').select(['position', 'hash']).executeTakeFirst();
  const { position, hash, faults } = await verifyLedgerOf(portal.db, {
    known: before,
    // Every paper once an hour: a minute would not do for a hundred thousand of them.
    partOfPapers: new Date(portal.machineClock()).getUTCMinutes(),
  });
  const found = { position, hash: hash.toString('hex') };
  if (faults.length > 0)
    portal.log.error({ ...found, faults }, 'THE LEDGER IS WRONG: money needs looking after by people');
  else portal.log.info(found, 'the ledger holds');
  // What the last good verification saw stays known, so that a fault does not become the new truth.
  const seen = faults.length > 0 && before ? before : { position, hash };
  const check = { checked_at: new Date(portal.machineClock()), ...seen, faults: JSON.stringify(faults) };
  await portal.db
    .insertInto('ledger_checks')
    .values({ only_row: true, ...check })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(check))
    .execute();
}

/** For /backend/health: does the ledger hold, as far as the last verification saw? Names no fault. */
export async function readLedgerHealth(db: Db): Promise<{ holds: boolean | null; checkedAt: string | null }> {
  const check = await db.selectFrom('ledger_checks').select(['checked_at', 'faults']).executeTakeFirst();
  if (!check) return { holds: null, checkedAt: null };
  return { holds: check.faults.length === 0, checkedAt: check.checked_at.toISOString() };
}
