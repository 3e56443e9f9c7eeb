import type { Db, Tx } from '#database/connect.ts';
import type { Day } from '#domain/day.ts';
import type { DatedRate } from '#domain/gst-rate.ts';
import { readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { isZeroRated } from './content.ts';

/** What the price depends on besides the plan. Without a business profile tax is charged; the profile is required before the first payment. */
export interface Buyer {
  isZeroRatedOn: (suppliedOn: Day) => boolean;
  /** The GST rates of a service; for one that left the catalogue, the rate at which it was sold. */
  ratesOf: (serviceId: string, soldAtBasisPoints: number) => readonly DatedRate[];
}

export async function readBuyer(portal: Portal, caller: Caller, db: Db | Tx): Promise<Buyer> {
  const profile = await readProvenProfile(caller, db);
  return {
    isZeroRatedOn: (suppliedOn) => profile !== undefined && isZeroRated(portal.settings, profile, suppliedOn),
    ratesOf: (serviceId, soldAtBasisPoints) => ratesOf(portal, serviceId, soldAtBasisPoints),
  };
}

/** The GST rates of a service; for one that left the catalogue, the rate at which it was sold. */
export function ratesOf(portal: Portal, serviceId: string, soldAtBasisPoints: number): readonly DatedRate[] {
  return portal.catalog.find(serviceId)?.gstRates ?? [{ from: '2017-07-01', basisPoints: soldAtBasisPoints }];
}
