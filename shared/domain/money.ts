import { numberFormat } from '#shared/domain/number-text.ts';

/**
 * Money is integer paise everywhere inside the product, and whole or decimal rupees on the wire (decision 004).
 * ₹1 = 100 paise.
 */

/**
 * The paise of an amount in rupees, e.g. 1499 → 149900, 0.05 → 5. Throws RangeError when it is not a whole number of
 * paise.
 */
export function toPaise(rupees: number): number {
  const paise = Math.round(rupees * 100);
  if (!Number.isSafeInteger(paise) || Math.abs(paise / 100 - rupees) > 1e-9 * Math.max(1, Math.abs(rupees))) {
    throw new RangeError(`${rupees} rupees is not a whole number of paise`);
  }
  return paise;
}

/** Converts an amount in paise to rupees for the wire: 149900 → 1499, 117882 → 1178.82. */
export function rupees(paise: number): number {
  return assertPaise(paise) / 100;
}

const formatWhole = numberFormat({ style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const formatDecimal = numberFormat({ style: 'currency', currency: 'INR', minimumFractionDigits: 2 });

/** Formatted for people with Indian grouping: 149900 → "₹1,499", 10000050 → "₹1,00,000.50". */
export function formatRupees(paise: number): string {
  return (assertPaise(paise) % 100 === 0 ? formatWhole : formatDecimal)(paise / 100);
}

/** The same for an amount in the smallest unit of any currency, as payments have it: 1499 of USD → "$14.99", 1499 of JPY → "JP¥1,499". */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'INR') return formatRupees(amount);
  const format = new Intl.NumberFormat('en-IN', { style: 'currency', currency });
  return format.format(assertPaise(amount) / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Returns its argument, or throws RangeError when it is not a whole number of paise in the safe range. */
export function assertPaise(paise: number): number {
  if (!Number.isSafeInteger(paise)) throw new RangeError(`${paise} is not a whole number of paise`);
  return paise;
}

/** The share `part` of `whole` of an amount, rounded half up: for example the money of 12 unused days of 30. */
export function share(paise: number, part: number, of: number): number {
  return Math.floor((2 * assertPaise(paise) * part + of) / (2 * of));
}
