import { parseGstin } from '#shared/domain/gstin.ts';
import { currentPlaceOfSupply, otherCountriesCode, type State } from '#shared/domain/states.ts';
import type { TaxKind } from '#shared/domain/tax-split.ts';

/**
 * The recipient of the supply. `sez`: the GSTIN belongs to a unit or developer of a Special Economic Zone, which the
 * number itself does not show. `underLut`: the supplier has a letter of undertaking and supplies without paying tax.
 */
export type Recipient =
  | { kind: 'registered'; gstin: string; sez?: boolean; underLut?: boolean }
  | { kind: 'unregistered'; stateCode?: string }
  | { kind: 'overseas'; underLut: boolean };

/** Kinds of supply as e-invoices abbreviate them; WP with payment of tax, WOP without (under LUT). */
export type SupplyType = 'B2B' | 'B2C' | 'SEZWP' | 'SEZWOP' | 'EXPWP' | 'EXPWOP';

/**
 * - `state_required`: the recipient is not registered and gave no State (Circular 242/36/2024-GST, Rule 46(f) proviso)
 * - `state_unknown`: the code is no place of supply in India today
 * - `gstin_invalid`: the recipient's GSTIN fails its own check
 * - `supplier_state_unknown`: the supplier's code is no place of supply today
 */
export type PlaceOfSupplyRefusal = 'state_required' | 'state_unknown' | 'gstin_invalid' | 'supplier_state_unknown';

export type TaxDecision =
  | {
      ok: true;
      placeOfSupply: string;
      placeOfSupplyName: string;
      tax: TaxKind;
      interState: boolean;
      supplyType: SupplyType;
    }
  | { ok: false; refusal: PlaceOfSupplyRefusal };

/**
 * Determines the place of supply of a service and its taxes. Sources: IGST Act s.12(2) (place: the recipient's
 * location), s.7(3), s.7(5) and s.8 (inter-State or not; exports and SEZ supplies always are), s.16 (zero rating under
 * LUT), UTGST Act (UTGST in place of SGST).
 */
export function decideTax(supply: { supplierStateCode: string; recipient: Recipient }): TaxDecision {
  const supplier = currentPlaceOfSupply(supply.supplierStateCode);
  if (supplier === undefined || supplier.code === otherCountriesCode) {
    return { ok: false, refusal: 'supplier_state_unknown' };
  }
  const { recipient } = supply;
  if (recipient.kind === 'overseas') return decideExport(otherCountriesCode, recipient.underLut, 'EXPWOP', 'EXPWP');
  if (recipient.kind === 'unregistered') {
    return recipient.stateCode === undefined || recipient.stateCode === ''
      ? { ok: false, refusal: 'state_required' }
      : decideInside(supplier, recipient.stateCode, 'B2C');
  }
  const parsed = parseGstin(recipient.gstin);
  if (!parsed.valid) return { ok: false, refusal: 'gstin_invalid' };
  return recipient.sez === true
    ? decideExport(parsed.stateCode, recipient.underLut === true, 'SEZWOP', 'SEZWP')
    : decideInside(supplier, parsed.stateCode, 'B2B');
}

/** Exports and supplies to an SEZ: always inter-State, and without tax under an LUT. */
function decideExport(placeCode: string, underLut: boolean, without: SupplyType, withTax: SupplyType): TaxDecision {
  const place = currentPlaceOfSupply(placeCode);
  if (place === undefined) return { ok: false, refusal: 'state_unknown' };
  return interState(place, underLut ? 'NONE' : 'IGST', underLut ? without : withTax);
}

function decideInside(supplier: State, placeCode: string, supplyType: SupplyType): TaxDecision {
  const place = currentPlaceOfSupply(placeCode);
  if (place === undefined || place.code === otherCountriesCode) return { ok: false, refusal: 'state_unknown' };
  if (place.code !== supplier.code) return interState(place, 'IGST', supplyType);
  return {
    ok: true,
    placeOfSupply: place.code,
    placeOfSupplyName: place.name,
    tax: place.utgst ? 'CGST_UTGST' : 'CGST_SGST',
    interState: false,
    supplyType,
  };
}

function interState(place: State, tax: TaxKind, supplyType: SupplyType): TaxDecision {
  const { code: placeOfSupply, name: placeOfSupplyName } = place;
  return { ok: true, placeOfSupply, placeOfSupplyName, tax, interState: true, supplyType };
}
