import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { phaseOf } from '#shared/domain/cycle.ts';
import { addDays, dayOf, daysBetween, startOfDay } from '#shared/domain/day.ts';
import { addCycle } from '#server/features/cycles/cycles.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { sessionIdleMs } from '#shared/domain/session.ts';
import { createSession, findSession } from '#server/auth/sessions.ts';
import { followClock } from '#server/product-clock.ts';
import { deleteOldRows } from '#server/retention/delete-old.ts';
import { copyDocuments, jsonIn } from '#server/test/copied-document.ts';
import { dayMs, hourMs, type Money, startMoney } from './test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** A portal on a machine whose clock the test moves: `machine.at` is the time that clock shows. */
async function onMachine(machine: { at: number }) {
  const warnings: string[] = [];
  const product = await followClock(money.portal.db, () => machine.at, {
    movable: false,
    onWaiting: (day) => void warnings.push(day),
  });
  return { warnings, product, portal: money.anotherPortal({ clock: product.clock }) };
}

const day = (clock: () => number) => dayOf(clock());
const startAnew = () => sql`update clock set reached_day = null`.execute(money.portal.db);

test('clocks that jump under load grant nothing twice, revive no cycle and date no document before its predecessor', async () => {
  await startAnew();
  const machine = { at: Date.now() };
  const [first, second] = [await onMachine(machine), await onMachine(machine)];
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'starter' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, plan, customer.token);
  let unpaid = [billingCycleId];
  const over = new Set<string>();
  let latest = day(first.product.clock);
  // Back and forth by a day, a month's correction, the change of the financial year, and a year ahead and back.
  const jumps = [-1, 1, 2, -1, 31, -30, 29, 3, -2, 45, -45, 46, 60, -1, 365, -364, 1, -1, 370].map(
    (days) => days * dayMs,
  );
  for (const [index, jump] of [...jumps, -hourMs, hourMs].entries()) {
    const by = index % 2 === 0 ? first : second;
    const working = [
      ...unpaid.map(async (cycleId) => {
        const { orderId } = await createOrder(by.portal, customer, cycleId);
        const { paymentId } = await money.checkOut(orderId);
        await Promise.all([settlePayment(first.portal, paymentId), settlePayment(second.portal, paymentId)]);
      }),
      invoiceStartedCycles(by.portal),
    ];
    // While the load is running.
    machine.at += jump;
    await Promise.all(working);
    await Promise.all([first.product.follow(), second.product.follow()]);
    const today = day(by.product.clock);
    expect(today >= latest).toBe(true);
    latest = today;
    const cycles = await money.portal.db
      .selectFrom('cycles')
      .selectAll()
      .where('activation_id', '=', activationId)
      .execute();
    for (const { id, from_date: fromDate, to_date: toDate } of cycles) {
      const phase = phaseOf({ fromDate, toDate }, today);
      expect([id, over.has(id) ? phase : 'over']).toEqual([id, 'over']);
      if (phase === 'over') over.add(id);
    }
    const last = cycles.map((cycle) => cycle.to_date).reduce((a, b) => (a > b ? a : b), today);
    const added = await addCycle(by.portal, customer, activationId, 'starter', last > today ? last : today);
    unpaid = daysBetween(today, last) > 60 ? [] : [added.billingCycleId];
  }
  expect(over.size).toBeGreaterThan(3);
  expect(first.warnings.length).toBeGreaterThan(0);
  const { rows } = await sql<{ number: string }>`select number from (select number, issued_on,
      lag(issued_on) over (order by ctid) as before from documents) d where issued_on < before`.execute(
    money.portal.db,
  );
  expect(rows).toEqual([]);
  expect(await money.faults()).toEqual([]);
  await first.product.stop();
  await second.product.stop();
});

test('on a machine that wakes up with yesterday’s clock, billing time stops on the day already reached', async () => {
  await startAnew();
  const noon = startOfDay('2031-03-31') + 12 * hourMs;
  const before = await onMachine({ at: noon + dayMs });
  await before.product.stop();
  const machine = { at: noon };
  const woken = await onMachine(machine);
  expect(woken.product.clock()).toBe(startOfDay('2031-04-01'));
  expect(woken.warnings).toEqual(['2031-04-01']);
  machine.at = noon + dayMs + 1;
  expect(woken.product.clock()).toBe(machine.at);
  // The operator has corrected the clock.
  machine.at = noon;
  await startAnew();
  await woken.product.follow();
  expect(woken.product.clock()).toBe(noon);
  await woken.product.stop();
});

test('a clock that has stopped writes nothing more, even if it was writing at that moment', async () => {
  await startAnew();
  const { db } = money.portal;
  const machine = { at: Date.now() };
  const { product } = await onMachine(machine);
  let stopped: Promise<void> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select from clock for update`.execute(tx);
    machine.at += dayMs;
    const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update "clock"%'`;
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    stopped = product.stop();
    // As long as the lock is held, it is still writing.
    expect(await Promise.race([stopped.then(() => 'stopped'), sleep(50, 'writing')])).toBe('writing');
  });
  await stopped;
  await startAnew();
  await sleep(50);
  expect(await db.selectFrom('clock').select('reached_day').executeTakeFirst()).toEqual({ reached_day: null });
});

test('the database refuses a past day for the clock, a cycle and a document', async () => {
  await startAnew();
  const { db } = money.portal;
  await sql`update clock set reached_day = '2099-01-02'`.execute(db);
  await expect(sql`update clock set reached_day = '2099-01-01'`.execute(db)).rejects.toThrow(/has been reached/);
  const late = { id: 'CYC-LATE', status: 'PAYMENT_PENDING', from_date: '2099-01-01', to_date: '2099-01-31' };
  const cycle = sql`insert into cycles select (jsonb_populate_record(c, ${JSON.stringify(late)}::jsonb)).* from cycles c limit 1`;
  await expect(cycle.execute(db)).rejects.toThrow(/would begin on 2099-01-01, and 2099-01-02 has been reached/);
  const document = copyDocuments(
    jsonIn({ id: 'DOC-LATE', number: 'X/1' }),
    'd.id = (select id from documents limit 1)',
  );
  await expect(sql.raw(document).execute(db)).rejects.toThrow(/has been reached/);
  await startAnew();
});

test('an expired session stays expired when the clock goes back, and a session last used in the future is expired', async () => {
  const { db } = money.portal;
  const { customerId } = await money.newCustomer();
  const machine = { at: Date.now() };
  const now = () => machine.at;
  const { id } = await db
    .selectFrom('members')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  const session = () => createSession(db, id, now);
  const [seen, swept, ahead] = [await session(), await session(), await session()];
  machine.at += sessionIdleMs + 1;
  expect(await findSession(db, seen, now)).toBeUndefined();
  await deleteOldRows(db, { machine: new Date(now()), today: dayOf(now()) });
  machine.at -= sessionIdleMs;
  expect(await findSession(db, seen, now)).toBeUndefined();
  expect(await findSession(db, swept, now)).toBeUndefined();
  const another = await session();
  expect(await findSession(db, another, now)).toMatchObject({ customerId, memberId: id, role: 'owner' });
  machine.at -= dayMs;
  expect(await findSession(db, another, now)).toBeUndefined();
  machine.at += dayMs;
  expect(await findSession(db, another, now)).toBeUndefined();
  expect(await findSession(db, ahead, now)).toBeUndefined();
  expect(addDays(dayOf(machine.at), 1) > dayOf(machine.at)).toBe(true);
});

test('a document that follows another is not older, even when the clock stepped back in between', async () => {
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'starter' } };
  const { activationId } = await money.ask(activatePlan, plan, customer.token);
  const next = addDays(dayOf(money.portal.clock()), 40);
  const { billingCycleId } = await addCycle(money.portal, customer, activationId, 'starter', next);
  const { orderId } = await createOrder(money.portal, customer, billingCycleId);
  await settlePayment(money.portal, (await money.checkOut(orderId)).paymentId);
  const of = async () =>
    money.portal.db
      .selectFrom('documents')
      .select(['kind', 'issued_at'])
      .where('cycle_id', '=', billingCycleId)
      .orderBy('sequence')
      .execute();
  const [voucher] = await of();
  expect(voucher?.kind).toBe('RECEIPT_VOUCHER');
  money.moveClock(-60_000);
  onTestFinished(() => money.moveClock(60_000));
  expect(money.portal.clock()).toBeLessThan(voucher?.issued_at.getTime() ?? 0);
  await money.ask(deleteActivation, { params: { activationId } }, customer.token);
  const refunded = (await of()).find(({ kind }) => kind === 'REFUND_VOUCHER');
  expect(refunded?.issued_at).toEqual(voucher?.issued_at);
});
