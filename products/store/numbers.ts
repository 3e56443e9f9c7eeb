import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Day } from '#domain/day.ts';
import { formatDocumentNumber } from '#domain/document-number.ts';
import { financialYearOf, shortFinancialYearOf } from '#domain/financial-year.ts';
import type { IrnDocumentType } from '#domain/irn.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { Refusal } from '#products/http/problem.ts';
import { deleteBatches } from '#products/store/delete-batches.ts';
import type { Store } from '#products/store/store.ts';

/**
 * A series belongs to one caller; each kind of document has its own numbers, and each financial year restarts them
 * (Rule 46(b)).
 */
export interface SeriesName {
  caller: string;
  /** First part of the number: `TPX` in `TPX/26-27/000001`. */
  series: string;
  documentType: IrnDocumentType;
  /** The date of the document; it determines the financial year. */
  date: Day;
}

export interface GivenNumber {
  number: string;
  sequence: number;
  financialYear: string;
}

/** Without parsers of its own, pg reads a bigint as text. */
const numberSchema = z.object({
  series: z.string(),
  document_type: z.string(),
  financial_year: z.string(),
  sequence: z.string(),
  number: z.string(),
});
const counterSchema = z.object({ last_sequence: z.string() });

/** Credit and debit notes have a letter before the number, so that all three kinds can share a prefix. */
const letters: Record<IrnDocumentType, string> = { INV: '', CRN: 'C', DBN: 'D' };

/**
 * Returns the next number of a series, or on a retry the same one again. Numbers are consecutive from `startAt` without
 * gaps: number and counter are written together. Throws RangeError when the number would break Rule 46(b), or when the
 * series differs from an existing one in its capital letters only.
 */
export function giveNumber(
  store: Store,
  { caller, series, documentType, date }: SeriesName,
  { askedBy, startAt, digits }: { askedBy: string; startAt: number; digits: number },
  nowMs: number,
): Promise<GivenNumber> {
  const financialYear = financialYearOf(date);
  return store.transaction(async (client) => {
    await refuseOtherSpelling(client, { caller, series, documentType, financialYear });
    // The row of the series is locked first, so that concurrent retries run one after the other.
    const counted = await client.query(
      `insert into products.series as counter (caller, series, document_type, financial_year, last_sequence)
       values ($1, $2, $3, $4, $5)
       on conflict (caller, series, document_type, financial_year) do update set last_sequence = counter.last_sequence
       returning last_sequence`,
      [caller, series, documentType, financialYear, startAt - 1],
    );
    const before = await client.query('select * from products.numbers where caller = $1 and asked_by = $2', [
      caller,
      askedBy,
    ]);
    const [given] = checkedRows(numberSchema, before);
    if (given !== undefined) {
      const same = given.series === series && given.document_type === documentType;
      if (!same || given.financial_year !== financialYear) {
        const reused = 'This Idempotency-Key was used for another number; use a new one.';
        throw new Refusal(422, reused, 'idempotency-key-reused');
      }
      return { number: given.number, sequence: Number(given.sequence), financialYear: given.financial_year };
    }
    const sequence = Number(checkedRows(counterSchema, counted)[0]?.last_sequence) + 1;
    const number = formatDocumentNumber(series, shortFinancialYearOf(date), sequence, {
      letter: letters[documentType],
      digits,
    });
    await client.query(
      `update products.series set last_sequence = $5
       where caller = $1 and series = $2 and document_type = $3 and financial_year = $4`,
      [caller, series, documentType, financialYear, sequence],
    );
    await client.query(
      `insert into products.numbers (caller, series, document_type, financial_year, sequence, number, asked_by, given_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [caller, series, documentType, financialYear, sequence, number, askedBy, new Date(nowMs)],
    );
    return { number, sequence, financialYear };
  });
}

/**
 * The invoice portal reads a number in capital letters, so `tpx` would give the numbers of `TPX` again. A new series is
 * therefore refused when there is one that differs in its capital letters only.
 */
async function refuseOtherSpelling(
  client: PoolClient,
  { caller, series, documentType, financialYear }: Omit<SeriesName, 'date'> & { financialYear: string },
): Promise<void> {
  // Two new spellings at once would not see each other.
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [
    seriesLock,
    [caller, series.toUpperCase(), documentType, financialYear].join(' '),
  ]);
  const found = await client.query(
    `select series from products.series
     where caller = $1 and upper(series) = upper($2) and document_type = $3 and financial_year = $4
     order by series <> $2 limit 1`,
    [caller, series, documentType, financialYear],
  );
  const [existing] = checkedRows(z.object({ series: z.string() }), found);
  if (existing === undefined || existing.series === series) return;
  throw new RangeError(
    `This series is already called '${existing.series}'; the invoice portal does not distinguish capital letters.`,
  );
}

/** An arbitrary number that no other advisory lock begins with: the letters "seri". */
const seriesLock = 0x73657269;

/** The latest number of a series in the financial year of its date; null for none. */
export function lastNumber(
  store: Store,
  { caller, series, documentType, date }: SeriesName,
): Promise<GivenNumber | null> {
  const financialYear = financialYearOf(date);
  return store.transaction(async (client) => {
    const found = await client.query(
      `select * from products.numbers
       where caller = $1 and series = $2 and document_type = $3 and financial_year = $4 order by sequence desc limit 1`,
      [caller, series, documentType, financialYear],
    );
    const [row] = checkedRows(numberSchema, found);
    return row === undefined ? null : { number: row.number, sequence: Number(row.sequence), financialYear };
  });
}

/** How long a number that was given to a test key is found again. */
const testNumberLifetimeMs = 30 * 86_400_000;

/** Deletes old numbers of test keys. Their counters stay, so that no number is given twice. */
export function deleteOldTestNumbers(store: Store, nowMs: number, stopping: AbortSignal): Promise<number> {
  return deleteBatches(
    store,
    `delete from products.numbers where ctid = any(array(
       select ctid from products.numbers where caller like '%/test' and given_at < $1 limit $2 for update skip locked))`,
    new Date(nowMs - testNumberLifetimeMs),
    stopping,
  );
}
