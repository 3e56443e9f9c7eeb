import type { Day } from '#shared/domain/day.ts';

/** A GST rate in hundredths of a percent, and the first day on which it applies (IST). */
export interface DatedRate {
  from: Day;
  basisPoints: number;
}

/** The rate in force on a day. `rates` are in the order of their days; the first also applies to every day before its own. */
export function rateOn(rates: readonly DatedRate[], day: Day): number {
  const rate = rates.findLast(({ from }) => from <= day) ?? rates[0];
  if (!rate) throw new RangeError('a service has at least one GST rate');
  return rate.basisPoints;
}

/** The three days that determine the rate of a supply. */
export interface SupplyDays {
  /** The service starts on this day. */
  suppliedOn: Day;
  invoicedOn: Day;
  paidOn: Day;
}

/**
 * The first change of the rate between an invoice and the supply that follows it; undefined where the rate is the same whenever it is paid. The middle one of
 * the three days (`rateOfSupply`) lies between these two, so no other change decides anything.
 */
export function changeBetween(
  rates: readonly DatedRate[],
  { invoicedOn, suppliedOn }: Pick<SupplyDays, 'invoicedOn' | 'suppliedOn'>,
): Day | undefined {
  const now = rateOn(rates, invoicedOn);
  return rates.find(({ from, basisPoints }) => from > invoicedOn && from <= suppliedOn && basisPoints !== now)?.from;
}

/**
 * The rate of a supply, by its time of supply around a change of rate (CGST Act, section 14). Of supply, invoice and
 * payment, the two that lie on the same side of the change decide. Clause (a), supplied before: (i) invoice and payment
 * after: the new rate; (ii) invoice before, (iii) payment before: the old rate. Clause (b), supplied after: (i) payment
 * after, (iii) invoice after: the new rate; (ii) invoice and payment before: the old rate. So it is the rate on the
 * middle one of the three days, however often the rate changed between them.
 */
export function rateOfSupply(rates: readonly DatedRate[], days: SupplyDays): number {
  const [, middle = days.suppliedOn] = [days.suppliedOn, days.invoicedOn, days.paidOn].toSorted();
  return rateOn(rates, middle);
}
