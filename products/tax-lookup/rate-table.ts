/** A rate in the table: one row of one notification, under one condition, for a range of days. */
export interface RateRow {
  /** Full rate in per cent (CGST and SGST together, or IGST), exact: 0.25, 1.5, 18. */
  rate: number;
  /** When the row applies, in a few words; null for always. */
  condition: string | null;
  /** Schedule of the notification (I to VII) for goods; null for services and exemptions. */
  schedule: string | null;
  /** Serial number in the notification, where known. */
  serial: string | null;
  notification: string;
  /** First day, `yyyy-mm-dd`. */
  validFrom: string;
  /** Last day, included; null while in force. */
  validTo: string | null;
}

export interface CodeEntry {
  code: string;
  kind: 'goods' | 'services';
  description: string;
  /** True when the rows also apply to the codes below this one, as the notification's entry does. */
  coversBelow: boolean;
  /** Search terms that the description lacks. */
  words: string;
  rows: readonly RateRow[];
}

export interface RateTable {
  /** Day of the latest notification in the table. */
  asOf: string;
  entries: readonly CodeEntry[];
}

/** Codes that begin with 99 are services (SAC), all others goods (HSN). */
export function kindOfCode(code: string): 'goods' | 'services' {
  return code.startsWith('99') ? 'services' : 'goods';
}

/**
 * The entry that applies to a code: its own, or the nearest above it whose notification entry covers all codes below.
 * Undefined when there is none: the entry of a chapter or a neighbour never applies.
 */
export function findEntry(table: RateTable, code: string): CodeEntry | undefined {
  return table.entries
    .filter((entry) => entry.code === code || (entry.coversBelow && code.startsWith(entry.code)))
    .toSorted((one, other) => other.code.length - one.code.length)[0];
}

/** Entries below a code, suggested to a caller whose code was too broad. */
export function entriesBelow(table: RateTable, code: string): CodeEntry[] {
  return table.entries.filter((entry) => entry.code !== code && entry.code.startsWith(code));
}

/** The rows in force on a day, and the rows of other periods. Days compare as strings. */
export function rowsOn(rows: readonly RateRow[], day: string): { inForce: RateRow[]; otherPeriods: RateRow[] } {
  const holds = (row: RateRow) => row.validFrom <= day && (row.validTo === null || day <= row.validTo);
  return { inForce: rows.filter(holds), otherPeriods: rows.filter((row) => !holds(row)) };
}
