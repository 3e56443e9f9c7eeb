import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { cycleFrom, phaseOf, shownStatus } from '#shared/domain/cycle.ts';
import { addDays, dayOf, daysBetween, startOfDay } from '#shared/domain/day.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
});
afterAll(() => database.close());

const tenures = [1, 7, 14, 28, 30, 31, 90, 365, 366];

test('every start day from 2024 to 2100 and nine lengths end on the day that PostgreSQL says', async () => {
  const { rows } = await database.pool.query<{ day: string; ends: string[]; starts_ms: number }>(
    `select d::date as day, array(select d::date + t from unnest($1::int[]) t) as ends,
       (extract(epoch from (d::date)::timestamp at time zone 'Asia/Kolkata') * 1000)::bigint as starts_ms
     from generate_series('2024-01-01'::date, '2100-12-31'::date, '1 day') d order by d`,
    [tenures],
  );
  expect(rows).toHaveLength(28_124);
  let wrong = 0;
  let previous = '2023-12-31';
  for (const { day, ends, starts_ms } of rows) {
    const isRight =
      addDays(previous, 1) === day &&
      tenures.every((days, index) => {
        const cycle = cycleFrom(day, days);
        return cycle.fromDate === day && cycle.toDate === ends[index] && daysBetween(day, cycle.toDate) === days;
      }) &&
      startOfDay(day) === starts_ms &&
      dayOf(starts_ms) === day &&
      dayOf(starts_ms - 1) === previous;
    if (!isRight) wrong += 1;
    previous = day;
  }
  expect(wrong).toBe(0);
});

/** Typical edge cases of calendars: IST midnights of month ends, leap days, the financial year, a new year. */
const midnights = [
  ['2024-02-29', '2024-03-01'],
  ['2027-02-28', '2027-03-01'],
  ['2028-02-29', '2028-03-01'],
  ['2100-02-28', '2100-03-01'],
  ['2027-03-31', '2027-04-01'],
  ['2026-12-31', '2027-01-01'],
  ['2026-04-30', '2026-05-01'],
  ['2026-01-31', '2026-02-01'],
] as const;

test.each(midnights)('between %s and %s one millisecond decides, at 00:00:00.000 IST', async (before, after) => {
  const { rows } = await database.pool.query<{ ms: number }>(
    `select (extract(epoch from $1::timestamp at time zone 'Asia/Kolkata') * 1000)::bigint as ms`,
    [after],
  );
  const midnight = rows[0]?.ms ?? 0;
  expect([-1, 0, 1].map((ms) => dayOf(midnight + ms))).toEqual([before, after, after]);
  const cycle = cycleFrom(after, 30);
  expect([-1, 0, 1].map((ms) => phaseOf(cycle, dayOf(midnight + ms)))).toEqual(['upcoming', 'running', 'running']);
  const end = startOfDay(cycle.toDate);
  expect([-1, 0, 1].map((ms) => phaseOf(cycle, dayOf(end + ms)))).toEqual(['running', 'over', 'over']);
  const unpaid = {
    ...cycle,
    status: 'PAYMENT_PENDING' as const,
    createdOn: addDays(before, -3),
    paymentUnderWay: false,
  };
  expect([-1, 0].map((ms) => shownStatus(unpaid, dayOf(midnight + ms)))).toEqual(['PAYMENT_PENDING', 'DUE']);
  const paid = { ...unpaid, status: 'PAID' as const };
  expect([-1, 0].map((ms) => shownStatus(paid, dayOf(end + ms)))).toEqual(['PAID', 'EXPIRED']);
});

test('months do not drift: twelve prepaid cycles of 30 days cover 360 days without a gap', () => {
  const starts = ['2026-01-31', '2027-12-31', '2028-02-29', '2027-03-31'];
  for (const start of starts) {
    let day = start;
    for (let count = 0; count < 12; count += 1) {
      const cycle = cycleFrom(day, 30);
      expect(cycle.fromDate).toBe(day);
      day = cycle.toDate;
    }
    expect(daysBetween(start, day)).toBe(360);
  }
});
