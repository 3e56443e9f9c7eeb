/**
 * The audit's own arithmetic. The audit may not import the portal's rules (tests/checks/rooms.ts), so that the two can disagree.
 */

/** A calendar day, yyyy-mm-dd. */
export type Day = string;

/** Rupees with at most two decimals, in paise. */
export function paise(rupees: number): number {
  return Math.round(rupees * 100);
}

/** `1,23,456.78`, as India groups digits. */
export function rupeesText(amountPaise: number): string {
  const formatter = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return formatter.format(amountPaise / 100);
}

/** The nearest whole number to a quotient of whole numbers; halves up (CGST Act s.170 rounds to the nearest unit). */
function nearest(dividend: number, divisor: number): number {
  const whole = Math.floor(dividend / divisor);
  return (dividend - whole * divisor) * 2 >= divisor ? whole + 1 : whole;
}

/** How the tax of a supply is divided: State tax and Union territory tax are one column in returns. */
export type Levy = 'CENTRE_AND_STATE' | 'INTEGRATED' | 'NONE';

export interface Amounts {
  taxable: number;
  igst: number;
  cgst: number;
  sgst: number;
}

export const noAmounts: Amounts = { taxable: 0, igst: 0, cgst: 0, sgst: 0 };

/**
 * The taxable value and taxes inside a total that includes GST, in paise. The value is the total over (1 + rate); each
 * tax is a percentage of that value, so that value and taxes may miss the total by a paisa (the round-off line).
 */
export function taxesInside(totalPaise: number, ratePercent: number, levy: Levy): Amounts {
  if (levy === 'NONE') return { ...noAmounts, taxable: totalPaise };
  const rate = Math.round(ratePercent * 100);
  const taxable = nearest(totalPaise * 10_000, 10_000 + rate);
  if (levy === 'INTEGRATED') return { ...noAmounts, taxable, igst: nearest(taxable * rate, 10_000) };
  const half = nearest(taxable * rate, 20_000);
  return { ...noAmounts, taxable, cgst: half, sgst: half };
}

export function plus(a: Amounts, b: Amounts, sign: 1 | -1 = 1): Amounts {
  return {
    taxable: a.taxable + sign * b.taxable,
    igst: a.igst + sign * b.igst,
    cgst: a.cgst + sign * b.cgst,
    sgst: a.sgst + sign * b.sgst,
  };
}

/** Razorpay's fee on a payment, 2 %, and the 18 % GST on the fee. */
export function razorpayFee(amountPaise: number): { fee: number; tax: number } {
  const fee = nearest(amountPaise * 2, 100);
  return { fee, tax: nearest(fee * 18, 100) };
}

export const taxOf = ({ igst, cgst, sgst }: Amounts): number => igst + cgst + sgst;

const dayMs = 86_400_000;

/** The day a number of days after another. */
export function daysAfter(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Noon of a day in India. */
export function noonOf(day: Day): number {
  return Date.parse(`${day}T12:00:00+05:30`);
}

/** The day in India at a time. */
export function dayAt(epochMs: number): Day {
  return new Date(epochMs + 5.5 * 3_600_000).toISOString().slice(0, 10);
}

/** `2026-12` of a day. */
export const monthOf = (day: Day): string => day.slice(0, 7);
