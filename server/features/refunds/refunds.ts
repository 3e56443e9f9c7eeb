import type { Db, Tx } from '#database/connect.ts';
import { groupBy } from '#server/platform/group-by.ts';
import { newId } from '#server/platform/ids.ts';
import { ProviderRefusal } from '#server/platform/razorpay/razorpay.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { insertRefund, selectRefund, selectRefunds, updateRefund } from './store.ts';

/** Starts the one refund of a payment, in the transaction of its cause; a second start for the same payment does nothing. */
export async function startRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  refund: { paymentId: string; cycleId: string; amountPaise: number; reason: string },
): Promise<void> {
  const id = newId('RFD');
  const started = await insertRefund(caller, tx, { id, ...refund, now: new Date(portal.clock()) });
  if (started) await portal.jobs.send(tx, 'refund', { refundId: id });
}

/** Asks the provider for a refund, once however often it is called: the refund's id is the idempotency key. */
export async function carryOutRefund(portal: Portal, refundId: string): Promise<void> {
  const refund = await selectRefund(portal.db, refundId);
  if (!refund || refund.status === 'PROCESSED' || refund.status === 'FAILED') return;
  const answer = refund.provider_refund_id
    ? await portal.razorpay.readRefund(refund.provider_refund_id)
    : await askForRefund(portal, refund);
  if (!answer) return;
  const status = ({ pending: 'PENDING', processed: 'PROCESSED', failed: 'FAILED' } as const)[answer.status];
  await updateRefund(portal.db, refundId, status, answer.id, status === 'PENDING' ? null : new Date(portal.clock()));
  // Banks take their time: ask again until it is final.
  if (status === 'PENDING') await portal.jobs.send(portal.db, 'refund', { refundId }, { startAfterSeconds: 60 });
}

async function askForRefund(portal: Portal, refund: { id: string; payment_id: string; amount_paise: number }) {
  try {
    return await portal.razorpay.createRefund({
      paymentId: refund.payment_id,
      amountPaise: refund.amount_paise,
      key: refund.id,
    });
  } catch (error) {
    // "Still in progress" (409) and silence are tried again; any other refusal is for people to look at.
    if (!(error instanceof ProviderRefusal) || error.status === 409) throw error;
    if (/fully refunded already/.test(error.message)) {
      await updateRefund(portal.db, refund.id, 'PROCESSED', null, new Date(portal.clock()));
      return undefined;
    }
    portal.log.error({ err: error, refundId: refund.id }, 'the provider refused a refund');
    await updateRefund(portal.db, refund.id, 'FAILED', null, new Date(portal.clock()));
    return undefined;
  }
}

/** The refunds of a customer by billing cycle. */
export async function listRefunds(caller: Caller, db: Db) {
  return groupBy(await selectRefunds(caller, db), (refund) => refund.cycle_id);
}
