/** Formats numbers for people, with Indian grouping: 1234567.5 → "12,34,567.5". */

const number = new Intl.NumberFormat('en-IN');
const tick = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-IN', { style: 'percent' });
const upToThree = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 3 });
const twoDecimals = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A count or a quantity: at most three decimals. */
export function formatNumber(value: number): string {
  return number.format(value);
}

/** A value on a chart: at most one decimal. */
export function formatTick(value: number): string {
  return tick.format(value);
}

/** 0.42 → "42%". */
export function formatPercent(part: number): string {
  return percent.format(part);
}

/** The price of a unit in a table whose header names the currency: two or three decimals. */
export function formatPrice(rupees: number): string {
  return upToThree.format(rupees);
}

/** An amount in a table whose header names the currency: 100000.5 → "1,00,000.50". */
export function formatAmount(rupees: number): string {
  return twoDecimals.format(rupees);
}
