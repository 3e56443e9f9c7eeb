import type { Db, Tx } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import type { DatedRate } from '#shared/domain/gst-rate.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import type { TaxKind } from '#shared/domain/tax-split.ts';
import { readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import type { Owner } from '#server/portal.ts';
import type { Issuer } from './issue.ts';
import { purchaseOrderOf, taxOf } from './content.ts';

/** What price and documents depend on besides the plan. Without a business profile tax is charged; the profile is required before the first payment. */
export interface Buyer {
  isZeroRatedOn: (suppliedOn: Day) => boolean;
  /** Undefined until the business details give a place of supply. */
  taxOn: (suppliedOn: Day) => TaxKind | undefined;
  /** The GST rates of a service; for one that left the catalogue, the rate at which it was sold. */
  ratesOf: (serviceId: string, soldAtBasisPoints: number) => readonly DatedRate[];
  /** It has a GSTIN. */
  isRegistered: boolean;
  /** That of the business details. */
  purchaseOrder: PurchaseOrder | undefined;
}

export async function readBuyer(
  portal: Pick<Issuer, 'catalog' | 'settings'>,
  owner: Owner,
  db: Db | Tx,
): Promise<Buyer> {
  const profile = await readProvenProfile(owner, db);
  const taxOn = (suppliedOn: Day) => profile && taxOf(portal.settings, profile, suppliedOn);
  return {
    isZeroRatedOn: (suppliedOn) => taxOn(suppliedOn) === 'NONE',
    taxOn,
    ratesOf: (serviceId, soldAtBasisPoints) => ratesOf(portal, serviceId, soldAtBasisPoints),
    isRegistered: typeof profile?.gstin === 'string',
    purchaseOrder: profile && purchaseOrderOf(profile),
  };
}

/** The GST rates of a service; for one that left the catalogue, the rate at which it was sold. */
export function ratesOf(
  portal: Pick<Issuer, 'catalog'>,
  serviceId: string,
  soldAtBasisPoints: number,
): readonly DatedRate[] {
  return portal.catalog.find(serviceId)?.gstRates ?? [{ from: '2017-07-01', basisPoints: soldAtBasisPoints }];
}
