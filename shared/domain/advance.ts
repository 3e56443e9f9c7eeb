import type { PlanTerms } from '#shared/domain/plan.ts';
import { priceOf } from '#shared/domain/price.ts';

/**
 * How much of an advance is tax that is no longer due when the invoice is issued, in paise. With a price to which tax is added, the contract
 * is over the taxable value, and the customer owes the tax of the time of supply (CGST Act s.14), which is lower when the rate fell or the
 * buyer became zero-rated. The excess goes back with a refund voucher (s.31(3)(e), Rule 51), as section 171 demands of a lower rate. A
 * price that includes tax is the same for everyone, so nothing goes back; nor does a higher tax make the customer owe more. Of an
 * advance that was partly refunded, the same share of what is left goes back, rounded up: never a paisa too little.
 */
export function excessOfAdvance(advance: {
  plan: Pick<PlanTerms, 'pricePaise' | 'tax'>;
  paidPaise: number;
  /** What is left of it. */
  heldPaise: number;
  /** At the time of supply. */
  gstRateBasisPoints: number;
  zeroRated: boolean;
}): number {
  const { plan, paidPaise, heldPaise, gstRateBasisPoints, zeroRated } = advance;
  if (plan.tax === 'inclusive') return 0;
  const duePaise = priceOf({ ...plan, gstRateBasisPoints }, zeroRated).totalPaise;
  if (duePaise >= paidPaise) return 0;
  const product = BigInt(heldPaise) * BigInt(duePaise);
  return heldPaise - Number(product / BigInt(paidPaise));
}

/** The origins of refunds of tax that was paid and is not due: of an advance before its invoice, and by the correction of an invoice. */
export const excessOrigins = ['EXCESS_TAX', 'CORRECTION'] as const;

/**
 * The total of the invoice that replaces another one, in paise; undefined when more is due than was paid, so that it can't be replaced. Only
 * whether tax is charged decides: with a price to which tax is added, the contract is over the taxable value, as for an advance. The money that was
 * paid as tax goes back when none is due, and is never price; what was not paid as tax is not taken out of the price (CGST Act s.15, s.76).
 */
export function totalOfReplacement(invoice: {
  plan: Pick<PlanTerms, 'pricePaise' | 'tax'>;
  /** The price that was paid for the whole plan, less tax that was refunded because it was not due. */
  paidPaise: number;
  /** What the invoice to replace is over, less what was credited of it. */
  heldPaise: number;
  gstRateBasisPoints: number;
  wasZeroRated: boolean;
  zeroRated: boolean;
}): number | undefined {
  const { plan, paidPaise, heldPaise, gstRateBasisPoints, wasZeroRated, zeroRated } = invoice;
  if (plan.tax === 'inclusive' || wasZeroRated === zeroRated) return heldPaise;
  if (zeroRated) return heldPaise - excessOfAdvance(invoice);
  return priceOf({ ...plan, gstRateBasisPoints }, false).totalPaise > paidPaise ? undefined : heldPaise;
}
