/** The taxes of a supply. NONE: an export or a supply to an SEZ under a letter of undertaking. */
export type TaxKind = 'CGST_SGST' | 'CGST_UTGST' | 'IGST' | 'NONE';

/**
 * Integer paise. Always taxable + CGST + SGST + UTGST + IGST + roundOff = total. `roundOffPaise` is 0 for a
 * tax-exclusive price and at most one paisa, of either sign, for a tax-inclusive one.
 */
export type TaxSplit = {
  taxablePaise: number;
  cgstPaise: number;
  sgstPaise: number;
  utgstPaise: number;
  igstPaise: number;
  taxPaise: number;
  roundOffPaise: number;
  totalPaise: number;
};

/** The amounts of a document without the sum of its taxes, which follows from them. */
export type TaxAmounts = Omit<TaxSplit, 'taxPaise'>;

/** 100 % in basis points. A rate in basis points is whole even at 0.25 % (25). */
const whole = 10_000;

/** numerator / denominator to the nearest whole number, halves up. BigInt, since paise times basis points passes 2^53. */
function divideHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}

function assertWhole(name: string, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) {
    throw new RangeError(`${name} must be a whole number from 0 to ${most}, got ${value}.`);
  }
}

/** 10 lakh crore rupees: far above any invoice, and its sum with tax is still a safe integer. */
const mostPaise = 1_000_000_000_000_000;

function taxesOn(taxablePaise: number, rateBasisPoints: number, kind: TaxKind) {
  const product = BigInt(taxablePaise) * BigInt(rateBasisPoints);
  const none = { cgstPaise: 0, sgstPaise: 0, utgstPaise: 0, igstPaise: 0, taxPaise: 0 };
  if (kind === 'NONE') return none;
  if (kind === 'IGST') {
    const igstPaise = divideHalfUp(product, BigInt(whole));
    return { ...none, igstPaise, taxPaise: igstPaise };
  }
  // Each half is a tax of its own, at half the rate and rounded by itself, so the two are equal.
  const half = divideHalfUp(product, BigInt(2 * whole));
  const local = kind === 'CGST_UTGST' ? { utgstPaise: half } : { sgstPaise: half };
  return { ...none, cgstPaise: half, ...local, taxPaise: 2 * half };
}

/**
 * Tax on top of a taxable value in paise, at a rate in basis points (18 % is 1800, 0.25 % is 25), rounded half up.
 * Throws a RangeError for a negative, fractional or too large amount or rate.
 */
export function splitExclusive(taxablePaise: number, rateBasisPoints: number, kind: TaxKind): TaxSplit {
  assertWhole('taxablePaise', taxablePaise, mostPaise);
  assertWhole('rateBasisPoints', rateBasisPoints, whole);
  const taxes = taxesOn(taxablePaise, rateBasisPoints, kind);
  return { taxablePaise, ...taxes, roundOffPaise: 0, totalPaise: taxablePaise + taxes.taxPaise };
}

/**
 * Taxable value and tax of a tax-inclusive price in paise. The taxable value is price / (1 + rate), rounded half up;
 * the tax is computed on it as on any invoice, and the remaining difference is the round-off line (₹999 at 18 % in the
 * same State: 846.61 + 76.19 + 76.19 + 0.01). The total is exactly the price. With kind NONE there is no tax: the whole
 * price is the taxable value.
 */
export function splitInclusive(pricePaise: number, rateBasisPoints: number, kind: TaxKind): TaxSplit {
  assertWhole('pricePaise', pricePaise, mostPaise);
  assertWhole('rateBasisPoints', rateBasisPoints, whole);
  const taxedAtBasisPoints = kind === 'NONE' ? 0 : rateBasisPoints;
  const taxablePaise = divideHalfUp(BigInt(pricePaise) * BigInt(whole), BigInt(whole + taxedAtBasisPoints));
  const taxes = taxesOn(taxablePaise, rateBasisPoints, kind);
  return {
    taxablePaise,
    ...taxes,
    roundOffPaise: pricePaise - taxablePaise - taxes.taxPaise,
    totalPaise: pricePaise,
  };
}

/**
 * The amounts of a document that returns a part of another one: of its own total at the same rate, except that the last part takes exactly
 * what the parts before it left of the original, so that several parts never return more tax than was charged (CGST Act s.34(2)).
 * `before`: the parts that were returned already, at the same rate. Throws a RangeError if more than the rest is returned.
 */
export function splitOfReturn(
  original: TaxSplit,
  before: readonly TaxSplit[],
  returnPaise: number,
  { gstRateBasisPoints, tax }: { gstRateBasisPoints: number; tax: TaxKind },
): TaxSplit {
  const rest = restOf(original, before);
  if (returnPaise > rest.totalPaise) throw new RangeError('more is returned than the document has left');
  const { roundOffPaise: _roundOff, ...amounts } = rest;
  // Thousands of tiny parts, each rounded up, could use up the tax before the total.
  const isWhole = returnPaise === rest.totalPaise && Object.values(amounts).every((paise) => paise >= 0);
  return isWhole ? rest : splitInclusive(returnPaise, gstRateBasisPoints, tax);
}

/**
 * How much of an advance a document uses up that refers to it. The last one uses up all that the refunds `before` it left, so that no paisa of the
 * rounding of partial refunds stays, in the books or in table 11 of GSTR-1.
 */
export function usedOfAdvance<Part extends TaxAmounts>(
  advance: TaxAmounts,
  before: readonly TaxAmounts[],
  part: Part,
): Part | TaxSplit {
  const rest = restOf(advance, before);
  return rest.totalPaise === part.totalPaise ? rest : part;
}

function restOf(original: TaxAmounts, parts: readonly TaxAmounts[]): TaxSplit {
  const rest = { ...original };
  for (const part of parts) {
    rest.taxablePaise -= part.taxablePaise;
    rest.cgstPaise -= part.cgstPaise;
    rest.sgstPaise -= part.sgstPaise;
    rest.utgstPaise -= part.utgstPaise;
    rest.igstPaise -= part.igstPaise;
    rest.roundOffPaise -= part.roundOffPaise;
    rest.totalPaise -= part.totalPaise;
  }
  return { ...rest, taxPaise: rest.cgstPaise + rest.sgstPaise + rest.utgstPaise + rest.igstPaise };
}
