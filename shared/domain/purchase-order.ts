import type { Day } from '#shared/domain/day.ts';

/** A purchase order of the buyer: at most 16 letters, digits, - and /. */
export interface PurchaseOrder {
  number: string;
  date: Day | null;
}

/** What a payment order names: null, nothing of its own; '', none on purpose. */
export interface OrderedName {
  number: string | null;
  date: Day | null;
}

/** The purchase order that a sale names: what its payment order says, otherwise that of the business details (product §4.20). */
export function purchaseOrderOfSale(
  { number, date }: OrderedName,
  ofProfile: PurchaseOrder | undefined,
): PurchaseOrder | undefined {
  if (number === null) return ofProfile;
  return number === '' ? undefined : { number, date };
}
