import { formatRupees } from '#shared/domain/money.ts';
import { unprintableFault } from '#shared/domain/printable.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import { requireNotRefundedElsewhere, type selectRefundsOfPayment } from '#server/features/refunds/refunds.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

type Refund = Awaited<ReturnType<typeof selectRefundsOfPayment>>[number];

const onOneLine = (reason: string): string => reason.trim().replaceAll(/\s+/g, ' ');

/** The reason as it stands on the credit note. */
export function reasonOf({ reason }: OperatorCause): string {
  const text = onOneLine(reason);
  const fault = text === '' || text.length > 200 ? 'Give a reason of at most 200 characters' : unprintableFault(text);
  if (fault !== undefined) throw new OperatorRefusal(`${fault}. It stands on the credit note.`, 'invalid_request');
  return text;
}

export const isSameRefund = (refund: Refund, reason: string): boolean =>
  refund.origin === 'OPERATOR' && refund.reason === onOneLine(reason);

/** What the customer gets by it. */
export const cashOf = (refund: Pick<Refund, 'amount_paise' | 'withheld_paise'>): number =>
  refund.amount_paise - refund.withheld_paise;

/** The rest of a plan may be the same amount as a part before it; the reason tells them apart, also for the database. */
export function requireNewReason(
  cycleId: string,
  refundsOfPayment: readonly Refund[],
  { amountPaise, reason }: { amountPaise: number; reason: string },
): void {
  const same = refundsOfPayment.find(
    (each) => each.cycle_id === cycleId && isSameRefund(each, reason) && cashOf(each) === amountPaise,
  );
  if (same)
    throw new OperatorRefusal(
      `${formatRupees(amountPaise)} of ${cycleId} was refunded for this reason before (${same.id}), so nothing was done. Give another reason to refund as much again.`,
    );
  requireNotRefundedElsewhere(refundsOfPayment, { cycleId, amountPaise, reason });
}
