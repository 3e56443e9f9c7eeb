import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import type { Quarter, TdsSection } from '#shared/domain/tds.ts';
import type { ListedClaim } from '#server/features/tds/tds.ts';

/** What is receivable from the Government for a quarter, customer and TAN, to be compared with Form 26AS. */
interface TdsReceivable {
  quarter: Quarter;
  section: TdsSection;
  customerId: string;
  customer: string;
  gstin: string | null;
  tan: string;
  claims: number;
  /** For so many of them no certificate was accepted yet: they were withheld from bank transfers. */
  unproved: number;
  taxableValue: number;
  amount: number;
}

/** An accepted claim, or what was withheld from a bank transfer. */
type Deducted = Pick<
  ListedClaim,
  'quarter' | 'section' | 'customerId' | 'customer' | 'gstin' | 'tan' | 'taxablePaise' | 'amountPaise'
> & { isUnproved?: boolean };

const keyOf = ({ quarter, customerId, tan }: Deducted) => `${quarter} ${customerId} ${tan}`;

export function tdsReceivableOf(claims: readonly Deducted[]): TdsReceivable[] {
  const groups = [...groupBy(claims, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.flatMap(([, group]) => {
    const newest = group.at(-1);
    if (newest === undefined) return [];
    const { quarter, section, customerId, customer, gstin, tan } = newest;
    const sum = (of: 'taxablePaise' | 'amountPaise') => group.reduce((total, claim) => total + claim[of], 0) / 100;
    const unproved = group.filter(({ isUnproved }) => isUnproved === true).length;
    const about = { quarter, section, customerId, customer, gstin, tan, claims: group.length, unproved };
    return [{ ...about, taxableValue: sum('taxablePaise'), amount: sum('amountPaise') }];
  });
}

const columns = ['Quarter', 'Section', 'Customer', 'Customer name', 'Customer GSTIN', 'TAN', 'Claims'];

export function tdsReceivableCsv(rows: readonly TdsReceivable[]): string {
  return csvOf(
    [...columns, 'Taxable value', 'TDS receivable', 'Without certificate'],
    rows.map((row): CsvCell[] => [
      row.quarter,
      row.section,
      row.customerId,
      row.customer,
      row.gstin ?? '',
      row.tan,
      row.claims,
      row.taxableValue,
      row.amount,
      row.unproved,
    ]),
  );
}
