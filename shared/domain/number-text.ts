/** Formats numbers for people, with Indian grouping: 1234567.5 → "12,34,567.5". */

/** Makes a format when it is first used: making one takes a phone some ten milliseconds, and a page needs one or two of them. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  let made: Intl.NumberFormat | undefined;
  return (value) => (made ??= new Intl.NumberFormat('en-IN', options)).format(value);
}

/** A count or a quantity: at most three decimals. */
export const formatNumber = numberFormat();

/** A value on a chart: at most one decimal. */
export const formatTick = numberFormat({ maximumFractionDigits: 1 });

/** 0.42 → "42%". */
export const formatPercent = numberFormat({ style: 'percent' });

/** The price of a unit in a table whose header names the currency: two or three decimals. */
export const formatPrice = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 3 });

/** An amount in a table whose header names the currency: 100000.5 → "1,00,000.50". */
export const formatAmount = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
