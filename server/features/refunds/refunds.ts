import type { Db, Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { newId } from '#server/crypto/ids.ts';
import { ProviderRefusal, type ProviderRefund } from '#server/razorpay/razorpay.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { completeRefund, promiseRefund } from './promise-refund.ts';
import { isRefusable, turnToTransfer } from './transfers.ts';
import {
  beginNextAttempt,
  insertRefund,
  isDisputed,
  lockRefund,
  type RefundRow,
  selectRefund,
  selectRefunds,
  updateRefund,
} from './store.ts';

export { bookForeignRefund, type ForeignRefund } from './foreign.ts';
export { cancelEInvoice, correctInvoice, previewCorrection } from './corrections.ts';
export { invoiceStartedCycles, refundExcessTax } from './excess-tax.ts';
export {
  claimDueRefunds,
  isDisputed,
  isUnpaid,
  lockRefund,
  selectRefund,
  selectRefundsOfPayment,
  wakeRefunds,
} from './store.ts';
export { startOperatorRefund } from './operator-refund.ts';
export { leftOfCycle, startTdsRefund } from './tds-refund.ts';
export { completeRefund } from './promise-refund.ts';
export { isRefusable, listUnpaidRefunds, readRefundsHealth, turnToTransfer, type UnpaidRefund } from './transfers.ts';

/**
 * Starts the refund of a payment, in the transaction of its cause; a second start for the same payment and cycle does nothing.
 * `from`: what the money was captured for. Money of a cycle becomes due now; other money was due since its capture.
 */
export async function startRefund(
  portal: Issuer,
  caller: Caller,
  tx: Tx,
  refund: {
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    currency: string;
    reason: string;
    /** Of a plan that another one replaced. */
    ofReplaced?: boolean;
    from: 'CYCLE' | 'REFUND';
  },
): Promise<void> {
  const { from: _from, currency: _currency, ...kept } = refund;
  const id = newId('RFD');
  const now = new Date(portal.clock());
  const payout = await insertRefund(caller, tx, { id, ...kept, now });
  if (!payout) return;
  await promiseRefund(portal, caller, tx, { id, ...refund, payout });
}

/**
 * Requests a refund from the provider, or reads its state. Safe to repeat: the refund's id is the idempotency key. Throws when the
 * provider does not respond; the retry has been scheduled before. Returns `unbooked` when the provider has refunded what is not booked: the
 * caller then books that. While the payment is disputed nothing is requested (product §6.22). One that the provider will never pay becomes a
 * bank transfer: only its refusal proves that no earlier request was accepted.
 */
export async function carryOutRefund(portal: Portal, refundId: string): Promise<'unbooked' | undefined> {
  const found = await selectRefund(portal.db, refundId);
  if (!found || found.status === 'PROCESSED' || found.payout === 'TRANSFER') return undefined;
  const isRequested = found.provider_refund_id !== null && found.status !== 'FAILED';
  if (!isRequested && (await isDisputed(portal.db, found.payment_id))) return undefined;
  const refund =
    found.status === 'FAILED'
      ? await transaction(portal.db, async (tx) => beginNextAttempt(tx, await lockRefund(tx, refundId)))
      : found;
  // Money refunded elsewhere has paid it meanwhile.
  if (refund.status === 'PROCESSED') return undefined;
  const result = refund.provider_refund_id
    ? await portal.razorpay.readRefund(refund.provider_refund_id)
    : await requestRefund(portal, refund);
  if (result === undefined || result === 'unbooked') return result;
  const isRecorded = await transaction(portal.db, (tx) => recordRefundState(portal, tx, refund, result));
  return isRecorded ? undefined : 'unbooked';
}

/** The provider's idempotency key and receipt of an attempt. Money refunded elsewhere since changes the amount, and so the key. */
export function keyOf({ id, attempt, covered_paise: covered }: RefundRow): string {
  return `${id}${attempt === 1 ? '' : `-${attempt}`}${covered === 0 ? '' : `-less-${covered}`}`;
}

async function requestRefund(portal: Portal, refund: RefundRow): Promise<ProviderRefund | 'unbooked' | undefined> {
  try {
    return await portal.razorpay.createRefund({
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise - refund.covered_paise,
      key: keyOf(refund),
    });
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    // The same request is still in progress: it is asked for again.
    if (error.status === 409) return undefined;
    portal.log.error({ err: error, refundId: refund.id }, 'the provider refused a refund');
    await recordRefusal(portal, refund.id, error.message);
    // The provider refunded it by itself, or somebody did on its dashboard.
    if (/fully refunded already|greater than (the )?amount captured/.test(error.message)) return 'unbooked';
    return undefined;
  }
}

/** Will the provider refuse this refund whenever it is asked: too old, or below a rupee? */
function isForGood(refusal: string): boolean {
  return /more than 6 months old|not supported by the bank|at least INR 1\.00/.test(refusal);
}

/**
 * What the provider will never pay becomes a bank transfer. The rest, as with too little balance, is requested again and is in the health
 * report until then.
 */
function recordRefusal(portal: Portal, refundId: string, refusal: string): Promise<void> {
  return transaction(portal.db, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    // Covered or turned into a transfer meanwhile.
    if (!isRefusable(refund)) return;
    await updateRefund(tx, refundId, { refused_at: refund.refused_at ?? new Date(portal.clock()), refusal });
    if (isForGood(refusal)) await turnToTransfer(portal, tx, refund);
  });
}

/**
 * Handles the provider's state of a refund that the portal requested or that was made at the provider. False when the refund has gone on since
 * it was `attempted`: another process was faster, other money pays for it by now, or the operator has transferred it. What the provider did is
 * then to be booked by itself.
 */
export async function recordRefundState(
  portal: Portal,
  tx: Tx,
  attempted: RefundRow,
  reported: Pick<ProviderRefund, 'status' | 'id'>,
): Promise<boolean> {
  const refund = await lockRefund(tx, attempted.id);
  if (refund.status === 'PROCESSED' || refund.status === 'FAILED' || keyOf(refund) !== keyOf(attempted)) return false;
  // Accepted after all, should an operator have turned it into a transfer since.
  const accepted = { provider_refund_id: reported.id, payout: 'PROVIDER', refused_at: null, refusal: null } as const;
  if (reported.status === 'processed') {
    await completeRefund(portal, tx, { ...refund, ...accepted });
    return true;
  }
  const next_try_at = refund.next_try_at ?? new Date(portal.machineClock());
  if (reported.status === 'pending') {
    await updateRefund(tx, refund.id, { status: 'PENDING', ...accepted, next_try_at });
    return true;
  }
  // The bank returned it. What the customer would have had twice stays with us; what is due is requested again.
  if (refund.amount_paise === 0) {
    await completeRefund(portal, tx, { ...refund, ...accepted, loss_paise: 0 });
    return true;
  }
  portal.log.error({ refundId: refund.id, attempt: refund.attempt }, 'a bank returned a refund; it is retried');
  await updateRefund(tx, refund.id, { status: 'FAILED', ...accepted, next_try_at, loss_paise: 0 });
  return true;
}

/**
 * Refunds per billing cycle, in paise: the total, and the state of the latest, `TRANSFER` while it waits for a bank transfer. Money that only covers another refund is
 * not counted twice.
 */
export async function listRefunds(caller: Caller, db: Db) {
  const refunds = groupBy(await selectRefunds(caller, db), (refund) => refund.cycle_id);
  return new Map(
    [...refunds].map(([cycleId, rows]) => {
      const amountPaise = rows.reduce((sum, row) => sum + row.amount_paise - row.covers_paise, 0);
      const promised = rows.filter((row) => row.amount_paise > row.covers_paise);
      const open = promised.find((row) => row.status !== 'PROCESSED');
      const status = open?.payout === 'TRANSFER' ? 'TRANSFER' : (open?.status ?? 'PROCESSED');
      return [cycleId, { amountPaise, status }] as const;
    }),
  );
}
