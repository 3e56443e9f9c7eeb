/** A dispute (chargeback) of a payment, as reported by the provider; deliveries come in any order. */
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed';

/** True when the dispute is closed. */
export function hasEnded(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost' || status === 'closed';
}

/** True when a dispute stored as `from` may become `to`. One that has ended never changes; more evidence may be asked for, which reopens it. */
export function disputeMayBecome(from: DisputeStatus, to: DisputeStatus): boolean {
  return !hasEnded(from) && from !== to;
}

/** In these phases the bank claims no money yet, and a refund is what it asks for. */
export const phasesBeforeClaim: readonly string[] = ['fraud', 'retrieval'];

/**
 * True while a refund of the disputed payment must wait (product §6.22): if the dispute is lost, the bank has paid the customer already.
 */
export function refundWaits({ status, phase }: { status: DisputeStatus; phase: string }): boolean {
  return !hasEnded(status) && !phasesBeforeClaim.includes(phase);
}

/** Days before the end of the time for evidence on which the operator is reminded. */
export const evidenceNotices = [3, 1] as const;
export type EvidenceNotice = (typeof evidenceNotices)[number] | 'overdue';

const dayMs = 86_400_000;

/** Which reminder of missing evidence is due, if any; `respondByMs` is null when the provider names no time. */
export function evidenceNoticeDue(respondByMs: number | null, nowMs: number): EvidenceNotice | undefined {
  if (respondByMs === null) return undefined;
  if (nowMs >= respondByMs) return 'overdue';
  return evidenceNotices.toReversed().find((days) => respondByMs - nowMs <= days * dayMs);
}

/** What money that was refunded outside the portal is, next to the refunds that the portal has promised for the payment. */
export interface ForeignShare {
  /** Pays refunds that were promised already, so nothing new becomes due. */
  coversPaise: number;
  /** Becomes due, with a document. */
  duePaise: number;
  /** Exceeds the captured amount: the customer has it twice. */
  lossPaise: number;
}

/**
 * Splits money that was refunded outside the portal, on the provider's dashboard or by a lost dispute. It first pays what was promised and not
 * requested yet, so that nothing is paid twice; the rest becomes due, up to the captured amount, and beyond it is a loss (decision 034).
 * `promisedPaise`: all refunds of the payment; `unpaidPaise`: the part of them not requested from the provider yet.
 */
export function shareOfForeign(
  amountPaise: number,
  payment: { capturedPaise: number; promisedPaise: number; unpaidPaise: number },
): ForeignShare {
  const coversPaise = Math.min(payment.unpaidPaise, amountPaise);
  // More than was captured is promised where tax was deducted at source.
  const leftPaise = Math.max(0, payment.capturedPaise - payment.promisedPaise);
  const duePaise = Math.min(amountPaise - coversPaise, leftPaise);
  return { coversPaise, duePaise, lossPaise: amountPaise - coversPaise - duePaise };
}

/** A period that a payment paid for: what was paid for it, what of that is promised back, and what of that is not yet requested. */
export interface RefundablePeriod {
  cycleId: string;
  paidPaise: number;
  promisedPaise: number;
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
  return periods.flatMap(({ cycleId, paidPaise, promisedPaise, unpaidPaise }, index) => {
    const share = {
      cycleId,
      coversPaise: Math.min(covers, unpaidPaise),
      duePaise: Math.min(due, Math.max(0, paidPaise - promisedPaise)),
      lossPaise: index === 0 ? lossPaise : 0,
    };
    covers -= share.coversPaise;
    due -= share.duePaise;
    return share.coversPaise + share.duePaise + share.lossPaise > 0 ? [share] : [];
  });
}
