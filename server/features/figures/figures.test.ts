import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { addDays, type Day, daysBetween, dayOf, startOfDay } from '#shared/domain/day.ts';
import { toPaise } from '#shared/domain/money.ts';
import { balancesOf } from '#shared/domain/trial-balance.ts';
import { readVouchers, sumDays } from '#server/features/bookkeeping/bookkeeping.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { carryOutRefund } from '#server/features/refunds/refunds.ts';
import { nextId, writeBatch } from '#server/features/request-log/test-log.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
let first: Day;
let last: Day;
let figures: OperatorReply<'readFigures'>;

const today = () => dayOf(portal.portal.clock());
const read = (from: Day, to: Day) => readAsOperator(portal.portal, 'finance', 'readFigures', { from, to });
const unpaidRefunds = () =>
  portal.portal.db.selectFrom('refunds').select('id').where('status', '<>', 'PROCESSED').execute();
const revenueIn = ({ revenue }: { revenue: number }) => toPaise(revenue);
const balanceOn = async (day: Day) => -(balancesOf(await readVouchers(portal.portal.db, day)).get('revenue') ?? 0);
const aheadOf = ({ from_date: from, to_date: to }: { from_date: Day; to_date: Day }) =>
  Math.max(0, daysBetween(from > last ? from : addDays(last, 1), to));
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
  first = today();
  const [one, two] = [await newBuyer(portal), await newBuyer(portal)];
  await newBuyer(portal);
  await one.buy(0);
  await one.buy(31, 'starter');
  await two.end(await two.buy(40, 'scale'));
  const ended = await two.buy(0, 'scale');
  portal.moveClock(10 * dayMs);
  await two.end(ended);
  portal.moveClock(30 * dayMs);
  await runRounds(portal.portal);
  for (const { id } of await portal.portal.db.selectFrom('refunds').select('id').execute()) {
    await carryOutRefund(portal.portal, id);
  }
  await vi.waitUntil(async () => (await unpaidRefunds()).length === 0, { timeout: 60_000 });
  last = today();
  figures = await read(first, last);
});
afterAll(() => portal.close());

test('revenue by day, product, plan and customer sums to the revenue of the books', async () => {
  const booked = await balanceOn(last);
  expect(booked).toBeGreaterThan(0);
  for (const rows of [figures.days, figures.products, figures.plans, figures.customers])
    expect(sum<{ revenue: number }>(rows, revenueIn)).toBe(booked);
});

test('the revenue of any part of the days is what the books earned in it', async () => {
  for (const [from, to] of [
    [first, addDays(first, 4)],
    [addDays(first, 5), addDays(first, 9)],
    [addDays(first, 10), addDays(first, 12)],
    [addDays(first, 33), last],
  ] as const) {
    const { days } = await read(from, to);
    expect(sum(days, ({ revenue }) => toPaise(revenue))).toBe(
      (await balanceOn(to)) - (await balanceOn(addDays(from, -1))),
    );
  }
});

test('cash is what customers paid less what was paid back', async () => {
  const { db } = portal.portal;
  const paid = await db.selectFrom('payments').select('amount_paise').where('captured_at', 'is not', null).execute();
  const back = await db.selectFrom('refunds').select('amount_paise').where('status', '=', 'PROCESSED').execute();
  expect(back.length).toBeGreaterThan(0);
  expect(sum(figures.days, ({ cash }) => toPaise(cash))).toBe(
    sum(paid, ({ amount_paise: amount }) => amount) - sum(back, ({ amount_paise: amount }) => amount),
  );
});

test('paid plans are counted on each day that they give access, and their days ahead on the last one', async () => {
  const onDay = new Map(figures.days.map(({ day, activePaidPlans }) => [day, activePaidPlans]));
  expect([0, 9, 10, 31, 40].map((days) => onDay.get(addDays(first, days)))).toEqual([2, 2, 1, 1, 1]);
  const paid = portal.portal.db.selectFrom('cycles').select(['from_date', 'to_date']).where('status', '=', 'PAID');
  const rows = await paid.execute();
  expect(rows.length).toBeGreaterThan(1);
  expect(sum(figures.plans, ({ prepaidDays }) => prepaidDays)).toBe(sum(rows, aheadOf));
});

test('customers who started free and have paid since are counted once for the product', () => {
  expect(figures.products.map(({ startedFree, nowPaid }) => [startedFree, nowPaid])).toEqual([[3, 2]]);
});

test('days to come are left out, and cannot be asked for alone', async () => {
  expect((await read(last, addDays(last, 9))).days.map(({ day }) => day)).toEqual([last]);
  await expect(read(addDays(last, 1), addDays(last, 2))).rejects.toThrow('has not come yet');
});

test('figures are the same from the sums of past days and from the rows themselves', async () => {
  const { db } = portal.owner;
  const part = await read(addDays(first, 3), addDays(first, 20));
  const count = () => db.selectFrom('summed_days').select('day').execute();
  expect((await count()).at(-1)?.day).toBe(addDays(last, -2));
  await sql`delete from summed_days`.execute(db);
  expect([await read(first, last), await read(addDays(first, 3), addDays(first, 20))]).toEqual([figures, part]);
  await sumDays(portal.portal.db, last);
  expect(await count()).toHaveLength(daysBetween(first, last) - 1);
  expect([await read(first, last), await read(addDays(first, 3), addDays(first, 20))]).toEqual([figures, part]);
});

test('a day is summed once, after the day before it and when the next is over', async () => {
  const { db } = portal.owner;
  await sumDays(portal.portal.db, last);
  await expect(sql`insert into summed_days values (${addDays(last, 1)}, 0)`.execute(db)).rejects.toThrow(
    'not the next',
  );
  await expect(sql`update summed_days set cash_paise = 0`.execute(db)).rejects.toThrow('never changed');
  await sql`update clock set reached_day = ${last}`.execute(db);
  await expect(sumDays(portal.portal.db, addDays(last, 2))).rejects.toThrow('not the next');
});

test('the registration of an invoice that is cancelled later takes its revenue from the days that were summed', async () => {
  const { db } = portal.owner;
  const plant = (statement: RawBuilder<unknown>) =>
    db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await statement.execute(tx);
    });
  await sumDays(portal.portal.db, last);
  await plant(sql`insert into e_invoices (document_id, irn, ack_number, ack_at, signed_qr, signed_invoice, cancelled_at, cancel_reason)
    select d.id, repeat('a', 64), '1', d.issued_at, 'q', 'i', d.issued_at, '1' from documents d join cycles c on c.id = d.cycle_id
    where d.kind = 'INVOICE' and c.ended_at is null limit 1`);
  const { days, plans, customers } = await read(first, last);
  const booked = await balanceOn(last);
  await plant(sql`delete from e_invoices`);
  expect(booked).toBeLessThan(sum(figures.days, revenueIn));
  for (const rows of [days, plans, customers]) expect(sum<{ revenue: number }>(rows, revenueIn)).toBe(booked);
});

test('answered calls are counted by day, product and customer; what the gateway refused apart, and not what an API said', async () => {
  expect(figures.days.map(({ refused }) => refused)).toEqual(figures.days.map(() => null));
  const { db } = portal.portal;
  const {
    id: cycle,
    activation_id: activation,
    customer_id: customer,
  } = await db
    .selectFrom('cycles')
    .select(['id', 'activation_id', 'customer_id'])
    .where('status', '=', 'PAID')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { owner } = portal;
  await sql`insert into usage_counts (activation_id, cycle_id, key_id, day, status_class, counted, calls, last_at, units)
    values (${activation}, ${cycle}, 'KEY-x', ${last}, 2, true, 40, now(), 40), (${activation}, ${cycle}, 'KEY-x', ${last}, 4, false, 2, now(), 0)`.execute(
    owner.db,
  );
  const call = {
    requestId: nextId(),
    at: startOfDay(last) + 3_600_000,
    status: 429,
    reason: 'refused' as const,
    problem: 'quota-exceeded;rule=second',
  };
  await writeBatch(portal, [call], activation, 'KEY-x', { 'quota-exceeded/second': 6, 'gstin-unknown': 3 });
  const found = await read(addDays(last, -1), last);
  expect(found.days.map(({ calls, refused }) => [calls, refused])).toEqual([
    [0, null],
    [42, 7],
  ]);
  expect(sum(found.products, ({ calls }) => calls)).toBe(42);
  expect(found.customers.find(({ customerId }) => customerId === customer)?.calls).toBe(42);
});
