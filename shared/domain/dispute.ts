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

/** A step of a dispute, for the operator. */
export interface DisputeReport {
  disputeId: string;
  cycleId: string;
  paymentId: string;
  amountPaise: number;
  stage: 'opened' | 'evidence asked' | 'under review' | 'won' | 'lost' | 'closed' | EvidenceNotice;
  reason: string;
  respondBy: Date | null;
  /** What it cost beyond the refund. */
  lossPaise: number;
}

/** Which reminder of missing evidence is due, if any; `respondByMs` is null when the provider names no time. */
export function evidenceNoticeDue(respondByMs: number | null, nowMs: number): EvidenceNotice | undefined {
  if (respondByMs === null) return undefined;
  if (nowMs >= respondByMs) return 'overdue';
  return evidenceNotices.toReversed().find((days) => respondByMs - nowMs <= days * dayMs);
}
