import { z } from 'zod';

/** How many decimals a number has when it is written out; -1 when it needs an exponent. */
function decimalsOf(value: number): number {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return match === null ? -1 : (match[1]?.length ?? 0);
}

function decimalNumber(decimals: number, most: number, what: string) {
  return z
    .number()
    .min(0)
    .max(most)
    .refine(
      (value) => decimalsOf(value) >= 0 && decimalsOf(value) <= decimals,
      `${what} has at most ${decimals} decimals.`,
    );
}

/** ₹1,000 crore: the limit of a line, so that sums of lines stay exact. */
export const mostRupees = 10_000_000_000;

/** Rupees on the wire: a number with at most two decimals. */
export const rupeesField = decimalNumber(2, mostRupees, 'An amount in rupees');

/** The price of a unit: a number with at most three decimals, as e-invoices allow (₹94.125 a litre). */
export const unitPriceField = decimalNumber(3, mostRupees, 'A unit price');

/** A quantity: a number with at most three decimals. */
export const quantityField = decimalNumber(3, 1_000_000_000, 'A quantity');

/** Integer paise of a checked amount in rupees. Exact, since the amount has at most two decimals. */
export function paiseOf(rupees: number): number {
  return Math.round(rupees * 100);
}

/** Paise of a quantity times a price in rupees, rounded half up: computed in thousandths of both, so it is exact. */
export function paiseOfQuantity(unitPrice: number, quantity: number): number {
  const product = BigInt(Math.round(unitPrice * 1000)) * BigInt(Math.round(quantity * 1000));
  return Number((2n * product + 10_000n) / 20_000n);
}
