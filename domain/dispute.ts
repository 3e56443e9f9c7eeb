/** A dispute (chargeback) of a payment, as the provider tells of it; deliveries come in any order. */
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed';

/** Has the dispute come to its end? */
export function hasEnded(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'closed';
}

/** May a dispute that is stored as `from` become `to`? Nothing follows its end. */
export function disputeMovesForward(from: DisputeStatus, to: DisputeStatus): boolean {
  return !hasEnded(from) && from !== to && to !== 'open';
}

/** What an amount that went back elsewhere comes to, beside the refunds that the portal has promised for the payment. */
export interface ForeignShare {
  /** How much can be booked; less than the amount only where it exceeds what was captured. */
  bookedPaise: number;
  /** So much of it pays what was promised already: nothing new becomes due by it. */
  coversPaise: number;
}

/**
 * Splits money that went back elsewhere. `promisedPaise`: all refunds of the payment; `unpaidPaise`: so much of that the provider
 * has yet to be asked for. Never more than the captured amount goes back: what exceeds it pays what was promised.
 */
export function shareOfForeign(
  amountPaise: number,
  payment: { capturedPaise: number; promisedPaise: number; unpaidPaise: number },
): ForeignShare {
  const roomPaise = payment.capturedPaise - payment.promisedPaise;
  const coversPaise = Math.min(payment.unpaidPaise, Math.max(0, amountPaise - roomPaise));
  return { bookedPaise: Math.min(amountPaise, roomPaise + coversPaise), coversPaise };
}
