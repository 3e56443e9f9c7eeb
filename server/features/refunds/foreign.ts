import type { Tx } from '#shared/database/connect.ts';
import { planForeign, unpaidOf, wholeCycles } from '#shared/domain/foreign-refund.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { moveRefund, startRefund } from './refund-writer.ts';
import {
  factsOf,
  keyOfRow,
  lockRefund,
  lockRefundsOfMoney,
  paidOutOfMoney,
  type RefundRow,
  selectCashLeftOfBill,
  selectRefundsOfPayment,
  selectUnproved,
} from './store.ts';

/** Money of a payment that was refunded at the provider without the portal. */
export interface ForeignRefund {
  origin: 'PROVIDER' | 'DISPUTE';
  /** The provider's id of the refund or of the lost dispute. */
  id: string;
  /** The plan that it was made for, where this portal requested it before its database was restored from a backup. */
  cycleId?: string | undefined;
  /** What this portal requested it for then, where that has books of its own. */
  lostOrigin?: 'CORRECTION' | 'TDS' | undefined;
  amountPaise: number;
  reason: string;
  /** Has the money been paid out? Otherwise the provider is polled until it has. */
  isPaid: boolean;
}

interface CapturedPayment {
  id: string;
  currency: string;
  use: 'CYCLE' | 'DUE' | 'REFUND';
  /** What was paid for each period, in the order in which money refunded elsewhere is taken from them. */
  periods: { cycleId: string; paidPaise: number }[];
}

/**
 * Books money that was refunded elsewhere, once per id (`planForeign`). Requires the activation's lock. Returns the cycles whose whole price has
 * been refunded by now, and how much of this exceeds the price.
 */
export async function bookForeignRefund(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  payment: CapturedPayment,
  foreign: ForeignRefund,
): Promise<{ wholeIds: Set<string>; lossPaise: number }> {
  // Locked, since a response of the provider is recorded without the activation's lock.
  const rows = await lockRefundsOfMoney(tx, payment.id);
  const periods =
    payment.use === 'DUE'
      ? [await ofBill(tx, payment, rows, foreign)]
      : await Promise.all(
          payment.periods.map(async (period) => ({
            ...period,
            unprovedPaise: await selectUnproved(tx, period.cycleId),
          })),
        );
  const earlier = rows.filter((refund) => refund.foreign_id === foreign.id);
  if (earlier.length > 0) {
    const lossPaise = earlier.reduce(
      (left, refund) => left - refund.amount_paise + refund.withheld_paise,
      foreign.amountPaise,
    );
    return { wholeIds: wholeCycles({ periods, refunds: rows.map(factsOf) }), lossPaise };
  }
  const { id: foreignId, origin, reason, amountPaise, lostOrigin } = foreign;
  const plan = planForeign(
    { periods, refunds: rows.map(factsOf) },
    { amountPaise, isLossNoted: foreign.origin === 'DISPUTE', cycleId: foreign.cycleId },
  );
  portal.log.error(
    { paymentId: payment.id, origin, foreignId, amountPaise, ...plan },
    'a payment was refunded at the payment provider, not through the portal',
  );
  for (const { cycleId, duePaise, coversPaise, lossPaise, covered, ...share } of plan.shares) {
    for (const { refundId, paise } of covered) {
      const fault = await moveRefund(portal, tx, await lockRefund(tx, refundId), { type: 'covered', paise });
      if (typeof fault === 'string') throw new Error(`refund ${refundId} can't be covered: ${fault}`);
    }
    const isOfLost = cycleId === foreign.cycleId && coversPaise === 0 && lossPaise === 0;
    const isOfTax = isOfLost && lostOrigin !== undefined;
    const withheldPaise = isOfTax ? 0 : share.withheldPaise;
    const refund = await startRefund(portal, owner, tx, {
      origin: isOfTax ? lostOrigin : origin,
      foreignId,
      paymentId: payment.id,
      cycleId,
      amountPaise: duePaise + withheldPaise,
      withheldPaise,
      coversPaise,
      lossPaise,
      reason,
      currency: payment.currency,
      from: payment.use,
    });
    const { provider_refund_id: providerRefundId } = refund;
    const report = { type: 'reported', key: keyOfRow(refund), status: 'processed', providerRefundId } as const;
    if (foreign.isPaid) await moveRefund(portal, tx, refund, report);
  }
  const after = await selectRefundsOfPayment(tx, payment.id);
  return { wholeIds: wholeCycles({ periods, refunds: after.map(factsOf) }), lossPaise: plan.lossPaise };
}

/** What paid a bill on credit terms: refunds of its price are of the promise, and so what may go back is what of the bill's money has not yet. */
async function ofBill(
  tx: Tx,
  { id, periods: [period] }: CapturedPayment,
  rows: readonly RefundRow[],
  { amountPaise }: ForeignRefund,
) {
  if (!period) throw new Error(`payment ${id} is of no bill`);
  const covered = Math.min(amountPaise, unpaidOf(rows.map(factsOf)));
  const ownPaise = period.paidPaise - paidOutOfMoney(rows.filter((row) => row.payment_id === id)) - covered;
  return { ...period, leftPaise: Math.max(0, Math.min(ownPaise, await selectCashLeftOfBill(tx, period.cycleId))) };
}
