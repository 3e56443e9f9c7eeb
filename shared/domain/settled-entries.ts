import type { About, Account, LedgerEntry } from '#shared/domain/ledger.ts';

/** The entries of the ledger that settlements make. */

/** What a settlement pays for one item: credit less debit, after a fee that includes its GST. */
export interface SettledItem {
  entityId: string;
  settlementId: string;
  debitPaise: number;
  creditPaise: number;
  feePaise: number;
  taxPaise: number;
}

/**
 * An item of a settlement: its net amount is in the bank, the rest is the provider's fee and the GST on it. `about`: the payment; without one the
 * money is unmatched. Undefined when the item moves no money.
 */
export function entryOfSettled(about: About | { currency: string }, item: SettledItem): LedgerEntry | undefined {
  const netPaise = item.creditPaise - item.debitPaise;
  const paymentId = 'paymentId' in about ? about.paymentId : null;
  const amounts: [Account, number][] = [
    ['bank', netPaise],
    ['fees', item.feePaise - item.taxPaise],
    ['input_tax', item.taxPaise],
    [paymentId === null ? 'unmatched' : 'provider', -netPaise - item.feePaise],
  ];
  const lines = amounts.flatMap(([account, amountPaise]) => (amountPaise === 0 ? [] : [{ account, amountPaise }]));
  if (lines.length === 0) return undefined;
  return {
    id: `settled:${item.settlementId}:${item.entityId}`,
    kind: 'SETTLED',
    paymentId,
    refundId: null,
    cycleId: 'cycleId' in about ? about.cycleId : null,
    customerId: 'customerId' in about ? about.customerId : null,
    currency: about.currency,
    lines,
  };
}

/** The bank returned a settlement: an item's money is with the provider again. Undefined when it moved none. */
export function entryOfFailedSettlement(
  about: About | { currency: string },
  item: SettledItem,
): LedgerEntry | undefined {
  const settled = entryOfSettled(about, item);
  return (
    settled && {
      ...settled,
      id: `failed:${item.settlementId}:${item.entityId}`,
      kind: 'SETTLEMENT_FAILED',
      lines: settled.lines.map(({ account, amountPaise }) => ({ account, amountPaise: -amountPaise })),
    }
  );
}
