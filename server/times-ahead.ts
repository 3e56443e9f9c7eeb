import { sql } from 'kysely';
import { z } from 'zod';
import { dayOf } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { clockSkewMs } from '#shared/platform/clock.ts';
import type { Portal } from './portal.ts';

/** A stored time that can't lie ahead, and the clock that it is of: the machine's, moved as far as stand-ins moved it, or the product's. */
interface StoredTime {
  table: string;
  column: string;
  clock: 'machine' | 'product';
  /** A day in India, or an instant. */
  isDay: boolean;
}

/**
 * The days and times that the portal goes by. An age of a check that lies ahead is infinite (`ageOf`), and work that is due too far ahead is due
 * (`claimRows`); these would put off work, or move the day, unnoticed.
 */
const storedTimes: readonly StoredTime[] = [
  { table: 'clock', column: 'reached_day', clock: 'machine', isDay: true },
  { table: 'settlement_reading', column: 'read_until', clock: 'product', isDay: true },
  { table: 'settlement_reading', column: 'compared_at', clock: 'product', isDay: false },
  { table: 'ledger_checks', column: 'checked_at', clock: 'machine', isDay: false },
  { table: 'ledger_checks', column: 'whole_checked_at', clock: 'machine', isDay: false },
];

/** The stored times that have not come yet: a clock was ahead, or somebody changed them. For /backend/health. */
export async function readTimesAhead({
  db,
  clock,
  machineClock,
}: Pick<Portal, 'db' | 'clock' | 'machineClock'>): Promise<string[]> {
  const { offset_ms: offsetMs } = await db.selectFrom('clock').select('offset_ms').executeTakeFirstOrThrow();
  const nowMs = { machine: machineClock() + offsetMs, product: clock() };
  const reads = storedTimes.map(({ table, column, clock: of, isDay }) => {
    const latestMs = nowMs[of] + clockSkewMs;
    const latest = isDay ? sql`${dayOf(latestMs)}::date` : sql`${new Date(latestMs)}`;
    return sql`select ${`${table}.${column}`} as name from ${sql.table(table)} where ${sql.ref(column)} > ${latest}`;
  });
  const ahead = await sql`${sql.join(reads, sql` union all `)}`.execute(db);
  return checkedRows(z.object({ name: z.string() }), ahead).map(({ name }) => name);
}
