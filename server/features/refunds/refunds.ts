import type { Db, Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { entryOfRefundDue, entryOfRefundPaid } from '#domain/ledger.ts';
import { rupees } from '#domain/money.ts';
import { documentRefund } from '#server/features/documents/documents.ts';
import { announce } from '#server/features/events/events.ts';
import { enter } from '#server/features/ledger/ledger.ts';
import { tellOfRefund, tellOfRefundDone } from '#server/features/mail/mail.ts';
import { groupBy } from '#server/platform/group-by.ts';
import { newId } from '#server/platform/ids.ts';
import { ProviderRefusal, type ProviderRefund } from '#server/platform/razorpay/razorpay.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { insertRefund, lockRefund, type RefundRow, selectRefund, selectRefunds, updateRefund } from './store.ts';

export { claimDueRefunds, selectRefundOfPayment } from './store.ts';

/**
 * Starts the one refund of a payment, in the transaction of its cause; a second start for the same payment does nothing.
 * `from`: what the money was captured for. Money of a cycle becomes due by this; other money was due from its capture on.
 */
export async function startRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: {
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    currency: string;
    reason: string;
    from: 'CYCLE' | 'REFUND';
  },
): Promise<void> {
  const { from, currency, ...kept } = refund;
  const id = newId('RFD');
  const now = new Date(portal.clock());
  const started = await insertRefund(caller, tx, { id, ...kept, now });
  if (!started) return;
  // Money that never paid for a cycle was no consideration for a supply: it goes back without a document of its own.
  const document = from === 'CYCLE' ? await documentRefund(portal, caller, tx, kept) : null;
  await tellOfRefund(portal, caller, tx, { id, ...kept, document });
  await announce(portal, caller, tx, {
    type: 'refund.started',
    occasion: `refund-started:${id}`,
    cycleId: kept.cycleId,
    data: {
      refundId: id,
      paymentId: kept.paymentId,
      amount: rupees(kept.amountPaise),
      currency: 'INR',
      reason: kept.reason,
    },
  });
  if (from === 'REFUND') return;
  const { paymentId, cycleId } = refund;
  await enter(
    tx,
    entryOfRefundDue({ paymentId, cycleId, customerId: caller.customerId, currency }, id, refund.amountPaise),
    now,
  );
}

/**
 * Asks the provider for a refund, or what became of it; once however often it is called, since the refund's id is the
 * idempotency key. Throws when the provider is silent: it is tried again at the time that was planned before.
 */
export async function carryOutRefund(portal: Portal, refundId: string): Promise<void> {
  const found = await selectRefund(portal.db, refundId);
  if (!found || found.status === 'PROCESSED') return;
  const refund = found.status === 'FAILED' ? await beginNextAttempt(portal, refundId) : found;
  const answer = refund.provider_refund_id
    ? await portal.razorpay.readRefund(refund.provider_refund_id)
    : await askForRefund(portal, refund);
  if (!answer) return;
  await transaction(portal.db, (tx) => keepAnswer(portal, tx, refund, answer));
}

async function askForRefund(
  portal: Portal,
  refund: RefundRow,
): Promise<(Pick<ProviderRefund, 'status'> & { id: string | null }) | undefined> {
  try {
    return await portal.razorpay.createRefund({
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise,
      key: refund.attempt === 1 ? refund.id : `${refund.id}-${refund.attempt}`,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    // The provider gave it back by itself, or somebody did on its dashboard.
    if (/fully refunded already/.test(error.message)) return { id: null, status: 'processed' };
    // Too little balance, or the same request is still under way (409): the money stays due and is asked for again.
    if (error.status !== 409) portal.log.error({ err: error, refundId: refund.id }, 'the provider refused a refund');
    return undefined;
  }
}

async function keepAnswer(
  portal: Portal,
  tx: Tx,
  asked: RefundRow,
  answer: Pick<ProviderRefund, 'status'> & { id: string | null },
): Promise<void> {
  const refund = await lockRefund(tx, asked.id);
  // Another process was faster, or an answer about an earlier attempt came late.
  if (refund.status === 'PROCESSED' || refund.status === 'FAILED' || refund.attempt !== asked.attempt) return;
  const provider_refund_id = answer.id ?? refund.provider_refund_id;
  if (answer.status === 'pending') {
    await updateRefund(tx, refund.id, { status: 'PENDING', provider_refund_id });
    return;
  }
  if (answer.status === 'failed') {
    portal.log.error({ refundId: refund.id, attempt: refund.attempt }, 'a bank sent a refund back; it is made anew');
    await updateRefund(tx, refund.id, { status: 'FAILED', provider_refund_id });
    return;
  }
  const now = new Date(portal.clock());
  await updateRefund(tx, refund.id, { status: 'PROCESSED', provider_refund_id, settled_at: now, next_try_at: null });
  const { currency } = await tx
    .selectFrom('payments')
    .select('currency')
    .where('provider_payment_id', '=', refund.payment_id)
    .executeTakeFirstOrThrow();
  const about = {
    paymentId: refund.payment_id,
    cycleId: refund.cycle_id,
    customerId: refund.customer_id,
    currency,
  };
  await enter(tx, entryOfRefundPaid(about, refund.id, refund.amount_paise), now);
  const done = { id: refund.id, ...about, amountPaise: refund.amount_paise };
  const caller = { customerId: refund.customer_id };
  await tellOfRefundDone(portal, caller, tx, done);
  await announce(portal, caller, tx, {
    type: 'refund.completed',
    occasion: `refund-done:${refund.id}`,
    cycleId: refund.cycle_id,
    data: {
      refundId: refund.id,
      paymentId: refund.payment_id,
      amount: rupees(refund.amount_paise),
      currency: 'INR',
    },
  });
}

/** What a bank sent back is asked for again under a key of its own: the old key would only repeat the old answer. */
function beginNextAttempt(portal: Portal, refundId: string): Promise<RefundRow> {
  return transaction(portal.db, async (tx) => {
    const refund = await lockRefund(tx, refundId);
    if (refund.status === 'FAILED') {
      await updateRefund(tx, refundId, { status: 'STARTED', attempt: refund.attempt + 1, provider_refund_id: null });
    }
    return lockRefund(tx, refundId);
  });
}

/** The refunds of a customer by billing cycle. */
export async function listRefunds(caller: Caller, db: Db) {
  return groupBy(await selectRefunds(caller, db), (refund) => refund.cycle_id);
}
