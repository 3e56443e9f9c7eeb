import type { Tx } from '#shared/database/connect.ts';
import { type Day, dayOf, laterDay } from '#shared/domain/day.ts';
import { rateOn } from '#shared/domain/gst-rate.ts';
import { type Price, priceOf } from '#shared/domain/price.ts';
import { splitInclusive, type TaxSplit } from '#shared/domain/tax-split.ts';
import { type Buyer, type Issuer, readBuyer } from '#server/features/documents/documents.ts';
import type { Owner } from '#server/portal.ts';
import type { CycleRow } from './store.ts';

/** The price that an order made today asks for an unpaid cycle: at the tax rate of the day on which the cycle starts. */
export function priceFor(buyer: Buyer, cycle: Pick<CycleRow, 'plan' | 'service_id' | 'from_date'>, today: Day): Price {
  const { plan, service_id: serviceId, from_date: fromDate } = cycle;
  const rates = buyer.ratesOf(serviceId, plan.gstRateBasisPoints);
  const suppliedOn = laterDay(today, fromDate);
  return priceOf({ ...plan, gstRateBasisPoints: rateOn(rates, suppliedOn) }, buyer.isZeroRatedOn(suppliedOn));
}

/** The taxes of that price as its document would have them today; undefined until the buyer's place of supply is known. */
export function splitFor(
  buyer: Buyer,
  cycle: Pick<CycleRow, 'plan' | 'service_id' | 'from_date'>,
  today: Day,
): TaxSplit | undefined {
  const suppliedOn = laterDay(today, cycle.from_date);
  const tax = buyer.taxOn(suppliedOn);
  const rate = rateOn(buyer.ratesOf(cycle.service_id, cycle.plan.gstRateBasisPoints), suppliedOn);
  return tax && splitInclusive(priceFor(buyer, cycle, today).totalPaise, rate, tax);
}

/** The price in paise, for the owner's current business profile. Requires the activation's lock. */
export async function priceDue(portal: Issuer, owner: Owner, tx: Tx, cycle: CycleRow): Promise<number> {
  return priceFor(await readBuyer(portal, owner, tx), cycle, dayOf(portal.clock())).totalPaise;
}
