import type { Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { type EntryKind, entryOfReinstatement, entryOfWriteOff, type LedgerEntry } from '#shared/domain/ledger.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { EventContext } from '#server/portal.ts';

/** Bad debts (decision 081). A credit note can't be issued for one (CGST Act s. 34), so the tax stays paid and only the ledger knows of it. */

/** Writes off what is due of a bill. Requires the activation's lock. Returns the id of the entry. */
export async function writeOff(
  context: Pick<EventContext, 'clock'>,
  tx: Tx,
  bill: OwedBill & { due_paise: number },
): Promise<string> {
  const entry = entryOfWriteOff(aboutOf(bill), bill.due_paise, 1 + (await countEntries(tx, bill, 'WRITTEN_OFF')));
  return post(context, tx, entry);
}

/**
 * Something is about to happen to a bill: what was written off of it is due again first. So whatever pays, lowers or raises it knows only what is due.
 * Requires the activation's lock.
 */
export async function reinstate(context: Pick<EventContext, 'clock'>, tx: Tx, cycleId: string): Promise<void> {
  const bill = await tx
    .selectFrom('credit_bills')
    .selectAll()
    .where('cycle_id', '=', cycleId)
    .where('written_off_paise', '>', 0)
    .executeTakeFirst();
  if (!bill) return;
  await post(
    context,
    tx,
    entryOfReinstatement(aboutOf(bill), bill.written_off_paise, 1 + (await countEntries(tx, bill, 'REINSTATED'))),
  );
}

interface OwedBill {
  payment_id: string;
  cycle_id: string;
  customer_id: string;
}

const aboutOf = ({ payment_id: paymentId, cycle_id: cycleId, customer_id: customerId }: OwedBill) => ({
  paymentId,
  cycleId,
  customerId,
  currency: 'INR',
});

async function post({ clock }: Pick<EventContext, 'clock'>, tx: Tx, entry: LedgerEntry): Promise<string> {
  await postEntry(tx, entry, new Date(clock()));
  return entry.id;
}

async function countEntries(tx: Tx, { payment_id: paymentId }: OwedBill, kind: EntryKind): Promise<number> {
  const { count } = await tx
    .selectFrom('ledger_entries')
    .select(countRows().as('count'))
    .where('payment_id', '=', paymentId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return count;
}
