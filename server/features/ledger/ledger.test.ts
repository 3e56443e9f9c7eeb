import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { openClient } from '#shared/database/clients.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { dayMs, type Money, startMoney } from '#server/money-tests/test-money.ts';
import { verifyChangesOf } from './verify-changes.ts';
import { verifyLedgerOf } from './verify-ledger.ts';
import { isWholeCheckDue, maxCheckAgeMs, readLedgerHealth, verifyLedger, verifyWholeLedger } from './watch.ts';

let money: Money;
/** A connection that can switch off triggers and foreign keys, like an intruder with full access. */
let intruder: Client;
beforeAll(async () => {
  money = await startMoney();
  await tradeABit();
  intruder = openClient({ connectionString: money.owner.databaseUrl });
  await intruder.connect();
});
afterAll(async () => {
  await intruder.end();
  await money.close();
});

/** Three paid cycles, one of them cancelled, and a payment for a removed one: every kind of entry. */
async function tradeABit(): Promise<void> {
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, plan, customer.token);
  const pay = async (cycleId: string, meanwhile?: () => Promise<unknown>) => {
    const { orderId } = await createOrder(money.portal, customer, cycleId);
    const { paymentId } = await money.checkOut(orderId);
    await meanwhile?.();
    await settlePayment(money.portal, paymentId);
  };
  const add = async (inDays: number) =>
    (await addCycle(money.portal, customer, activationId, 'starter', addDays(dayOf(money.portal.clock()), inDays)))
      .billingCycleId;
  const end = (cycleId: string) => endCycle(money.portal, customer, activationId, cycleId);
  await pay(billingCycleId ?? '');
  const next = await add(30);
  await pay(next);
  await pay(await add(60));
  await end(next);
  const removed = await add(90);
  await pay(removed, () => end(removed));
  await money.work();
}

test('after every kind of transaction the ledger verifies, and the chain has all entries', async () => {
  const report = await verifyLedgerOf(money.portal.db);
  expect(report.faults).toEqual([]);
  expect(report.position).toBe(7);
});

/** Plants a fault with triggers and foreign keys off, runs the verification, and rolls back. */
async function found(...statements: string[]): Promise<string[]> {
  const before = await verifyLedgerOf(money.portal.db);
  expect(before.faults).toEqual([]);
  await asIntruder(statements);
  const { faults } = await verifyLedgerOf(money.portal.db, { known: before });
  return faults;
}

async function asIntruder(statements: readonly string[]): Promise<void> {
  try {
    await intruder.query('begin');
    await intruder.query('set local session_replication_role = replica');
    for (const statement of statements) {
      const { rowCount } = await intruder.query(statement);
      expect(rowCount, statement).not.toBe(0);
    }
    await intruder.query('commit');
  } catch (error) {
    await intruder.query('rollback');
    throw error;
  }
}

const tables = ['payments', 'refunds', 'cycles', 'payment_orders', 'ledger_entries', 'ledger_lines', 'ledger_head'];

async function keepCopies(): Promise<void> {
  for (const table of tables) await intruder.query(`create table copy_of_${table} as table ${table}`);
}

async function putBack(): Promise<void> {
  await asIntruder([
    ...tables.toReversed().map((table) => `delete from ${table}`),
    ...tables.map((table) => `insert into ${table} select * from copy_of_${table}`),
  ]);
  for (const table of tables) await intruder.query(`drop table copy_of_${table}`);
}

const second = 'position = 2';
const last = 'position = (select max(position) from ledger_entries)';
const linesOf = (where: string) => `entry_id = (select id from ledger_entries where ${where})`;
const onePayment = `provider_payment_id = (select min(provider_payment_id) from payments where use = 'CYCLE')`;

test.each<[string, string[]]>([
  [
    'one bit of a hash is flipped',
    [`update ledger_entries set hash = set_bit(hash, 77, 1 - get_bit(hash, 77)) where ${second}`],
  ],
  [
    'one paisa is moved inside an entry, which still sums to zero',
    [`update ledger_lines set amount_paise = amount_paise + sign(amount_paise)::int where ${linesOf(second)}`],
  ],
  [
    'one line of an entry is one paisa more',
    [`update ledger_lines set amount_paise = amount_paise + 1 where account = 'provider' and ${linesOf(second)}`],
  ],
  ['a line is dropped', [`delete from ledger_lines where account = 'provider' and ${linesOf(second)}`]],
  [
    'an entry in the middle is dropped',
    [`delete from ledger_lines where ${linesOf(second)}`, `delete from ledger_entries where ${second}`],
  ],
  [
    'the last entry is dropped',
    [`delete from ledger_lines where ${linesOf(last)}`, `delete from ledger_entries where ${last}`],
  ],
  [
    'the last entry is dropped and the head set back, so that the chain alone looks whole',
    [
      `delete from ledger_lines where ${linesOf(last)}`,
      `delete from ledger_entries where ${last}`,
      `update ledger_head set position = e.position, hash = e.hash from ledger_entries e where e.${last}`,
    ],
  ],
  ['the head is ahead', ['update ledger_head set position = position + 1']],
  [
    'two entries are swapped',
    [
      `update ledger_entries set position = 1000 where position = 1`,
      `update ledger_entries set position = 1 where ${second}`,
      `update ledger_entries set position = 2 where position = 1000`,
    ],
  ],
  [
    'an entry is backdated by a millisecond',
    [`update ledger_entries set posted_at = posted_at - interval '1 millisecond' where ${second}`],
  ],
  ['an entry is given another customer', [`update ledger_entries set customer_id = 'CUS-X' where ${second}`]],
  ['an entry is given another payment', [`update ledger_entries set payment_id = 'pay_X' where ${second}`]],
  ['an entry is missing from the chain', [`update ledger_entries set position = null, hash = null where ${last}`]],
  ['a payment is one paisa more', [`update payments set amount_paise = amount_paise + 1 where ${onePayment}`]],
  ['a payment is dropped', [`delete from payments where ${onePayment}`]],
  ['a payment is used for something else', [`update payments set use = 'REFUND' where ${onePayment}`]],
  [
    'a captured payment has no entry',
    [
      `insert into payments select 'pay_new', order_id, cycle_id, customer_id, amount_paise, currency, status, method, null, created_at, captured_at, 'REFUND' from payments where ${onePayment}`,
    ],
  ],
  ['a refund is dropped', [`delete from refunds where id = (select min(id) from refunds)`]],
  ['a refund is one paisa more', [`update refunds set amount_paise = amount_paise + 1`]],
  [
    'a completed refund is marked as pending',
    [`update refunds set status = 'PENDING', settled_at = null, next_try_at = now()`],
  ],
  ['a cancelled cycle gives access again', [`update cycles set status = 'PAID' where status = 'REFUNDED'`]],
  [
    'a removed cycle is marked as paid',
    [`update cycles set status = 'PAID', paid_at = created_at where status = 'REMOVED'`],
  ],
  ['a paid cycle is marked as refunded', [`update cycles set status = 'REFUNDED' where status = 'PAID'`]],
  ['a cycle is one day longer', [`update cycles set to_date = to_date + 1`]],
  ['an order is over another price', [`update payment_orders set amount_paise = amount_paise - 1`]],
])('the verification finds that %s', async (_what, statements) => {
  const known = await verifyChangesOf(money.portal.db, undefined);
  expect(known.faults).toEqual([]);
  await keepCopies();
  try {
    expect(await found(...statements)).not.toEqual([]);
    expect((await verifyChangesOf(money.portal.db, known)).faults).not.toEqual([]);
  } finally {
    await putBack();
  }
});

test('the hash covers every column of an entry', async () => {
  const changes = {
    id: `'capture:pay_X'`,
    kind: `'CAPTURED_FOR_REFUND'`,
    payment_id: `'pay_X'`,
    refund_id: `'RFD-X'`,
    cycle_id: `'CYC-X'`,
    customer_id: `'CUS-X'`,
    currency: `'INr'`,
    posted_at: `posted_at + interval '1 millisecond'`,
    position: '9999',
    hash: 'set_byte(hash, 31, 255 - get_byte(hash, 31))',
  };
  const { rows } = await intruder.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'ledger_entries'`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(changes).toSorted());
  for (const [column, change] of Object.entries(changes)) {
    await keepCopies();
    const where = column === 'refund_id' ? 'refund_id is not null' : 'position = 1';
    const faults = await found(`update ledger_entries set ${column} = ${change} where ${where}`);
    await putBack();
    expect(faults, column).not.toEqual([]);
  }
});

test('in the running portal a fault is logged and reported by health until it is fixed', async () => {
  const health = async () => (await fetch(`${money.portalUrl}/backend/health`)).json();
  expect(await readLedgerHealth(money.portal)).toMatchObject({ ok: true, holds: null, checkedAt: null });
  await verifyLedger(money.portal);
  expect(await health()).toMatchObject({ status: 'ok', ledger: { holds: true } });
  await keepCopies();
  await found(`update payments set amount_paise = amount_paise + 1 where ${onePayment}`);
  await verifyLedger(money.portal);
  expect(await health()).toMatchObject({ status: 'failing', ledger: { ok: false, holds: false } });
  expect(money.logLines.join('')).toContain('THE LEDGER IS WRONG');
  await putBack();
  await verifyLedger(money.portal);
  expect(await health()).toMatchObject({ ledger: { holds: true } });
});

test('the check of each minute reads only customers whose money changed', async () => {
  const db = money.portal.db;
  const known = await verifyChangesOf(db, undefined);
  await keepCopies();
  // Without the trigger that records changed customers, only the full check can find what was changed.
  await intruder.query('alter table payments disable trigger noted_for_ledger');
  await asIntruder([`update payments set amount_paise = amount_paise + 1 where ${onePayment}`]);
  expect((await verifyChangesOf(db, known)).faults).toEqual([
    expect.stringContaining('trigger noted_for_ledger of payments is off'),
  ]);
  await intruder.query('alter table payments enable always trigger noted_for_ledger');
  expect((await verifyChangesOf(db, known)).faults).toEqual([]);
  expect((await verifyLedgerOf(db)).faults).not.toEqual([]);
  await putBack();
});

test('a customer with a fault is checked again until the fault is fixed', async () => {
  const db = money.portal.db;
  const known = await verifyChangesOf(db, undefined);
  await keepCopies();
  await asIntruder([`update payments set amount_paise = amount_paise + 1 where ${onePayment}`]);
  expect((await verifyChangesOf(db, known)).faults).not.toEqual([]);
  expect((await verifyChangesOf(db, known)).faults).not.toEqual([]);
  await putBack();
  expect((await verifyChangesOf(db, known)).faults).toEqual([]);
});

test('health is not ok when a check is too old, never ran, or failed', async () => {
  const { portal } = money;
  const old = { ...portal, startedAt: portal.machineClock() - maxCheckAgeMs.changes };
  await verifyLedger(portal);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true, wholeCheckedAt: null });
  expect(await readLedgerHealth(old)).toMatchObject({ ok: false, wholeCheckedAt: null });
  expect(await isWholeCheckDue(portal)).toBe(true);
  await verifyWholeLedger(portal);
  expect(await isWholeCheckDue(portal)).toBe(false);
  expect(await readLedgerHealth(old)).toMatchObject({ ok: true, holds: true });
  const later = (ms: number) => ({ ...portal, machineClock: () => portal.machineClock() + ms });
  expect(await readLedgerHealth(later(maxCheckAgeMs.changes + 5000))).toMatchObject({ ok: false, holds: true });
  const checked_at = new Date(Date.now() + maxCheckAgeMs.whole);
  await portal.db.updateTable('ledger_checks').set({ checked_at }).execute();
  expect(await readLedgerHealth(later(maxCheckAgeMs.whole - 60_000))).toMatchObject({ ok: true });
  expect(await readLedgerHealth(later(maxCheckAgeMs.whole + 5000))).toMatchObject({ ok: false, holds: true });
  expect(await isWholeCheckDue(later(maxCheckAgeMs.whole))).toBe(true);
  await intruder.query('alter table refunds rename to refunds_away');
  await expect(verifyWholeLedger(portal)).rejects.toThrow('refunds');
  await intruder.query('alter table refunds_away rename to refunds');
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: false });
  await verifyLedger(portal);
  await verifyWholeLedger(portal);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true });
});

test('a clock that goes back does not reorder the ledger', async () => {
  money.moveClock(-3 * dayMs);
  await tradeABit();
  money.moveClock(3 * dayMs);
  const { rows } = await intruder.query(
    `select from (select posted_at, lag(posted_at) over (order by position) as before from ledger_entries) e where posted_at < before`,
  );
  expect(rows).toEqual([]);
  expect(await money.faults()).toEqual([]);
});

test('overlapping cycles are found even without the constraint that forbids them', async () => {
  await intruder.query('alter table cycles drop constraint cycles_never_overlap');
  await asIntruder([`update cycles set from_date = '2030-01-01', to_date = '2030-01-31' where status = 'PAID'`]);
  expect((await money.faults()).join()).toContain('overlap');
});
