import type { PlanTerms } from '#domain/plan.ts';
import { priceOf } from '#domain/price.ts';

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
