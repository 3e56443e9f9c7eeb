import type { ExpressionBuilder, Selectable } from 'kysely';
import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { Day } from '#shared/domain/day.ts';
import { type CreditTerms, leastDuePaise, type OpenBill } from '#shared/domain/pay-later.ts';
import type { Owner } from '#server/portal.ts';

export type BillRow = Selectable<Tables['credit_bills']>;

/** The terms of a customer; undefined where none were ever agreed. */
export async function selectTerms(owner: Owner, db: Db | Tx): Promise<CreditTerms | undefined> {
  const row = await termsOf(owner, db).executeTakeFirst();
  return row && { limitPaise: row.limit_paise, days: row.days, stopAfterDays: row.stop_after_days };
}

/** The same, while nothing else is sold on them, and nobody changes them. */
export async function lockTerms(owner: Owner, tx: Tx): Promise<CreditTerms | undefined> {
  await termsOf(owner, tx).forUpdate().execute();
  // A separate statement: it reads what was waited for.
  return selectTerms(owner, tx);
}

const termsOf = (owner: Owner, db: Db | Tx) =>
  db.selectFrom('credit_terms').selectAll().where('customer_id', '=', owner.customerId);

export async function upsertTerms(owner: Owner, tx: Tx, terms: CreditTerms, now: Date): Promise<void> {
  const values = {
    limit_paise: terms.limitPaise,
    days: terms.days,
    stop_after_days: terms.stopAfterDays,
    changed_at: now,
  };
  await tx
    .insertInto('credit_terms')
    .values({ customer_id: owner.customerId, ...values })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(values))
    .execute();
}

/** Bills of which something is due, or was written off, the oldest first. */
export async function selectOpenBills(owner: Owner, db: Db | Tx): Promise<(OpenBill & { cycleId: string })[]> {
  const rows = await db
    .selectFrom('credit_bills')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('owed_paise', '>=', leastDuePaise)
    .orderBy('due_on')
    .orderBy('cycle_id')
    .execute();
  return rows.map((row) => ({ cycleId: row.cycle_id, ...openOf(row) }));
}

export const openOf = (row: Pick<BillRow, 'due_on' | 'stops_on' | 'due_paise' | 'written_off_paise'>): OpenBill => ({
  dueOn: row.due_on,
  stopsOn: row.stops_on,
  duePaise: row.due_paise,
  writtenOffPaise: row.written_off_paise,
});

export async function insertBill(
  owner: Owner,
  tx: Tx,
  bill: { cycleId: string; paymentId: string; billedOn: Day; dueOn: Day; stopsOn: Day },
): Promise<void> {
  await tx
    .insertInto('credit_bills')
    .values({
      cycle_id: bill.cycleId,
      customer_id: owner.customerId,
      payment_id: bill.paymentId,
      billed_on: bill.billedOn,
      due_on: bill.dueOn,
      stops_on: bill.stopsOn,
    })
    .execute();
}

/** The bill of a cycle that was sold on terms. */
export function selectBill(db: Db | Tx, cycleId: string): Promise<BillRow | undefined> {
  return db.selectFrom('credit_bills').selectAll().where('cycle_id', '=', cycleId).executeTakeFirst();
}

/** Gateways read again which plans of the customer stop, or come back, with a bill: those that are not paid. Before it changes. */
export async function announceUnpaid(owner: Owner, change: AccessChange): Promise<void> {
  const rows = await change.tx
    .selectFrom('credit_bills')
    .innerJoin('cycles', 'cycles.id', 'credit_bills.cycle_id')
    .select('cycles.activation_id')
    .distinct()
    .where('credit_bills.customer_id', '=', owner.customerId)
    .where('owed_paise', '>=', leastDuePaise)
    .execute();
  for (const { activation_id: id } of rows) change.announce(id);
}

/**
 * The taxable value of the invoice of a bill, from which tax (TDS) may be deducted: as long as the bill is due as it was sold. Once a credit note, a
 * certificate or money has changed what is due, the tax may count already, and nobody can say of which part more was deducted. Undefined then, and where its
 * buyer is not registered.
 */
export async function selectTaxableOfBill(tx: Db | Tx, cycleId: string): Promise<number | undefined> {
  const lines = await tx
    .selectFrom('ledger_lines')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
    .select('ledger_entries.kind')
    .where('ledger_entries.cycle_id', '=', cycleId)
    .where('ledger_lines.account', '=', 'receivables')
    .limit(2)
    .execute();
  if (lines.length !== 1) return undefined;
  const { taxable_paise: taxablePaise, content } = await tx
    .selectFrom('current_papers')
    .innerJoin('documents', 'documents.id', 'current_papers.document_id')
    .select(['documents.taxable_paise', 'documents.content'])
    .where('current_papers.cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return content.recipient.gstin === null ? undefined : taxablePaise;
}

/** A bill of the owner of which something is owed. */
export function selectOpenBill(owner: Owner, db: Db | Tx, cycleId: string): Promise<BillRow | undefined> {
  return db
    .selectFrom('credit_bills')
    .selectAll()
    .where('cycle_id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .where('owed_paise', '>=', leastDuePaise)
    .executeTakeFirst();
}

/** The same, with how often what had paid it went back. */
export function selectBillWithReturns(tx: Tx, cycleId: string): Promise<(BillRow & { returns: number }) | undefined> {
  return tx
    .selectFrom('credit_bills')
    .selectAll()
    .select(returnsOfBill)
    .where('cycle_id', '=', cycleId)
    .executeTakeFirst();
}

/** How often what had paid a bill went back at the provider, so that it was due again. */
export function returnsOfBill(bill: ExpressionBuilder<Tables, 'credit_bills'>) {
  const returned = bill
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.provider_payment_id', 'refunds.payment_id')
    .select((of) => countRows(of('refunds.amount_paise', '>', of.ref('refunds.covers_paise'))).as('count'))
    .whereRef('payments.cycle_id', '=', 'credit_bills.cycle_id')
    .where('payments.use', '=', 'DUE');
  return bill.fn.coalesce(returned, bill.lit(0)).as('returns');
}

/** The invoice of a bill, for mails. */
export async function selectInvoiceOfBill(db: Db | Tx, cycleId: string) {
  return db
    .selectFrom('current_papers')
    .innerJoin('documents', 'documents.id', 'current_papers.document_id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.content'])
    .where('current_papers.cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
}

/** Are the calls of a plan refused today, as a bill is overdue? */
export async function isPlanStopped(tx: Db | Tx, cycleId: string, today: Day): Promise<boolean> {
  const { stops_on: stopsOn } = await tx
    .selectFrom('cycles')
    .select((of) => of.fn<Day | null>('plan_stops_on', [of.table('cycles')]).as('stops_on'))
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return stopsOn !== null && stopsOn <= today;
}
