import { formatRupees } from '#shared/domain/money.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import type { RefundRow } from './store.ts';

/** Refunded at Razorpay, as far as these books know without the portal; no dispute. */
const isForeign = ({ foreign_id: id, origin, status }: RefundRow): boolean =>
  id !== null && origin !== 'DISPUTE' && status !== 'FAILED';

/** Known as a correction or TDS of one plan, from what the portal noted at Razorpay: it is no refund of the others. */
const isOfOtherPlan = ({ origin, cycle_id: id }: RefundRow, cycleId: string): boolean =>
  (origin === 'CORRECTION' || origin === 'TDS') && id !== cycleId;

/**
 * Throws when Razorpay has refunded as much of the payment already, and the reason doesn't name that refund: this portal may have made it, before
 * its database was restored from a backup. It may be booked on other plans of the payment than it was made for, and partly as paying what these books
 * promised: neither the whole is repeated nor the rest. One that paid promises alone made nothing due. The database holds the same rule.
 */
export function requireNotRefundedElsewhere(
  refundsOfPayment: readonly RefundRow[],
  { cycleId, amountPaise, reason }: { cycleId: string; amountPaise: number; reason: string },
): void {
  for (const [id, parts] of groupBy(refundsOfPayment.filter(isForeign), (refund) => refund.foreign_id ?? '')) {
    if (parts.every((part) => isOfOtherPlan(part, cycleId))) continue;
    const paise = parts.reduce((sum, part) => sum + part.amount_paise - part.withheld_paise + part.loss_paise, 0);
    const unpromisedPaise = parts.reduce((left, part) => left - part.covers_paise, paise);
    const isAsMuch = unpromisedPaise > 0 && [paise, unpromisedPaise].includes(amountPaise);
    if (isAsMuch && !reason.includes(id))
      throw new OperatorRefusal(
        `Razorpay has refunded ${formatRupees(paise)} of this payment already (${id}), so nothing was done. Name it in the reason to refund ${formatRupees(amountPaise)} more.`,
      );
  }
}
