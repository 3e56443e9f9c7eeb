import type { Day } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';

/**
 * Tax deducted at source (TDS): a business customer may have to pay a part of the price to the Government, on the provider's behalf. The
 * checkout charges in full, so the customer declares it afterwards, with the certificate, and gets the amount back (product §6.27). Who pays by
 * bank transfer may withhold it instead, and sends the certificate all the same (decision 075).
 */

/** A quarter of a financial year, `2026-27 Q3`; the tax year of the Income-tax Act 2025 has the same quarters. Quarters compare as strings. */
export type Quarter = string;

/** The quarter that a day falls in. */
export function quarterOf(day: Day): Quarter {
  const monthsSinceApril = (Number(day.slice(5, 7)) + 8) % 12;
  return `${financialYearOf(day)} Q${Math.floor(monthsSinceApril / 3) + 1}`;
}

/** The quarters from the one of a day to the one of another, newest first. */
export function quartersBetween(from: Day, to: Day): Quarter[] {
  const last = quarterOf(from);
  const quarters: Quarter[] = [];
  const year = Number(to.slice(0, 4));
  for (let month = year * 12 + Number(to.slice(5, 7)) - 1; ; month -= 3) {
    const day = `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
    const quarter = quarterOf(day);
    if (quarter < last) return quarters;
    quarters.push(quarter);
  }
}

/** Fees for professional or technical services, by the Act that applies. */
export const tdsSections = ['194J', '393(1)'] as const;
export type TdsSection = (typeof tdsSections)[number];

/**
 * The section under which tax was deducted in a quarter: s. 194J of the Income-tax Act 1961 until 31 March 2026, s. 393(1) (Table, Sl. No. 6)
 * of the Income-tax Act 2025 from 1 April 2026 (its s. 1(3) and s. 536).
 */
export function tdsSectionOf(quarter: Quarter): TdsSection {
  return quarter < '2026-27 Q1' ? '194J' : '393(1)';
}

/**
 * The most that can have been deducted from a payment: 10 % (2 % for technical services) of the value without GST, as CBDT Circular 23/2017
 * says for invoices that show GST separately. Tax is deposited in whole rupees, so a part of a rupee counts as one.
 */
export function maxTdsPaise(taxablePaise: number): number {
  return Math.ceil(taxablePaise / 1000) * 100;
}

/** The percentages at which it is deducted from what we sell: fees for technical services, and for professional services. */
export const tdsPercents = [2, 10] as const;
export type TdsPercent = (typeof tdsPercents)[number];

/** A stored percentage. */
export const tdsPercentOf = (stored: number | null | undefined): TdsPercent | undefined =>
  tdsPercents.find((percent) => percent === stored);

/** What a customer deducts that transfers the rest: the percentage of the value without GST, to the nearest rupee, 50 paise up. */
export function withheldPaise(taxablePaise: number, percent: TdsPercent): number {
  return Math.round((taxablePaise * percent) / 10_000) * 100;
}

/** A tax deduction account number: four letters, five digits, a letter (Income-tax Act 1961 s. 203A; 2025 s. 397). */
export const tanPattern = /^[A-Z]{4}\d{5}[A-Z]$/;

/** `WAITING`: for the provider's decision. */
export const tdsStatuses = ['WAITING', 'ACCEPTED', 'REFUSED'] as const;
export type TdsStatus = (typeof tdsStatuses)[number];
