import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { type CustomerChanges, deleteChanges, readChanges } from '#server/rounds/changes.ts';
import { faultsOfCustomers } from './changed-customers.ts';
import { guardRule, readGuards } from './guards.ts';
import { changedSeal, type KnownEntry, lastSeal, type LedgerReport, maxFaults, verifyChain } from './verify-ledger.ts';

/** Maximum number of change rows per check; the rest is read a minute later. */
const maxChangesPerCheck = 2000;
const customersAtOnce = 50;
/** Maximum number of entries per check, so that the first check after a long time is short as well. */
const maxEntriesPerCheck = 50_000;

/**
 * Verifies what is new, in one snapshot: the chain from the last verified entry on, and every rule for the customers whose money, plans or
 * documents changed. A customer with a fault is checked again each time until it is fixed.
 */
export async function verifyChangesOf(
  db: Db,
  known: KnownEntry | undefined,
  knownSeal?: KnownEntry,
): Promise<LedgerReport> {
  const { report, verified } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // JIT compilation does not pay off for a small batch.
      await sql`set local jit = off`.execute(tx);
      const chain = await verifyChain(tx, known, { from: known, limit: maxEntriesPerCheck });
      const changes = await readChanges(tx, 'ledger', maxChangesPerCheck);
      const guards = await readGuards(tx);
      const faults = [
        ...guards.faults.map((fault) => `${guardRule}: ${fault}`),
        ...chain.faults,
        ...(await changedSeal(tx, knownSeal)),
      ];
      const faulty = new Set<string>();
      for (let from = 0; from < changes.customerIds.length; from += customersAtOnce) {
        const batch = changes.customerIds.slice(from, from + customersAtOnce);
        const found = await faultsOfCustomers(tx, batch, maxFaults);
        if (found.length > 0) for (const id of batch) faulty.add(id);
        faults.push(...found);
      }
      const notes = changes.notes.filter((note) => !faulty.has(note.customerId));
      const verified: CustomerChanges = { customerIds: [], notes };
      return { report: { ...chain, seals: await lastSeal(tx), faults: faults.slice(0, maxFaults) }, verified };
    });
  await deleteChanges(db, 'ledger', verified);
  return report;
}
