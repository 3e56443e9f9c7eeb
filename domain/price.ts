import type { PlanTerms } from '#domain/plan.ts';
import { splitExclusive, splitInclusive } from '#domain/tax-split.ts';

/** What a plan costs in paise: the total that is paid, and what of it is taxable value and GST. They add up. */
export interface Price {
  totalPaise: number;
  taxablePaise: number;
  gstPaise: number;
}

/**
 * The price of a plan, GST included or added as the catalogue says (product §6.1). It is the same wherever the customer sits: the
 * invoice works back from the total, and what the halves of CGST and SGST miss to the paisa is its round-off line.
 * `zeroRated`: no tax is charged to this buyer (export or SEZ under a letter of undertaking, IGST Act s.16). Nothing is then
 * added to an exclusive price; an inclusive price stays what it is, all of it taxable value.
 */
export function priceOf(plan: Pick<PlanTerms, 'pricePaise' | 'tax' | 'gstRateBasisPoints'>, zeroRated: boolean): Price {
  const split = plan.tax === 'inclusive' ? splitInclusive : splitExclusive;
  const { totalPaise, taxablePaise } = split(plan.pricePaise, plan.gstRateBasisPoints, zeroRated ? 'NONE' : 'IGST');
  return { totalPaise, taxablePaise, gstPaise: totalPaise - taxablePaise };
}
