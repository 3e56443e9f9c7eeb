import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees } from '#shared/domain/money.ts';
import { stageOf } from '#shared/domain/refund.ts';
import { ProviderRefusal, ProviderUnavailable, type ProviderRefund } from '#server/razorpay/razorpay.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { moveRefund } from './refund-writer.ts';
import { isDisputed, keyOfRow, lockRefund, type RefundRow, selectRefund, selectRefunds } from './store.ts';

export { bookForeignRefund, type ForeignRefund } from './foreign.ts';
export { cancelEInvoice, correctInvoice, previewCancellation, previewCorrection } from './corrections.ts';
export { invoiceStartedCycles, refundExcessTax } from './excess-tax.ts';
export {
  choosePayout,
  claimDueRefunds,
  factsOf,
  isDisputed,
  isOwn,
  keyOfRow,
  paidOutOfRow,
  leftOfCycle,
  selectDueOf,
  lockRefund,
  selectRefund,
  selectRefundsOfPayment,
  wakeRefunds,
} from './store.ts';
export { requireNotRefundedElsewhere } from './paid-elsewhere.ts';
export { moveRefund, startRefund } from './refund-writer.ts';
export { listUnpaidRefunds, readRefundsHealth, type UnpaidRefund } from './transfers.ts';

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
    found.status === 'FAILED' ? await transaction(portal.db, (tx) => retryRefund(portal, tx, refundId)) : found;
  // Money refunded elsewhere has paid it meanwhile, or an operator transfers it.
  if (refund.status === 'PROCESSED' || refund.payout === 'TRANSFER') return undefined;
  const result = refund.provider_refund_id
    ? await portal.razorpay.readRefund(refund.provider_refund_id)
    : await requestRefund(portal, refund);
  if (result === undefined || result === 'unbooked') return result;
  const isRecorded = await transaction(portal.db, (tx) => recordRefundState(portal, tx, refund, result));
  return isRecorded ? undefined : 'unbooked';
}

/** A refund that a bank returned is requested again; another stays as it is. */
async function retryRefund(portal: Portal, tx: Tx, refundId: string): Promise<RefundRow> {
  const refund = await lockRefund(tx, refundId);
  const moved = await moveRefund(portal, tx, refund, { type: 'retried' });
  return typeof moved === 'string' ? refund : moved;
}

async function requestRefund(portal: Portal, refund: RefundRow): Promise<ProviderRefund | 'unbooked' | undefined> {
  try {
    return await portal.razorpay.createRefund({
      paymentId: refund.payment_id,
      cycleId: refund.cycle_id,
      cause: refund.origin,
      amountPaise: refund.amount_paise - refund.covered_paise,
      key: keyOfRow(refund),
    });
  } catch (error) {
    // The same request is still in progress: it is asked for again.
    if (error instanceof ProviderUnavailable && error.status === 409) return undefined;
    if (!(error instanceof ProviderRefusal)) throw error;
    portal.log.error({ err: error, refundId: refund.id }, 'the provider refused a refund');
    await recordRefusal(portal, refund.id, error.message);
    // The provider refunded it by itself, or somebody did on its dashboard.
    if (/fully refunded already|greater than (the )?amount captured/.test(error.message)) return 'unbooked';
    return undefined;
  }
}

/** Will the provider refuse this refund whenever it is asked: too old, below a rupee, or a transfer from an account that it can't credit? */
function isForGood(refusal: string): boolean {
  return /more than 6 months old|not supported by the bank|account of the payer|at least INR 1\.00/.test(refusal);
}

/**
 * What the provider will never pay becomes a bank transfer. The rest, as with too little balance, is requested again and is in the health
 * report until then. Nothing where it was covered or turned into a transfer meanwhile.
 */
async function recordRefusal(portal: Portal, refundId: string, refusal: string): Promise<void> {
  const event = { type: 'refused', refusal, at: new Date(portal.clock()), forGood: isForGood(refusal) } as const;
  await transaction(portal.db, async (tx) => moveRefund(portal, tx, await lockRefund(tx, refundId), event));
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
  { status, id: providerRefundId }: Pick<ProviderRefund, 'status' | 'id'>,
): Promise<boolean> {
  const refund = await lockRefund(tx, attempted.id);
  const report = { type: 'reported', key: keyOfRow(attempted), status, providerRefundId } as const;
  const moved = await moveRefund(portal, tx, refund, report);
  if (typeof moved === 'string') return false;
  if (moved.status === 'FAILED')
    portal.log.error({ refundId: refund.id, attempt: refund.attempt }, 'a bank returned a refund; it is retried');
  return true;
}

/** Refunds per billing cycle: of the payment that it was sold for, and of others, which paid nothing, or a bill that is due again since. */
export async function listRefunds(owner: Owner, db: Db) {
  const refunds = groupBy(await selectRefunds(owner, db), (refund) => refund.cycle_id);
  return new Map(
    [...refunds].map(([cycleId, rows]) => {
      const [refund, returned] = [rows.filter(({ use }) => use === 'CYCLE'), rows.filter(({ use }) => use !== 'CYCLE')];
      return [cycleId, { refund: inTotal(refund), returned: inTotal(returned) }] as const;
    }),
  );
}

/**
 * The total, and the state of the latest, `TRANSFER` while it waits for a bank transfer. Money that only covers another refund is not counted twice, nor what
 * never came.
 */
function inTotal(rows: readonly RefundRow[]) {
  if (rows.length === 0) return null;
  const paise = rows.reduce((sum, row) => sum + row.amount_paise - row.covers_paise - row.withheld_paise, 0);
  const promised = rows.filter((row) => row.amount_paise > row.covers_paise);
  const open = promised.find((row) => row.status !== 'PROCESSED');
  return { amount: rupees(paise), status: open ? stageOf(open) : ('PROCESSED' as const) };
}
