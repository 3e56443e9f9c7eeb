import type { PlanTerms } from '#shared/domain/plan.ts';
import { splitExclusive, splitInclusive } from '#shared/domain/tax-split.ts';

/** The price of a plan in paise: the total to pay, and its taxable value and GST, which add up to it. */
export interface Price {
  totalPaise: number;
  taxablePaise: number;
  gstPaise: number;
}

/**
 * The price of a plan, with GST included or added as the catalogue says (product §6.1). It is the same for every
 * customer: the invoice works back from the total, and its round-off line takes the difference of a paisa that CGST and
 * SGST may leave. `zeroRated`: no tax is charged to this buyer (export or SEZ under a letter of undertaking, IGST Act
 * s.16). Nothing is then added to an exclusive price; an inclusive price stays the same, all of it taxable value.
 */
export function priceOf(plan: Pick<PlanTerms, 'pricePaise' | 'tax' | 'gstRateBasisPoints'>, zeroRated: boolean): Price {
  const split = plan.tax === 'inclusive' ? splitInclusive : splitExclusive;
  const { totalPaise, taxablePaise } = split(plan.pricePaise, plan.gstRateBasisPoints, zeroRated ? 'NONE' : 'IGST');
  return { totalPaise, taxablePaise, gstPaise: totalPaise - taxablePaise };
}
