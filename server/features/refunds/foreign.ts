import type { Tx } from '#database/connect.ts';
import { shareOfForeign } from '#domain/dispute.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { completeRefund, promiseRefund } from './promise-refund.ts';
import { insertForeignRefund, type RefundRow, selectRefundsOfPayment, updateRefund } from './store.ts';

/** Money of a payment that was refunded at the provider without the portal. */
export interface ForeignRefund {
  origin: 'PROVIDER' | 'DISPUTE';
  /** The provider's id of the refund or of the lost dispute. */
  id: string;
  amountPaise: number;
  reason: string;
  /** Has the money been paid out? Otherwise the provider is polled until it has. */
  isPaid: boolean;
}

interface CapturedPayment {
  id: string;
  cycleId: string;
  amountPaise: number;
  currency: string;
  use: 'CYCLE' | 'REFUND';
}

/** How much of a payment has been or will be refunded, in paise. */
function givenBackOf(refunds: readonly RefundRow[]): number {
  return refunds.reduce((sum, refund) => sum + refund.amount_paise - refund.covers_paise, 0);
}

/**
 * Books money that was refunded elsewhere, once per id. If the portal has promised a refund of the payment that the provider can
 * no longer pay because of it, the money counts towards that refund; the rest becomes a refund of its own, with its document. Requires
 * the activation's lock. Returns how much of the payment has been refunded by now.
 */
export async function bookForeignRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  payment: CapturedPayment,
  foreign: ForeignRefund,
): Promise<number> {
  const refunds = await selectRefundsOfPayment(tx, payment.id);
  if (refunds.some((refund) => refund.foreign_id === foreign.id)) return givenBackOf(refunds);
  const unpaid = refunds.filter(isUnpaid);
  const unpaidPaise = unpaid.reduce((sum, refund) => sum + openPaise(refund), 0);
  const promisedPaise = givenBackOf(refunds);
  const { bookedPaise, coversPaise } = shareOfForeign(foreign.amountPaise, {
    capturedPaise: payment.amountPaise,
    promisedPaise,
    unpaidPaise,
  });
  const { origin, id: foreignId, amountPaise, reason } = foreign;
  const about = { paymentId: payment.id, cycleId: payment.cycleId, origin, foreignId, amountPaise };
  portal.log.error({ ...about, bookedPaise }, 'a payment was refunded at the payment provider, not through the portal');
  if (bookedPaise === 0) return promisedPaise;
  const refund = await insertForeignRefund(caller, tx, {
    ...about,
    id: newId('RFD'),
    amountPaise: bookedPaise,
    coversPaise,
    reason,
    now: new Date(portal.clock()),
  });
  await cover(portal, tx, unpaid, coversPaise);
  const duePaise = bookedPaise - coversPaise;
  if (duePaise > 0) {
    await promiseRefund(portal, caller, tx, {
      id: refund.id,
      paymentId: payment.id,
      cycleId: payment.cycleId,
      amountPaise: duePaise,
      currency: payment.currency,
      reason,
      from: payment.use,
    });
  }
  if (foreign.isPaid) await completeRefund(portal, tx, refund);
  return promisedPaise + duePaise;
}

/** Distributes the amount refunded elsewhere over the promised refunds; one that is fully covered is done. */
async function cover(portal: Portal, tx: Tx, unpaid: readonly RefundRow[], paise: number): Promise<void> {
  let left = paise;
  for (const refund of unpaid) {
    const part = Math.min(left, openPaise(refund));
    if (part === 0) continue;
    left -= part;
    const covered_paise = refund.covered_paise + part;
    await updateRefund(tx, refund.id, { covered_paise });
    if (covered_paise === refund.amount_paise) await completeRefund(portal, tx, { ...refund, covered_paise });
  }
}

/** Promised, but not yet accepted by the provider. */
function isUnpaid({ status, provider_refund_id }: RefundRow): boolean {
  return status === 'FAILED' || (status === 'STARTED' && provider_refund_id === null);
}

function openPaise({ amount_paise, covered_paise }: RefundRow): number {
  return amount_paise - covered_paise;
}
