import { setImmediate as breathe } from 'node:timers/promises';
import type { Expression, SqlBool } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition, sumOf } from '#shared/database/expressions.ts';
import type { BookDocument, BookFacts } from '#shared/domain/books.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import type { Account, EntryKind } from '#shared/domain/ledger.ts';
import type { BookBadDebt, BookCash, BookDispute, BookTds } from '#shared/domain/money-vouchers.ts';
import { quarterOf, tdsSectionOf } from '#shared/domain/tds.ts';
import { isCancelledLater } from '#server/features/documents/documents.ts';
import { selectBookSettlements } from './settlement-facts.ts';

/** Everything that the books follow from, and the balances of the ledger, as of one moment. */
export function readBookFacts(db: Db): Promise<BookFacts & { ledger: ReadonlyMap<Account, number> }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      documents: await selectBookDocuments(tx),
      cash: await selectCash(tx),
      ends: await selectEnds(tx),
      disputes: await selectDisputes(tx),
      settlements: await selectBookSettlements(tx),
      tds: await selectTds(tx),
      badDebts: await selectBadDebts(tx),
      ledger: await selectLedgerBalances(tx),
    }));
}

/** Takes steps to their end; calls that wait have their turn between two. */
export async function breathing<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** All documents, or those that match. */
export async function selectBookDocuments(tx: Tx, match?: Expression<SqlBool>): Promise<BookDocument[]> {
  const rows = await tx
    .selectFrom('documents')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .select(['documents.id', 'documents.kind', 'documents.number', 'documents.issued_on', 'documents.customer_id'])
    .select(['documents.cycle_id', 'documents.refers_to', 'documents.taxable_paise', 'documents.cgst_paise'])
    .select(['documents.sgst_paise', 'documents.utgst_paise', 'documents.igst_paise', 'documents.round_off_paise'])
    .select(['documents.total_paise', 'documents.from_date', 'documents.to_date', 'e_invoices.cancelled_at'])
    .where(match ?? condition`true`)
    .orderBy('documents.issued_at')
    .orderBy('documents.kind')
    .orderBy('documents.sequence')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    number: row.number,
    issuedOn: row.issued_on,
    customerId: row.customer_id,
    cycleId: row.cycle_id,
    refersToId: row.refers_to,
    fromDate: row.from_date,
    toDate: row.to_date,
    cancelled: row.cancelled_at !== null,
    cancelledLater: isCancelledLater(row.issued_on, row.cancelled_at),
    taxablePaise: row.taxable_paise,
    cgstPaise: row.cgst_paise,
    sgstPaise: row.sgst_paise,
    utgstPaise: row.utgst_paise,
    igstPaise: row.igst_paise,
    roundOffPaise: row.round_off_paise,
    totalPaise: row.total_paise,
  }));
}

/** Money in and out at the payment provider, and on the bank account, on the day of the transfer where it was open. A payment in another currency is refunded in full and is in no account of rupees. */
async function selectCash(tx: Tx): Promise<BookCash[]> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .leftJoin('refunds', (join) =>
      join.onRef('refunds.id', '=', 'ledger_entries.refund_id').on('ledger_lines.account', '=', 'bank'),
    )
    .select(['ledger_entries.id', 'ledger_entries.payment_id', 'ledger_entries.customer_id'])
    .select(['ledger_entries.posted_at', 'ledger_lines.amount_paise'])
    .leftJoin('bank_transfers', (join) =>
      join
        .onRef('bank_transfers.payment_id', '=', 'ledger_entries.payment_id')
        .on('ledger_entries.refund_id', 'is', null)
        .on('ledger_lines.account', '=', 'bank'),
    )
    .select((of) => [
      of.fn.coalesce('refunds.utr', 'bank_transfers.utr').as('utr'),
      of.fn.coalesce('refunds.transferred_on', 'bank_transfers.received_on').as('transferred_on'),
      of.fn.coalesce('refunds.booked_on', 'bank_transfers.booked_on').as('booked_on'),
    ])
    .select('ledger_entries.kind')
    .where((line) =>
      line.or([
        line.and([
          line('ledger_lines.account', 'in', ['provider', 'bank']),
          line('ledger_entries.kind', 'in', [
            'CAPTURED_FOR_CYCLE',
            'CAPTURED_FOR_BILL',
            'CAPTURED_FOR_REFUND',
            'CAPTURED_HELD',
            'REFUND_PAID',
          ]),
        ]),
        line.and([
          line('ledger_lines.account', '=', 'held'),
          line('ledger_entries.kind', 'in', ['HELD_FOR_CYCLE', 'HELD_FOR_BILL', 'HELD_FOR_REFUND']),
        ]),
      ]),
    )
    .where('ledger_entries.currency', '=', 'INR')
    .orderBy('ledger_entries.position')
    .execute();
  return rows.flatMap(({ id, payment_id: paymentId, customer_id: customerId, posted_at, amount_paise, ...refund }) => {
    // Only settlements have entries without a payment.
    if (paymentId === null || customerId === null) return [];
    const on = refund.booked_on ?? dayOf(posted_at.getTime());
    const kind = cashKindOf(refund.kind, amount_paise);
    const { utr, transferred_on: sentOn } = refund;
    const transfer = utr === null || sentOn === null ? null : { utr, on: sentOn };
    return [{ id, kind, on, customerId, paymentId, amountPaise: Math.abs(amount_paise), transfer }];
  });
}

function cashKindOf(kind: EntryKind, paise: number): BookCash['kind'] {
  if (kind === 'CAPTURED_HELD') return 'held';
  if (kind === 'HELD_FOR_CYCLE' || kind === 'HELD_FOR_BILL' || kind === 'HELD_FOR_REFUND') return 'answered';
  return paise > 0 ? 'captured' : 'refunded';
}

const disputeKinds = { DISPUTE_HELD: 'held', DISPUTE_RELEASED: 'released', DISPUTE_LOSS: 'lost' } as const;

/** What disputes moved, by its line at the payment provider. */
async function selectDisputes(tx: Tx): Promise<BookDispute[]> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .select(['ledger_entries.id', 'ledger_entries.kind', 'ledger_entries.payment_id', 'ledger_entries.customer_id'])
    .select(['ledger_entries.posted_at', 'ledger_lines.amount_paise'])
    .where('ledger_lines.account', '=', 'provider')
    .where('ledger_entries.kind', 'in', ['DISPUTE_HELD', 'DISPUTE_RELEASED', 'DISPUTE_LOSS'])
    .where('ledger_entries.currency', '=', 'INR')
    .orderBy('ledger_entries.position')
    .execute();
  return rows.flatMap(({ id, kind, payment_id: paymentId, customer_id: customerId, posted_at, amount_paise }) => {
    if (paymentId === null || customerId === null || !isDispute(kind)) return [];
    const on = dayOf(posted_at.getTime());
    return [{ id, kind: disputeKinds[kind], on, paymentId, customerId, amountPaise: Math.abs(amount_paise) }];
  });
}

function isDispute(kind: EntryKind): kind is keyof typeof disputeKinds {
  return Object.hasOwn(disputeKinds, kind);
}

/**
 * Tax deducted at source: refunded for a claim, on the day on which that was accepted; or withheld from a bank transfer, on the day on which this
 * came, or was recorded where that is locked, and reversed with a refund of what never came, until a certificate proves it after all.
 */
async function selectTds(tx: Tx): Promise<BookTds[]> {
  const claimed = await tx
    .selectFrom('tds_claims')
    .innerJoin('refunds', 'refunds.id', 'tds_claims.refund_id')
    .select(['tds_claims.id', 'tds_claims.customer_id', 'quarter', 'section', 'tds_claims.amount_paise', 'decided_at'])
    .where('tds_claims.status', '=', 'ACCEPTED')
    .where('refunds.payout', '<>', 'WITHHELD')
    .orderBy('decided_at')
    .orderBy('tds_claims.id')
    .execute();
  const withheld = await tx
    .selectFrom('refunds')
    .select(['id', 'customer_id', 'amount_paise', 'booked_on'])
    .select((of) => of.fn<Day>('money_came_on', ['payment_id']).as('came_on'))
    .where('payout', '=', 'WITHHELD')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const reversed = await tx
    .selectFrom('refunds')
    .select(['id', 'customer_id', 'withheld_paise', 'created_at'])
    .select((of) => of.fn<Day>('money_came_on', ['payment_id']).as('came_on'))
    .where('withheld_paise', '>', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const provedLater = await tx
    .selectFrom('refunds')
    .innerJoin('refunds as withheld', 'withheld.cycle_id', 'refunds.cycle_id')
    .select(['refunds.id', 'refunds.customer_id', 'refunds.amount_paise', 'refunds.created_at'])
    .select((of) => of.fn<Day>('money_came_on', ['refunds.payment_id']).as('came_on'))
    .where('refunds.origin', '=', 'TDS')
    .where('refunds.payout', '<>', 'WITHHELD')
    .where('withheld.payout', '=', 'WITHHELD')
    .orderBy('refunds.created_at')
    .execute();
  const onItsDay = [
    ...reversed.map(({ withheld_paise: paise, ...row }) => ({ ...row, amount_paise: -paise })),
    ...provedLater,
  ];
  return [
    ...claimed.flatMap(({ decided_at: at, quarter, section, ...row }) =>
      at === null ? [] : [{ ...bookTdsOf(row, dayOf(at.getTime())), quarter, section }],
    ),
    ...withheld.map(({ booked_on: on, came_on: cameOn, ...row }) => {
      const quarter = quarterOf(cameOn);
      return { ...bookTdsOf(row, on ?? cameOn), quarter, section: tdsSectionOf(quarter) };
    }),
    ...onItsDay.map(({ created_at: at, came_on: cameOn, ...row }) => {
      const quarter = quarterOf(cameOn);
      return { ...bookTdsOf(row, dayOf(at.getTime())), quarter, section: tdsSectionOf(quarter) };
    }),
  ];
}

const bookTdsOf = (row: { id: string; customer_id: string; amount_paise: number }, on: Day) => ({
  id: row.id,
  on,
  customerId: row.customer_id,
  amountPaise: row.amount_paise,
});

/** Bills that were written off or are due again, on their day. */
async function selectBadDebts(tx: Tx): Promise<BookBadDebt[]> {
  const rows = await tx
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .innerJoin('current_papers', 'current_papers.cycle_id', 'ledger_entries.cycle_id')
    .innerJoin('credit_bills', 'credit_bills.cycle_id', 'ledger_entries.cycle_id')
    .select(['ledger_entries.id', 'posted_at', 'credit_bills.customer_id', 'number as invoice'])
    .select('amount_paise as amountPaise')
    .where('ledger_lines.account', '=', 'bad_debts')
    .orderBy('ledger_entries.position')
    .execute();
  return rows.map(({ posted_at: at, customer_id: customerId, ...row }) => ({
    ...row,
    customerId,
    on: dayOf(at.getTime()),
  }));
}

/** The balance of each account of the ledger, in rupees’ paise. */
async function selectLedgerBalances(tx: Tx): Promise<Map<Account, number>> {
  const rows = await tx
    .selectFrom('ledger_lines')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
    .select((of) => ['ledger_lines.account', sumOf(of.ref('ledger_lines.amount_paise')).as('paise')])
    .where('ledger_entries.currency', '=', 'INR')
    .groupBy('ledger_lines.account')
    .execute();
  return new Map(rows.map(({ account, paise }) => [account, paise]));
}

/** The days on which paid cycles ended early, of all or of some. */
export async function selectEnds(tx: Tx, cycleIds?: readonly string[]): Promise<Map<string, Day>> {
  const rows = await tx
    .selectFrom('cycles')
    .where(cycleIds === undefined ? condition`true` : condition`id = any(${cycleIds}::text[])`)
    .select(['id', 'ended_at'])
    .where('paid_at', 'is not', null)
    .where('ended_at', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ id, ended_at }) => (ended_at ? [[id, dayOf(ended_at.getTime())] as const] : [])));
}
