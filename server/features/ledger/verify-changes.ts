import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { type CustomerChanges, deleteChanges, readChanges } from '#server/rounds/changes.ts';
import { faultsOfCustomers } from './changed-customers.ts';
import { type KnownEntry, type LedgerReport, mostFaults, verifyChain } from './verify-ledger.ts';

/** Notes read in one check; what is left is read a minute later. */
const notesAtOnce = 2000;
const customersAtOnce = 50;
/** Entries read in one check, so that the first one after years without any is short too. */
const entriesAtOnce = 50_000;

/**
 * Verifies what is new: the chain from the last verified entry on, and every rule for the customers whose money, plans or
 * papers changed, in one snapshot. A customer with a fault is looked at again each time, until it has none.
 */
export async function verifyChangesOf(db: Db, known: KnownEntry | undefined): Promise<LedgerReport> {
  const { report, sound } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Plans of a moment's batch don't pay for being compiled.
      await sql`set local jit = off`.execute(tx);
      const chain = await verifyChain(tx, known, { from: known, limit: entriesAtOnce });
      const changes = await readChanges(tx, 'ledger', notesAtOnce);
      const faults = [...chain.faults];
      const faulty = new Set<string>();
      for (let from = 0; from < changes.customerIds.length; from += customersAtOnce) {
        const batch = changes.customerIds.slice(from, from + customersAtOnce);
        const found = await faultsOfCustomers(tx, batch, mostFaults);
        if (found.length > 0) for (const id of batch) faulty.add(id);
        faults.push(...found);
      }
      const notes = changes.notes.filter((note) => !faulty.has(note.customerId));
      const isSound: CustomerChanges = { customerIds: [], notes };
      return { report: { ...chain, faults: faults.slice(0, mostFaults) }, sound: isSound };
    });
  await deleteChanges(db, 'ledger', sound);
  return report;
}
