/** A dispute (chargeback) of a payment, as reported by the provider; deliveries come in any order. */
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed';

/** True when the dispute is closed. */
export function hasEnded(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'closed';
}

/** True when a dispute stored as `from` may become `to`. A closed one never changes. */
export function disputeMovesForward(from: DisputeStatus, to: DisputeStatus): boolean {
  return !hasEnded(from) && from !== to && to !== 'open';
}

/** The effect of a refund made outside the portal, next to the refunds that the portal has promised for the payment. */
export interface ForeignShare {
  /** How much can be booked; less than the amount only where it exceeds what was captured. */
  bookedPaise: number;
  /** How much of it covers refunds that were promised already, so nothing new becomes due. */
  coversPaise: number;
}

/**
 * Splits a refund made outside the portal. `promisedPaise`: all refunds of the payment; `unpaidPaise`: the part of them
 * not requested from the provider yet. Refunds never exceed the captured amount: the excess covers promised refunds.
 */
export function shareOfForeign(
  amountPaise: number,
  payment: { capturedPaise: number; promisedPaise: number; unpaidPaise: number },
): ForeignShare {
  const roomPaise = payment.capturedPaise - payment.promisedPaise;
  const coversPaise = Math.min(payment.unpaidPaise, Math.max(0, amountPaise - roomPaise));
  return { bookedPaise: Math.min(amountPaise, roomPaise + coversPaise), coversPaise };
}
