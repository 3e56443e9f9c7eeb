import { groupBy } from './group-by.ts';

/**
 * Settlements: the provider's transfers to our bank account, compared with what the portal knows (product §6.16). A settlement pays out
 * captured payments less the provider's fee and the GST on it, and takes off refunds and lost disputes.
 */

export type SettlementStatus = 'created' | 'processed' | 'failed';

export interface Settlement {
  id: string;
  amountPaise: number;
  status: SettlementStatus;
  createdAtMs: number;
  /** What an operator has recorded with its UTR as a transfer of somebody else. */
  recordedPaise?: number | null;
}

/** An item of a settlement; `settlementId` is null while it is not settled. */
export interface SettlementItem {
  entityId: string;
  settlementId: string | null;
  /** `payment`, `refund`, `adjustment` and others. */
  type: string;
  debitPaise: number;
  creditPaise: number;
  amountPaise: number;
  /** Includes its GST. */
  feePaise: number;
  taxPaise: number;
  onHold: boolean;
  /** The bank returned its settlement, so it moved nothing. */
  isReturned: boolean;
  /** It also is in another settlement, which the bank took. */
  isSettledAgain: boolean;
  paymentId: string | null;
  disputeId: string | null;
  atMs: number;
}

/** A captured payment of the portal; fee and tax as the provider named them with the payment. */
export interface SettledPayment {
  id: string;
  amountPaise: number;
  feePaise: number | null;
  taxPaise: number | null;
  capturedAtMs: number;
}

/** A refund that the provider has paid out, by the provider's id. */
export interface SettledRefund {
  id: string;
  amountPaise: number;
  paidAtMs: number;
}

/** A dispute that has ended; `deductedPaise` is 0 unless it was lost. */
export interface SettledDispute {
  id: string;
  deductedPaise: number;
  endedAtMs: number;
}

export const differenceKinds = [
  'NOT_SETTLED',
  'ON_HOLD',
  'AMOUNT_DIFFERS',
  'FEE_DIFFERS',
  'SETTLED_TWICE',
  'UNKNOWN_PAYMENT',
  'UNKNOWN_REFUND',
  'UNKNOWN_ADJUSTMENT',
  'REFUND_NOT_DEBITED',
  'DISPUTE_DIFFERS',
  'SUM_DIFFERS',
  'SETTLEMENT_FAILED',
  'NUMBER_RECORDED',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Something in which the provider's settlements and the portal's books differ. */
export interface Difference {
  kind: DifferenceKind;
  /** The payment, refund, dispute, settlement or item that it is about, by the provider's id. */
  id: string;
  settlementId: string | null;
  /** What the portal expects, and what the provider says. */
  expectedPaise: number;
  foundPaise: number;
  atMs: number;
}

/**
 * What is compared. Each of the objects is judged by itself, so they may come in batches, if every batch has all items of its payments, refunds,
 * disputes and settlements.
 */
export interface SettlementFacts {
  payments: readonly SettledPayment[];
  refunds: readonly SettledRefund[];
  disputes: readonly SettledDispute[];
  settlements: readonly Settlement[];
  items: readonly SettlementItem[];
  /** Payments and refunds of the portal among the items, besides those above. */
  knownIds: ReadonlySet<string>;
  nowMs: number;
  /** When the latest settlement of all that was paid out was made: nothing can be debited before there is one. */
  lastSettlementMs: number;
  /** After this time a payment must be settled, and a refund or dispute debited from a settlement that is made later. */
  graceMs: number;
}

/** All differences, those of the earliest objects first. */
export function differencesOf(facts: SettlementFacts): Difference[] {
  const standing = facts.items.filter(({ isReturned }) => !isReturned);
  const byEntity = groupBy(standing, (item) => item.entityId);
  const byDispute = groupBy(
    standing.filter((item) => item.disputeId !== null),
    (item) => item.disputeId ?? '',
  );
  const bySettlement = groupBy(facts.items, (item) => item.settlementId);
  const isLate = (sinceMs: number): boolean => facts.nowMs - sinceMs > facts.graceMs;
  const isDebitLate = (sinceMs: number): boolean => facts.lastSettlementMs - sinceMs > facts.graceMs;
  return [
    ...facts.payments.flatMap((payment) =>
      ofPayment(payment, byEntity.get(payment.id) ?? [], isLate(payment.capturedAtMs)),
    ),
    ...facts.refunds.flatMap((refund) => ofRefund(refund, byEntity.get(refund.id) ?? [], isDebitLate(refund.paidAtMs))),
    ...facts.disputes
      .filter((dispute) => isDebitLate(dispute.endedAtMs))
      .flatMap((dispute) => ofDispute(dispute, byDispute.get(dispute.id) ?? [])),
    ...facts.settlements.flatMap((settlement) => ofSettlement(settlement, bySettlement.get(settlement.id) ?? [])),
    ...unknownItems(facts, standing),
  ].toSorted((a, b) => a.atMs - b.atMs);
}

const settledOf = (items: readonly SettlementItem[]) => items.filter(({ settlementId }) => settlementId !== null);

function ofPayment(payment: SettledPayment, items: readonly SettlementItem[], isLate: boolean): Difference[] {
  const { id, amountPaise, feePaise, taxPaise, capturedAtMs: atMs } = payment;
  const settled = settledOf(items);
  if (settled.length === 0) {
    if (!isLate) return [];
    const kind = items.some(({ onHold }) => onHold) ? 'ON_HOLD' : 'NOT_SETTLED';
    return [{ kind, id, settlementId: null, expectedPaise: amountPaise, foundPaise: 0, atMs }];
  }
  const [first, ...others] = settled;
  const twice = others.map(({ settlementId, amountPaise: foundPaise }) => ({
    kind: 'SETTLED_TWICE' as const,
    id,
    settlementId,
    expectedPaise: 0,
    foundPaise,
    atMs,
  }));
  if (!first) return twice;
  const { settlementId } = first;
  const about = { id, settlementId, atMs };
  const paidPaise = first.creditPaise - first.debitPaise + first.feePaise;
  const differences: Difference[] = [];
  if (first.amountPaise !== amountPaise || paidPaise !== amountPaise) {
    const foundPaise = paidPaise === amountPaise ? first.amountPaise : paidPaise;
    differences.push({ ...about, kind: 'AMOUNT_DIFFERS', expectedPaise: amountPaise, foundPaise });
  }
  if (feePaise !== null && feePaise !== first.feePaise) {
    differences.push({ ...about, kind: 'FEE_DIFFERS', expectedPaise: feePaise, foundPaise: first.feePaise });
  } else if (taxPaise !== null && taxPaise !== first.taxPaise) {
    differences.push({ ...about, kind: 'FEE_DIFFERS', expectedPaise: taxPaise, foundPaise: first.taxPaise });
  }
  return [...differences, ...twice];
}

function ofRefund(refund: SettledRefund, items: readonly SettlementItem[], isLate: boolean): Difference[] {
  const { id, amountPaise: expectedPaise, paidAtMs: atMs } = refund;
  const settled = settledOf(items);
  if (settled.length === 0)
    return isLate ? [{ kind: 'REFUND_NOT_DEBITED', id, settlementId: null, expectedPaise, foundPaise: 0, atMs }] : [];
  const foundPaise = settled.reduce((sum, item) => sum + item.debitPaise - item.creditPaise - item.feePaise, 0);
  if (foundPaise === expectedPaise) return [];
  const kind = settled.length > 1 ? 'SETTLED_TWICE' : 'AMOUNT_DIFFERS';
  return [{ kind, id, settlementId: settled[0]?.settlementId ?? null, expectedPaise, foundPaise, atMs }];
}

function ofDispute(dispute: SettledDispute, items: readonly SettlementItem[]): Difference[] {
  const { id, deductedPaise: expectedPaise, endedAtMs: atMs } = dispute;
  const settled = settledOf(items);
  const foundPaise = settled.reduce((sum, item) => sum + item.debitPaise - item.creditPaise, 0);
  if (foundPaise === expectedPaise) return [];
  const settlementId = settled[0]?.settlementId ?? null;
  return [{ kind: 'DISPUTE_DIFFERS', id, settlementId, expectedPaise, foundPaise, atMs }];
}

function ofSettlement(settlement: Settlement, items: readonly SettlementItem[]): Difference[] {
  const { id, amountPaise: foundPaise, createdAtMs: atMs } = settlement;
  if (settlement.status === 'created') return [];
  const expectedPaise = items.reduce((sum, item) => sum + item.creditPaise - item.debitPaise, 0);
  const about = { id, settlementId: id, foundPaise, atMs };
  const isPaidAgain = foundPaise === expectedPaise && items.every(({ isSettledAgain }) => isSettledAgain);
  if (settlement.status === 'failed')
    return isPaidAgain ? [] : [{ ...about, kind: 'SETTLEMENT_FAILED', expectedPaise: foundPaise }];
  const { recordedPaise = null } = settlement;
  const differences: Difference[] =
    foundPaise === expectedPaise ? [] : [{ ...about, kind: 'SUM_DIFFERS', expectedPaise }];
  return recordedPaise === null
    ? differences
    : [...differences, { ...about, kind: 'NUMBER_RECORDED', expectedPaise: recordedPaise }];
}

/** Items about nothing that the portal knows. An adjustment is known by its payment or its dispute. */
function unknownItems(facts: SettlementFacts, items: readonly SettlementItem[]): Difference[] {
  const known = new Set([
    ...facts.knownIds,
    ...[facts.payments, facts.refunds, facts.disputes].flatMap((list) => list.map(({ id }) => id)),
  ]);
  const settled = settledOf(items);
  const returned = new Set(
    settled.filter(({ type }) => type === 'adjustment').map((item) => `${item.paymentId} ${item.creditPaise}`),
  );
  const isKnown = ({ entityId, type, paymentId, disputeId, debitPaise }: SettlementItem): boolean => {
    if (known.has(entityId)) return true;
    if (type === 'payment' || paymentId === null) return disputeId !== null && known.has(disputeId);
    // A refund that a bank returned is debited and credited again; the portal repeats it with another id.
    return known.has(paymentId) && (type !== 'refund' || returned.has(`${paymentId} ${debitPaise}`));
  };
  const kinds: Readonly<Record<string, DifferenceKind>> = { payment: 'UNKNOWN_PAYMENT', refund: 'UNKNOWN_REFUND' };
  return settled.flatMap((item) => {
    const { entityId: id, settlementId, atMs } = item;
    const kind = kinds[item.type];
    if (isKnown(item)) return [];
    const foundPaise = item.creditPaise - item.debitPaise;
    return [{ kind: kind ?? 'UNKNOWN_ADJUSTMENT', id, settlementId, expectedPaise: 0, foundPaise, atMs }];
  });
}
