import { sql } from 'kysely';
import { z } from 'zod';
import { begunKey, type BegunSeries } from '#shared/database/begun-series.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { nextMove } from '#shared/database/setback.ts';
import { dayOf, istTime } from '#shared/domain/day.ts';
import type { DocumentKind } from '#shared/domain/document.ts';
import {
  type NumberedSeries,
  numbersLeft,
  type NumbersTaken,
  runsShort,
  seriesOfKind,
} from '#shared/domain/document-series.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

/** A number that was taken, and its issue time. */
export interface TakenNumber extends NumbersTaken {
  series: NumberedSeries;
  issuedAt: Date;
}

/**
 * Takes the next number of a kind of document in a financial year, with an issue time that is never before that of the previous number. The
 * row of its series stays locked until the transaction ends, so that there are no gaps and no duplicates (CGST Rule 46(b)). A full
 * series is followed by the next one. Throws when the last series of the year is full.
 */
export async function takeNumber(tx: Tx, kind: DocumentKind, financialYear: string, now: Date): Promise<TakenNumber> {
  await followPlace(tx, financialYear, now);
  const reached = (await selectNumbersTaken(tx, financialYear)).get(kind);
  const all = seriesOfKind[kind];
  for (let place = reached?.place ?? 0; ; place += 1) {
    const series = all[place];
    if (!series) throw new Error(`all numbers of ${financialYear} for ${kind} have been used`);
    const row = await incrementSeries(tx, series, financialYear, now);
    // Undefined: others filled the series while this transaction waited for its row.
    if (row) return { series, place, lastNumber: row.last_number, issuedAt: row.last_issued_at };
  }
}

/**
 * Closes the series in use when the database runs elsewhere than where their numbers were taken: a replica that was promoted, or what was put back, may
 * lack the last ones. Nothing is lost by a number too many in another series.
 */
export async function followPlace(tx: Tx, financialYear: string, now: Date): Promise<void> {
  if (!(await movedFrom(tx, false))) return;
  // Others may have closed them meanwhile.
  const from = await movedFrom(tx, true);
  if (!from) return;
  const reason = `moved to other data of PostgreSQL, found on ${istTime(now)}`;
  if (from.runsOn !== null) await closeSeries(tx, financialYear, now, `The database ${reason}`);
  await tx
    .updateTable('installation')
    .set({
      runs_on: sql`database_place()`,
      ...(from.runsOn !== null && {
        moved_at: sql`${sql.raw(nextMove)}`,
        setback: sql`coalesce(setback, 'MOVED')`,
        setback_reason: sql`coalesce(setback_reason, ${reason})`,
      }),
    })
    .execute();
}

/** The same before somebody needs a number: health, the doctor and what waits name it. */
export async function noticeMove({ db, clock }: Pick<Portal, 'db' | 'clock'>): Promise<void> {
  const now = clock();
  await db.transaction().execute((tx) => followPlace(tx, financialYearOf(dayOf(now)), new Date(now)));
}

/** From where, if the database runs elsewhere now; `locks` until the end of the transaction. */
async function movedFrom(tx: Tx, locks: boolean): Promise<{ runsOn: string | null } | undefined> {
  const reading = tx
    .selectFrom('installation')
    .select('runs_on as runsOn')
    .where((of) => of('runs_on', 'is distinct from', of.fn<string>('database_place', [])));
  return (locks ? reading.forUpdate() : reading).executeTakeFirst();
}

function incrementSeries(tx: Tx, series: NumberedSeries, financialYear: string, now: Date) {
  return tx
    .insertInto('document_series')
    .values({ series: series.name, financial_year: financialYear, last_number: 1, last_issued_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['series', 'financial_year'])
        .doUpdateSet({
          last_number: sql`document_series.last_number + 1`,
          last_issued_at: sql`greatest(document_series.last_issued_at, excluded.last_issued_at)`,
        })
        .where('document_series.last_number', '<', series.last),
    )
    .returning(['last_number', 'last_issued_at'])
    .executeTakeFirst();
}

/** The current series of each kind that has numbers in a financial year, and its last number. A closed series is followed by the next one. */
async function selectNumbersTaken(db: Db | Tx, financialYear: string): Promise<Map<DocumentKind, NumbersTaken>> {
  const rows = await db
    .selectFrom('document_series')
    .innerJoin('document_series_forms', 'document_series_forms.name', 'document_series.series')
    .select(['document_series_forms.kind', 'document_series_forms.place', 'document_series.last_number'])
    .where('document_series.financial_year', '=', financialYear)
    .orderBy('document_series_forms.place')
    .execute();
  const taken = new Map(rows.map(({ kind, place, last_number: lastNumber }) => [kind, { place, lastNumber }]));
  const closed = await db
    .selectFrom('closed_series')
    .innerJoin('document_series_forms', 'document_series_forms.name', 'closed_series.series')
    .select(['document_series_forms.kind', 'document_series_forms.place'])
    .where('closed_series.financial_year', '=', financialYear)
    .execute();
  for (const { kind, place } of closed)
    if (place >= (taken.get(kind)?.place ?? 0)) taken.set(kind, { place: place + 1, lastNumber: 0 });
  return taken;
}

/**
 * Closes every kind's series in use and returns their names. After a restore, their next numbers may stand on documents that are lost;
 * numbers of the next series cannot, unless others that were restored from the same rows began it: `begun` says how far these came.
 */
export async function closeSeries(
  tx: Tx,
  financialYear: string,
  now: Date,
  reason: string,
  begun: BegunSeries = {},
): Promise<ClosedSeries> {
  const taken = await selectNumbersTaken(tx, financialYear);
  const closing = documentKindsOfPayments.flatMap((kind) => {
    const place = taken.get(kind)?.place ?? 0;
    return seriesOfKind[kind].slice(place, Math.max(place, begun[begunKey(financialYear, kind)] ?? 0) + 1);
  });
  await tx
    .insertInto('closed_series')
    .values(closing.map(({ name }) => ({ series: name, financial_year: financialYear, closed_at: now, reason })))
    .execute();
  const next = await selectNumbersTaken(tx, financialYear);
  return {
    closed: closing.map(({ name }) => name),
    begins: documentKindsOfPayments.map((kind) => seriesOfKind[kind][next.get(kind)?.place ?? 0]?.name ?? `${kind} -`),
  };
}

/** By their names. */
export interface ClosedSeries {
  closed: string[];
  /** Those in which documents continue, one a kind. */
  begins: string[];
}

const none: NumbersTaken = { place: 0, lastNumber: 0 };

/** The kinds of documents that have used 80 % of this financial year's numbers. */
export async function readShortKinds({ db, clock }: Pick<Portal, 'db' | 'clock'>): Promise<DocumentKind[]> {
  const taken = await selectNumbersTaken(db, financialYearOf(dayOf(clock())));
  return documentKindsOfPayments.filter((kind) => runsShort(kind, taken.get(kind) ?? none));
}

/** For /backend/health: is there enough room in this financial year's series? */
export async function readNumbersHealth(portal: Portal): Promise<{ enough: boolean }> {
  return { enough: (await readShortKinds(portal)).length === 0 };
}

/** The documents that a payment may need in time: a voucher for the advance, its invoice, and either document of its refund. */
const documentKindsOfPayments: readonly DocumentKind[] = [
  'RECEIPT_VOUCHER',
  'INVOICE',
  'CREDIT_NOTE',
  'REFUND_VOUCHER',
];

/**
 * Refuses (no_document_number) when a payment could not get its documents: a number of every kind must be left for it and for
 * each order and advance that still waits for its documents. Called before an order is created, while no money has moved.
 */
export async function requireNumbers(portal: Pick<Portal, 'clock' | 'log'>, tx: Tx): Promise<void> {
  const financialYear = financialYearOf(dayOf(portal.clock()));
  const taken = await selectNumbersTaken(tx, financialYear);
  for (const kind of documentKindsOfPayments) {
    const reached = taken.get(kind) ?? none;
    // Counting is only needed in a kind's last series: before it, thousands of numbers are left.
    if (reached.place < seriesOfKind[kind].length - 1) continue;
    const left = numbersLeft(kind, reached);
    if ((await countWaiting(tx, left)) < left) continue;
    portal.log.error({ kind, financialYear, left }, 'orders are refused: no document numbers are left for this year');
    throw refuse('no_document_number');
  }
}

/** Counts orders that may still be paid and advances that still wait for their invoice, each up to `max`. */
async function countWaiting(tx: Tx, max: number): Promise<number> {
  const found = await sql`
    select ((select count(*) from (select from payment_orders where status in ('CREATING', 'OPEN') limit ${max}) o)
      + (select count(*) from (
          select from documents v where v.kind = 'RECEIPT_VOUCHER'
            and not exists (select from documents f where f.refers_to = v.id) limit ${max}) a))::int as waiting`.execute(
    tx,
  );
  return checkedRows(z.object({ waiting: z.number() }), found)[0]?.waiting ?? 0;
}
