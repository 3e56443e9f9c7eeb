import type { Db, Tx } from '#shared/database/connect.ts';
import {
  effectsOfPromise,
  paperOf,
  promised,
  type Refund,
  type RefundEffects,
  type RefundEvent,
  type RefundFault,
  stepOf,
} from '#shared/domain/refund.ts';
import type { RefundStart } from '#shared/domain/refund-start.ts';
import { newId } from '#server/crypto/ids.ts';
import { reinstate } from '#server/features/credit/credit.ts';
import { documentRefund, type Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import { choosePayout, type RefundRow, selectReversed, withheldPartOf } from './store.ts';

/**
 * The only place where refunds are written, with their documents, mails, events and ledger entries. What they do is in `shared/domain/refund.ts`; when the
 * provider is asked next, in `store.ts`.
 */

/**
 * Starts a refund in the transaction of its cause. Requires the activation's lock. Throws when there is one for this cause already: of the
 * payment and cycle, and of an operator's also of the amount and reason.
 */
export async function startRefund(issuer: Issuer, owner: Owner, tx: Tx, start: RefundStart): Promise<RefundRow> {
  const now = new Date(issuer.clock());
  const isWithheld = 'isWithheld' in start;
  // Tax that a certificate proves is refunded as it is.
  const isOfTax = isWithheld || 'claimId' in start;
  const withheldPaise =
    'foreignId' in start
      ? (start.withheldPaise ?? 0)
      : isOfTax || start.from !== 'CYCLE'
        ? 0
        : await withheldPartOf(tx, start);
  const cash = { ...start, amountPaise: start.amountPaise - withheldPaise };
  const { payout, offsetPaise } = isWithheld
    ? { payout: 'WITHHELD' as const, offsetPaise: 0 }
    : 'foreignId' in start
      ? { payout: 'PROVIDER' as const, offsetPaise: 0 }
      : await choosePayout(tx, cash, now);
  const refund = promised(start, newId('RFD'), owner.customerId, payout, { withheldPaise, offsetPaise });
  const reversed = withheldPaise === 0 ? {} : await selectReversed(tx, start, withheldPaise);
  const row = await insertRefund(tx, start, refund, now);
  if (offsetPaise > 0 || (start.from === 'DUE' && start.amountPaise > 0)) await reinstate(issuer, tx, start.cycleId);
  const paper = paperOf(start);
  const { cycleId, amountPaise, reason } = start;
  const document =
    paper === 'to be issued'
      ? await documentRefund(issuer, owner, tx, {
          cycleId,
          amountPaise,
          reason,
          reversed,
          beforeInvoice: start.origin === 'EXCESS_TAX',
        })
      : paper;
  await applyEffects(issuer, tx, refund, effectsOfPromise(start, refund, { document, ...reversed }));
  return row;
}

/** Why something can't happen to a refund; undefined when it can. */
export async function refundFault(db: Db | Tx, row: RefundRow, event: RefundEvent): Promise<RefundFault | undefined> {
  const step = stepOf(await refundOf(db, row), event);
  return typeof step === 'string' ? step : undefined;
}

/** Lets something happen to a refund, or says why it can't. Requires the row's lock. */
export async function moveRefund(
  context: EventContext,
  tx: Tx,
  row: RefundRow,
  event: RefundEvent,
): Promise<RefundRow | RefundFault> {
  const step = stepOf(await refundOf(tx, row), event);
  if (typeof step === 'string') return step;
  const moved = await updateRefund(tx, row, step.refund, new Date(context.clock()));
  await applyEffects(context, tx, step.refund, step);
  return moved;
}

async function applyEffects(
  context: EventContext,
  tx: Tx,
  { of: { customerId } }: Refund,
  { events, entries }: RefundEffects,
): Promise<void> {
  for (const event of events) await happened(context, { customerId }, tx, event);
  for (const entry of entries) await postEntry(tx, entry, new Date(context.clock()));
}

const changing = [
  'status',
  'payout',
  'attempt',
  'covered_paise',
  'loss_paise',
  'provider_refund_id',
  'refused_at',
  'refusal',
  'utr',
  'transferred_on',
] as const;

/** What changes of a refund. */
const columnsOf = (refund: Refund): Pick<RefundRow, (typeof changing)[number]> => ({
  status: refund.status,
  payout: refund.payout,
  attempt: refund.attempt,
  covered_paise: refund.coveredPaise,
  loss_paise: refund.lossPaise,
  provider_refund_id: refund.providerRefundId,
  refused_at: refund.refusedAt,
  refusal: refund.refusal,
  utr: refund.utr,
  transferred_on: refund.transferredOn,
});

/** A stored refund, as `shared/domain/refund.ts` knows it. */
async function refundOf(tx: Db | Tx, row: RefundRow): Promise<Refund> {
  const { payment_id: paymentId, cycle_id: cycleId, customer_id: customerId } = row;
  const { currency } = await tx
    .selectFrom('payments')
    .select('currency')
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    of: { paymentId, cycleId, customerId, currency },
    reason: row.reason,
    amountPaise: row.amount_paise,
    coversPaise: row.covers_paise,
    status: row.status,
    payout: row.payout,
    attempt: row.attempt,
    coveredPaise: row.covered_paise,
    withheldPaise: row.withheld_paise,
    offsetPaise: row.offset_paise,
    lossPaise: row.loss_paise,
    providerRefundId: row.provider_refund_id,
    refusedAt: row.refused_at,
    refusal: row.refusal,
    utr: row.utr,
    transferredOn: row.transferred_on,
  };
}

/** Is the provider asked about it until it is paid? Nobody asks the provider for a transfer. */
const isAskedAbout = ({ status, payout }: Refund): boolean => status !== 'PROCESSED' && payout === 'PROVIDER';

function insertRefund(tx: Tx, { origin, ...cause }: RefundStart, refund: Refund, now: Date): Promise<RefundRow> {
  return tx
    .insertInto('refunds')
    .values({
      id: refund.id,
      payment_id: refund.of.paymentId,
      cycle_id: refund.of.cycleId,
      customer_id: refund.of.customerId,
      amount_paise: refund.amountPaise,
      covers_paise: refund.coversPaise,
      withheld_paise: refund.withheldPaise,
      offset_paise: refund.offsetPaise,
      reason: refund.reason,
      origin,
      of_replaced: 'ofReplaced' in cause && cause.ofReplaced,
      foreign_id: 'foreignId' in cause ? cause.foreignId : null,
      created_at: now,
      settled_at: refund.status === 'PROCESSED' ? now : null,
      ...columnsOf(refund),
      ...(isAskedAbout(refund) ? {} : { next_try_at: null }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Stores what changed of a refund: a column that stays is not set, so that a step without news is not sealed again. */
async function updateRefund(tx: Tx, row: RefundRow, refund: Refund, now: Date): Promise<RefundRow> {
  const columns: Partial<ReturnType<typeof columnsOf>> = columnsOf(refund);
  for (const column of changing) if (columns[column] === row[column]) delete columns[column];
  const next_try_at = isAskedAbout(refund) ? (row.next_try_at ?? new Date()) : null;
  const settled = refund.status === 'PROCESSED' ? { settled_at: now } : {};
  return tx
    .updateTable('refunds')
    .set({ ...columns, ...settled, next_try_at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
