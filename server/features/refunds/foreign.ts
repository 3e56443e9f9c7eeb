import type { Tx } from '#database/connect.ts';
import { type ForeignShare, shareOfForeign, shareOverPeriods } from '#domain/dispute.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { completeRefund, promiseRefund } from './promise-refund.ts';
import {
  beginNextAttempt,
  insertForeignRefund,
  isUnpaid,
  lockRefundsOfPayment,
  type RefundRow,
  updateRefund,
} from './store.ts';

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
  currency: string;
  use: 'CYCLE' | 'REFUND';
  /** What was paid for each period, in the order in which money refunded elsewhere is taken from them. */
  periods: { cycleId: string; paidPaise: number }[];
}

/** How much of a payment, or of one of its periods, has been or will be refunded, in paise. */
function givenBackOf(refunds: readonly RefundRow[]): number {
  return refunds.reduce((sum, refund) => sum + refund.amount_paise - refund.covers_paise, 0);
}

function openOf(refunds: readonly RefundRow[]): number {
  return refunds.filter(isUnpaid).reduce((sum, refund) => sum + openPaise(refund), 0);
}

/**
 * Books money that was refunded elsewhere, once per id. It counts towards refunds of the payment that the portal has promised and not yet
 * requested; the rest becomes refunds of their own, one for each period that it is taken from, with their documents. Requires the
 * activation's lock. Returns the cycles whose whole price has been refunded by now, and how much of this exceeds the captured amount.
 */
export async function bookForeignRefund(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  payment: CapturedPayment,
  foreign: ForeignRefund,
): Promise<{ wholeIds: Set<string>; lossPaise: number }> {
  // Locked, since a response of the provider is recorded without the activation's lock.
  const refunds = await lockRefundsOfPayment(tx, payment.id);
  const periods = payment.periods.map(({ cycleId, paidPaise }) => {
    const own = refunds.filter((refund) => refund.cycle_id === cycleId);
    return { cycleId, paidPaise, promisedPaise: givenBackOf(own), unpaidPaise: openOf(own) };
  });
  const earlier = refunds.filter((refund) => refund.foreign_id === foreign.id);
  let lossPaise = earlier.reduce((left, refund) => left - refund.amount_paise, foreign.amountPaise);
  if (earlier.length === 0) {
    const share = shareOfForeign(foreign.amountPaise, {
      capturedPaise: periods.reduce((sum, { paidPaise }) => sum + paidPaise, 0),
      promisedPaise: givenBackOf(refunds),
      unpaidPaise: openOf(refunds),
    });
    lossPaise = share.lossPaise;
    const alarm = { paymentId: payment.id, origin: foreign.origin, foreignId: foreign.id, ...share };
    portal.log.error(alarm, 'a payment was refunded at the payment provider, not through the portal');
    // The loss by a dispute is noted with the dispute.
    const noted = foreign.origin === 'DISPUTE' ? { ...share, lossPaise: 0 } : share;
    for (const part of shareOverPeriods(noted, periods)) {
      const unpaid = refunds.filter((refund) => refund.cycle_id === part.cycleId && isUnpaid(refund));
      await bookShare(portal, caller, tx, { payment, foreign, part, unpaid });
      const period = periods.find((each) => each.cycleId === part.cycleId);
      if (period) period.promisedPaise += part.duePaise;
    }
  }
  const whole = periods.filter(({ paidPaise, promisedPaise }) => promisedPaise >= paidPaise);
  return { wholeIds: new Set(whole.map(({ cycleId }) => cycleId)), lossPaise };
}

/** Books the share of a foreign refund that is taken from one period. */
async function bookShare(
  portal: Portal,
  caller: Caller,
  tx: Tx,
  share: {
    payment: CapturedPayment;
    foreign: ForeignRefund;
    part: ForeignShare & { cycleId: string };
    unpaid: readonly RefundRow[];
  },
): Promise<void> {
  const { payment, foreign } = share;
  const { cycleId, coversPaise, duePaise, lossPaise } = share.part;
  const refund = await insertForeignRefund(caller, tx, {
    id: newId('RFD'),
    origin: foreign.origin,
    foreignId: foreign.id,
    paymentId: payment.id,
    cycleId,
    amountPaise: coversPaise + duePaise,
    coversPaise,
    lossPaise,
    reason: foreign.reason,
    now: new Date(portal.clock()),
  });
  await cover(portal, tx, share.unpaid, coversPaise);
  if (duePaise > 0) {
    await promiseRefund(portal, caller, tx, {
      id: refund.id,
      paymentId: payment.id,
      cycleId,
      amountPaise: duePaise,
      currency: payment.currency,
      reason: foreign.reason,
      from: payment.use,
      payout: 'PROVIDER',
    });
  }
  if (foreign.isPaid) await completeRefund(portal, tx, refund);
}

/** Distributes the amount refunded elsewhere over the promised refunds; one that is fully covered is done. */
async function cover(portal: Portal, tx: Tx, unpaid: readonly RefundRow[], paise: number): Promise<void> {
  let left = paise;
  for (const each of unpaid) {
    const part = Math.min(left, openPaise(each));
    if (part === 0) continue;
    left -= part;
    const refund = await beginNextAttempt(tx, each);
    const covered_paise = refund.covered_paise + part;
    await updateRefund(tx, refund.id, { covered_paise });
    if (covered_paise === refund.amount_paise) await completeRefund(portal, tx, { ...refund, covered_paise });
  }
}

function openPaise({ amount_paise, covered_paise }: RefundRow): number {
  return amount_paise - covered_paise;
}
