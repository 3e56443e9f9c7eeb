import { isUnpaid, openOf, type Refund } from '#shared/domain/refund.ts';
import type { RefundCause } from '#shared/domain/refund-start.ts';
import { cashLeftOf, leftAtProvider, paidBackOf, withheldBesideCash } from '#shared/domain/refund-payout.ts';

/** Money of a payment that was refunded without the portal: on the provider's dashboard, or by a lost dispute (decision 034). */

/** What money that was refunded outside the portal is, next to the refunds that the portal has promised for the payment. */
export interface ForeignShare {
  /** Pays refunds that were promised already, so nothing new becomes due. */
  coversPaise: number;
  /** Becomes due, with a document. */
  duePaise: number;
  /** Exceeds the price: the customer has it twice. */
  lossPaise: number;
}

/**
 * Splits money that was refunded outside the portal, on the provider's dashboard or by a lost dispute. It first pays what was promised and not
 * requested yet, so that nothing is paid twice; the rest becomes due, up to what is left of the price, and beyond it is a loss (decision 034).
 * `leftPaise`: of the price, whatever tax was deducted at source, as far as it came (`cashLeftOf`); `unpaidPaise`: what is promised and not requested from the provider yet.
 */
export function shareOfForeign(
  amountPaise: number,
  { leftPaise, unpaidPaise }: { leftPaise: number; unpaidPaise: number },
): ForeignShare {
  const coversPaise = Math.min(unpaidPaise, amountPaise);
  const duePaise = Math.min(amountPaise - coversPaise, leftPaise);
  return { coversPaise, duePaise, lossPaise: amountPaise - coversPaise - duePaise };
}

/** A period that a payment paid for: what is left of its price, and what is promised back and not yet requested. */
export interface RefundablePeriod {
  cycleId: string;
  leftPaise: number;
  unpaidPaise: number;
}

/**
 * Distributes a refund made outside the portal over the periods of its payment, in the order given: the last period first, as it
 * is the least used (product §4.19). A loss is of no period, and noted with the first. Periods without a share are left out.
 */
export function shareOverPeriods(
  { coversPaise, duePaise, lossPaise }: ForeignShare,
  periods: readonly RefundablePeriod[],
): (ForeignShare & { cycleId: string })[] {
  let covers = coversPaise;
  let due = duePaise;
  return periods.flatMap(({ cycleId, leftPaise, unpaidPaise }, index) => {
    const share = {
      cycleId,
      coversPaise: Math.min(covers, unpaidPaise),
      duePaise: Math.min(due, leftPaise),
      lossPaise: index === 0 ? lossPaise : 0,
    };
    covers -= share.coversPaise;
    due -= share.duePaise;
    return share.coversPaise + share.duePaise + share.lossPaise > 0 ? [share] : [];
  });
}

/** A refund of the payment, as far as it matters here. */
type PaymentRefund = Pick<Refund, 'id' | 'status' | 'amountPaise' | 'coversPaise' | 'coveredPaise'> & {
  withheldPaise?: number;
  cycleId: string;
  origin: RefundCause['origin'];
};

/** What a foreign refund becomes: a refund for each period that it is taken from, and what it pays of others. */
export interface ForeignPlan {
  shares: (ForeignShare & {
    cycleId: string;
    covered: { refundId: string; paise: number }[];
    /** So much more of the price never came, and is reversed with it (decision 075). */
    withheldPaise: number;
  })[];
  /** How much of it exceeds the price. */
  lossPaise: number;
}

/** What `periods` had paid, in the order in which money is taken from them, and the refunds of their payment. */
export interface RefundedPayment {
  periods: readonly {
    cycleId: string;
    paidPaise: number;
    /** What of that is tax that never came and is not proved (`PaidBack`). */
    unprovedPaise?: number;
    /** What may still go back in money, where its price alone doesn't say it: of what paid a bill. */
    leftPaise?: number;
  }[];
  refunds: readonly PaymentRefund[];
}

/** What refunds have promised that is not requested yet. */
export const unpaidOf = (refunds: readonly PaymentRefund[]): number =>
  refunds.filter(isUnpaid).reduce((sum, refund) => sum + openOf(refund), 0);

/** The cycles of whose price the provider keeps nothing: they give no more access. */
export function wholeCycles({ periods, refunds }: RefundedPayment): Set<string> {
  const whole = periods.filter(
    ({ cycleId, paidPaise }) => leftAtProvider(paidBackOf(paidPaise, ofCycle(refunds, cycleId))) === 0,
  );
  return new Set(whole.map(({ cycleId }) => cycleId));
}

const ofCycle = (refunds: readonly PaymentRefund[], cycleId: string) =>
  refunds.filter((refund) => refund.cycleId === cycleId);

/**
 * Plans the booking of money that was refunded elsewhere: it counts towards refunds of the payment that the portal has promised and not yet
 * requested; the rest becomes due. `isLossNoted`: a loss by a dispute is noted with the dispute. `cycleId`: the period that it was made for, if that
 * is known; then it pays no promise of the others.
 */
export function planForeign(
  payment: RefundedPayment,
  foreign: { amountPaise: number; isLossNoted: boolean; cycleId?: string | undefined },
): ForeignPlan {
  const { periods, refunds } = payment;
  const isMeant = periods.some(({ cycleId }) => cycleId === foreign.cycleId);
  const facts = periods.map(({ cycleId, paidPaise, unprovedPaise = 0, leftPaise }) => {
    const own = ofCycle(refunds, cycleId);
    const unpaidPaise = isMeant && cycleId !== foreign.cycleId ? 0 : unpaidOf(own);
    const paid = paidBackOf(paidPaise, own, unprovedPaise);
    return { cycleId, paid, leftPaise: leftPaise ?? cashLeftOf(paid), unpaidPaise };
  });
  const share = shareOfForeign(foreign.amountPaise, {
    leftPaise: facts.reduce((sum, { leftPaise }) => sum + leftPaise, 0),
    unpaidPaise: facts.reduce((sum, { unpaidPaise }) => sum + unpaidPaise, 0),
  });
  const noted = foreign.isLossNoted ? { ...share, lossPaise: 0 } : share;
  return {
    shares: shareOverPeriods(noted, facts).map((part) => ({
      ...part,
      covered: coverOf(ofCycle(refunds, part.cycleId), part.coversPaise),
      withheldPaise: facts
        .filter(({ cycleId }) => cycleId === part.cycleId)
        .reduce((sum, { paid }) => sum + withheldBesideCash(paid, part.duePaise), 0),
    })),
    lossPaise: share.lossPaise,
  };
}

/** Distributes an amount over the promised refunds, oldest first. */
function coverOf(refunds: readonly PaymentRefund[], paise: number): { refundId: string; paise: number }[] {
  let left = paise;
  return refunds.filter(isUnpaid).flatMap((refund) => {
    const part = Math.min(left, openOf(refund));
    left -= part;
    return part > 0 ? [{ refundId: refund.id, paise: part }] : [];
  });
}
