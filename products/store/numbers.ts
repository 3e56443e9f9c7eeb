import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import { formatDocumentNumber } from '#shared/domain/document-number.ts';
import { financialYearOf, shortFinancialYearOf } from '#shared/domain/financial-year.ts';
import type { IrnDocumentType } from '#shared/domain/irn.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { Refusal } from '#products/http/problem.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { deleteBatches } from '#products/store/delete-batches.ts';
import type { Store } from '#products/store/store.ts';

/**
 * A series belongs to one customer and goes on when its API is deleted and activated again (decision 058); each kind of
 * document has its own numbers, and each financial year restarts them (Rule 46(b)). Numbers are stored with the activation
 * that they were given to, as their Idempotency-Keys belong to it.
 */
export interface SeriesName {
  customer: string;
  /** The activation whose key makes the call. */
  activation: string;
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

/** A series in a financial year, as its callers have it. */
interface Counter extends Pick<SeriesName, 'series' | 'documentType'> {
  callers: string[];
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
const lastNumberSchema = numberSchema.pick({ sequence: true, number: true });
const counterSchema = z.object({ last_sequence: z.string() });

/** Credit and debit notes have a letter before the number, so that all three kinds can share a prefix. */
const letters: Record<IrnDocumentType, string> = { INV: '', CRN: 'C', DBN: 'D' };

/**
 * Returns the next number of a series, or on a retry the same one again. Numbers are consecutive from `startAt` without
 * gaps: number and counter are written together. Throws RangeError when the number would break Rule 46(b), or when the
 * series differs from an existing one in its capital letters only; Refusal when a restore has stopped the series and
 * `startAt` doesn't say where it goes on; UpstreamFault (503) while the database is set back.
 */
export function giveNumber(
  store: Store,
  { customer, activation, series, documentType, date }: SeriesName,
  { askedBy, startAt, digits }: { askedBy: string; startAt?: number | undefined; digits: number },
  nowMs: number,
): Promise<GivenNumber> {
  const financialYear = financialYearOf(date);
  // The version before counts by activation, so both counters are kept equal (decision 058).
  const callers = [...new Set([activation, customer])];
  return store.transaction(async (client) => {
    await lockSeries(client, customer);
    await requireFinished(client);
    await takeOver(client, { customer, activation });
    const counter: Counter = { callers, series, documentType, financialYear };
    await refuseOtherSpelling(client, counter);
    const isStopped = await isSeriesStopped(client, counter);
    // A process of the version before may hold the activation's counter, and have raised it when it lets go.
    const counted = await client.query(
      `insert into products.series as counter (caller, series, document_type, financial_year, last_sequence)
       select caller, $2, $3, $4, coalesce((select max(last_sequence) from products.series
         where caller = any($1) and series = $2 and document_type = $3 and financial_year = $4), $5)
       from unnest($1::text[]) as caller
       on conflict (caller, series, document_type, financial_year)
         do update set last_sequence = greatest(counter.last_sequence, excluded.last_sequence)
       returning last_sequence`,
      [callers, series, documentType, financialYear, (startAt ?? 1) - 1],
    );
    const before = await client.query('select * from products.numbers where caller = $1 and asked_by = $2', [
      activation,
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
    const counters = checkedRows(counterSchema, counted).map((row) => Number(row.last_sequence));
    const last = Math.max(...counters);
    const sequence = isStopped ? requireStart(startAt, last) : last + 1;
    const number = formatDocumentNumber(series, shortFinancialYearOf(date), sequence, {
      letter: letters[documentType],
      digits,
    });
    await client.query(
      `update products.series set last_sequence = $5, last_number = $6, is_stopped = false
       where caller = any($1) and series = $2 and document_type = $3 and financial_year = $4`,
      [callers, series, documentType, financialYear, sequence, number],
    );
    await client.query(
      `insert into products.numbers (caller, series, document_type, financial_year, sequence, number, asked_by, given_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [activation, series, documentType, financialYear, sequence, number, askedBy, new Date(nowMs)],
    );
    return { number, sequence, financialYear };
  });
}

/**
 * After a restore that did not finish, or when a copy of the database's files was put back, the counters may be behind the numbers that were given, and
 * no series is stopped yet. In a database of its own the products' schema has no installation that says so.
 */
async function requireFinished(client: PoolClient): Promise<void> {
  const installation = await client.query(`select from pg_class where oid = to_regclass('public.installation')`);
  if (installation.rowCount === 0) return;
  const setBack = await client.query(`select from public.installation where setback in ('RESTORED', 'WENT_BACK')`);
  if (setBack.rowCount === 0) return;
  throw new UpstreamFault(
    503,
    'The database of this API was set back, and may lack the latest numbers: none is given until its operator has finished that.',
  );
}

/** Whether a restore may have lost numbers of a series: it had begun before, or may have begun since the backup. */
async function isSeriesStopped(
  client: PoolClient,
  { callers, series, documentType, financialYear }: Counter,
): Promise<boolean> {
  const found = await client.query(
    `select coalesce(
       (select bool_or(is_stopped) from products.series
          where caller = any($1) and series = $2 and document_type = $3 and financial_year = $4),
       exists (select from products.restored_callers where caller = any($1) and last_financial_year >= $4)) as stopped`,
    [callers, series, documentType, financialYear],
  );
  return checkedRows(z.object({ stopped: z.boolean() }), found).some(({ stopped }) => stopped);
}

/** Where a stopped series goes on. */
function requireStart(startAt: number | undefined, last: number): number {
  if (startAt !== undefined && startAt > last) return startAt;
  const known = last === 0 ? 'or 1 if there is none' : `which is ${last} or a later one`;
  throw new Refusal(
    409,
    `The database of this API was restored from a backup, which may lack the latest numbers of this series. Send startAt once: the number after your latest one, ${known}.`,
    'series-stopped',
  );
}

/** One at a time per customer: two new spellings, or two take-overs, would not see each other. */
async function lockSeries(client: PoolClient, customer: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [seriesLock, customer]);
}

/** An arbitrary number that no other advisory lock begins with: the letters "seri". */
const seriesLock = 0x73657269;

/** Series of an activation in which the version before has given numbers that the customer's counter doesn't have. */
const seriesAhead = `from products.series ahead where ahead.caller = $1 and not exists (
  select from products.series own where own.caller = $2 and own.series = ahead.series and own.document_type = ahead.document_type
    and own.financial_year = ahead.financial_year and own.last_sequence >= ahead.last_sequence)`;

/**
 * Gives the counters of an activation to its customer, all at once: the activation may be deleted before it calls again.
 * They are few, however many numbers they gave.
 */
async function takeOver(
  client: PoolClient,
  { customer, activation }: Pick<SeriesName, 'customer' | 'activation'>,
): Promise<void> {
  if (customer === activation) return;
  const found = await client.query(`select ${seriesAhead} limit 1`, [activation, customer]);
  if (found.rowCount === 0) return;
  await lockSeries(client, customer);
  await client.query(
    `insert into products.series as own (caller, series, document_type, financial_year, last_sequence, last_number, is_stopped)
     select $2, ahead.series, ahead.document_type, ahead.financial_year, ahead.last_sequence, (
       select number from products.numbers n where n.caller = $1 and n.series = ahead.series
         and n.document_type = ahead.document_type and n.financial_year = ahead.financial_year and n.sequence = ahead.last_sequence),
       ahead.is_stopped
     ${seriesAhead}
     on conflict (caller, series, document_type, financial_year)
       do update set last_sequence = excluded.last_sequence, last_number = excluded.last_number,
         is_stopped = own.is_stopped or excluded.is_stopped`,
    [activation, customer],
  );
}

/**
 * The invoice portal reads a number in capital letters, so `tpx` would give the numbers of `TPX` again. A new series is
 * therefore refused when there is one that differs in its capital letters only.
 */
async function refuseOtherSpelling(
  client: PoolClient,
  { callers, series, documentType, financialYear }: Counter,
): Promise<void> {
  const found = await client.query(
    `select series from products.series
     where caller = any($1) and upper(series) = upper($2) and document_type = $3 and financial_year = $4
     order by series <> $2 limit 1`,
    [callers, series, documentType, financialYear],
  );
  const [existing] = checkedRows(z.object({ series: z.string() }), found);
  if (existing === undefined || existing.series === series) return;
  throw new RangeError(
    `This series is already called '${existing.series}'; the invoice portal does not distinguish capital letters.`,
  );
}

/** The latest number of a series in the financial year of its date; null for none. */
export function lastNumber(
  store: Store,
  { customer, activation, series, documentType, date }: SeriesName,
): Promise<GivenNumber | null> {
  const financialYear = financialYearOf(date);
  return store.transaction(async (client) => {
    await takeOver(client, { customer, activation });
    // The version before raises the counter of an activation without saying which number it gave.
    const found = await client.query(
      `select sequence, number from products.numbers
         where caller = $1 and series = $3 and document_type = $4 and financial_year = $5
       union all select last_sequence, last_number from products.series
         where caller = $2 and series = $3 and document_type = $4 and financial_year = $5 and $1 <> $2 and last_number is not null
       order by sequence desc limit 1`,
      [activation, customer, series, documentType, financialYear],
    );
    const [row] = checkedRows(lastNumberSchema, found);
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
