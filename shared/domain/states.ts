/**
 * The state codes of GST: the first two characters of a GSTIN, and the places of supply on an invoice.
 * Codes as the GST portal numbers them in 2026.
 */

/** One code. `usedAs`: as the beginning of a GSTIN, as a place of supply, or both. */
export type State = {
  /** Two digits, with the leading zero. */
  code: string;
  name: string;
  /** Supplies inside it bear UTGST instead of SGST (UTGST Act 2017, s.2(8): territories without a legislature). */
  utgst: boolean;
  usedAs: { gstin: boolean; placeOfSupply: boolean };
  /** Set when no new number is issued under the code; `successor` is null when it was split in two. */
  discontinued: { successor: string | null } | null;
};

const inForce = { gstin: true, placeOfSupply: true };

function state(code: string, name: string): State {
  return { code, name, utgst: false, usedAs: inForce, discontinued: null };
}

function territory(code: string, name: string): State {
  return { code, name, utgst: true, usedAs: inForce, discontinued: null };
}

function discontinued(code: string, name: string, successor: string | null): State {
  return {
    code,
    name,
    utgst: successor !== null,
    usedAs: { gstin: true, placeOfSupply: false },
    discontinued: { successor },
  };
}

/** Every code, including discontinued ones, in numeric order. */
export const states: readonly State[] = [
  state('01', 'Jammu and Kashmir'),
  state('02', 'Himachal Pradesh'),
  state('03', 'Punjab'),
  territory('04', 'Chandigarh'),
  state('05', 'Uttarakhand'),
  state('06', 'Haryana'),
  state('07', 'Delhi'),
  state('08', 'Rajasthan'),
  state('09', 'Uttar Pradesh'),
  state('10', 'Bihar'),
  state('11', 'Sikkim'),
  state('12', 'Arunachal Pradesh'),
  state('13', 'Nagaland'),
  state('14', 'Manipur'),
  state('15', 'Mizoram'),
  state('16', 'Tripura'),
  state('17', 'Meghalaya'),
  state('18', 'Assam'),
  state('19', 'West Bengal'),
  state('20', 'Jharkhand'),
  state('21', 'Odisha'),
  state('22', 'Chhattisgarh'),
  state('23', 'Madhya Pradesh'),
  state('24', 'Gujarat'),
  // Merged with Dadra and Nagar Haveli on 26 January 2020.
  discontinued('25', 'Daman and Diu (before the merger)', '26'),
  territory('26', 'Dadra and Nagar Haveli and Daman and Diu'),
  state('27', 'Maharashtra'),
  // Split into Telangana (36) and Andhra Pradesh (37): the old code alone does not say which.
  discontinued('28', 'Andhra Pradesh (before bifurcation)', null),
  state('29', 'Karnataka'),
  state('30', 'Goa'),
  territory('31', 'Lakshadweep'),
  state('32', 'Kerala'),
  state('33', 'Tamil Nadu'),
  state('34', 'Puducherry'),
  territory('35', 'Andaman and Nicobar Islands'),
  state('36', 'Telangana'),
  state('37', 'Andhra Pradesh'),
  territory('38', 'Ladakh'),
  { ...state('96', 'Other Countries'), usedAs: { gstin: false, placeOfSupply: true } },
  territory('97', 'Other Territory'),
  // Non-resident online services and UN bodies are registered with the Centre, which is not a place of supply.
  { ...state('99', 'Centre Jurisdiction'), usedAs: { gstin: true, placeOfSupply: false } },
];

const byCode: ReadonlyMap<string, State> = new Map(states.map((each) => [each.code, each]));

/** The place of supply of an export (recipient outside India). */
export const otherCountriesCode = '96';

/** Places in India's waters beyond every State (IGST Act s.9, CGST Act s.2(56)). */
export const otherTerritoryCode = '97';

/** The state of a two-digit code, including discontinued ones; undefined for an unknown code. */
export function findState(code: string): State | undefined {
  return byCode.get(code);
}

/**
 * The States that a customer may choose: every place of supply inside India. Without discontinued codes, Other
 * Countries and the Centre.
 */
export function placeOfSupplyCandidates(): State[] {
  return states.filter((each) => each.usedAs.placeOfSupply && each.code !== otherCountriesCode);
}

/**
 * The code under which supplies to a place are taxed today: the code itself, or the one it was merged into. Undefined
 * when the code is not a place of supply (unknown, the Centre, or a state that was split).
 */
export function currentPlaceOfSupply(code: string): State | undefined {
  const found = byCode.get(code);
  if (found === undefined || found.usedAs.placeOfSupply) return found;
  return found.discontinued?.successor ? byCode.get(found.discontinued.successor) : undefined;
}
