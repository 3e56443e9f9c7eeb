import type { Db, Tx } from '#database/connect.ts';
import {
  effectsOfPromise,
  paperOf,
  promised,
  type Refund,
  type RefundEffects,
  type RefundEvent,
  type RefundFault,
  type RefundStart,
  stepOf,
} from '#domain/refund.ts';
import { newId } from '#server/crypto/ids.ts';
import { documentRefund, type Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { Caller, EventContext } from '#server/portal.ts';
import { choosePayout, insertRefund, type RefundRow, refundOf, updateRefund } from './store.ts';

/** The only place where refunds are written, with their documents, mails, events and ledger entries. What they do is in `domain/refund.ts`. */

/**
 * Starts a refund in the transaction of its cause. Requires the activation's lock. Undefined when there is one for this cause already: of the
 * payment and cycle, and of an operator's also of the amount and reason.
 */
export async function startRefund(
  issuer: Issuer,
  caller: Caller,
  tx: Tx,
  start: RefundStart,
): Promise<RefundRow | undefined> {
  const now = new Date(issuer.clock());
  const payout = 'foreignId' in start ? 'PROVIDER' : await choosePayout(tx, start, now);
  const refund = promised(start, newId('RFD'), caller.customerId, payout);
  const row = await insertRefund(tx, start, refund, now);
  if (!row) return undefined;
  const paper = paperOf(start);
  const { cycleId, amountPaise, reason } = start;
  const document =
    paper === 'to be issued'
      ? await documentRefund(issuer, caller, tx, {
          cycleId,
          amountPaise,
          reason,
          beforeInvoice: start.origin === 'EXCESS_TAX',
        })
      : paper;
  await applyEffects(issuer, tx, refund, effectsOfPromise(start, refund, document));
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
