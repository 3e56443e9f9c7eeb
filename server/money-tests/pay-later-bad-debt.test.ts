import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActivations } from '#shared/contract/activations.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { readCredit, readStatement } from '#shared/contract/credit.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { readVouchers } from '#server/features/bookkeeping/bookkeeping.ts';
import { readGstReturns } from '#server/features/documents/documents.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { entryOfWriteOff } from '#shared/domain/ledger.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import { billed, termsCause } from './test-credit.ts';
import { catalogThatRefunds, dayMs, hourMs, type Money, startMoney } from './test-money.ts';
import { declareTds } from './test-tds.ts';
import { accountIdOf, price, tenth, transfersAt } from './test-transfers.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
});
afterAll(() => money.close());

const { noFaults, balanceOf } = transfersAt(() => money);
const today = () => dayOf(money.portal.clock());
const month = () => today().slice(0, 7);
const cause = { actor: 'asha', reason: 'In liquidation' };
const writeOff = (cycleId: string, as = cause) =>
  actAsOperator(money.portal, 'finance', 'writeOffBill', { cycleId }, as);

/** A bill whose plan has stopped: sold within two days, and a day more. */
async function stopped() {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  money.moveClock(4 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 4 * dayMs });
  return one;
}

const statementOf = (token: string) =>
  money.ask(readStatement, { query: { from: addDays(today(), -60), to: today() } }, token);
const stopsOn = async (cycleId: string) => {
  const { rows } = await sql<{ day: string | null }>`
    select plan_stops_on(c)::text as day from cycles c where c.id = ${cycleId}`.execute(money.portal.db);
  return rows[0]?.day;
};
const returns = async () => JSON.stringify([...(await readGstReturns(money.portal.db, month()))]);
const entriesOf = (cycleId: string) =>
  money.portal.db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_lines', 'ledger_lines.entry_id', 'ledger_entries.id')
    .select(['kind', 'amount_paise'])
    .where('cycle_id', '=', cycleId)
    .where('account', '=', 'bad_debts')
    .orderBy('position')
    .execute();

test('a bill is written off as a bad debt once its plan has stopped: nothing is due, and tax and returns stay', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  await expect(writeOff(one.cycleId)).rejects.toThrow(/is written off from \d{4}-\d\d-\d\d on, when its plan stops/);
  await expect(writeOff('CYC-000000000000')).rejects.toThrow('There is no bill for CYC-000000000000');
  money.moveClock(4 * dayMs);
  await money.work();
  const [owed, bad, tax] = [await balanceOf('customers'), await balanceOf('bad-debts'), await returns()];
  const papers = await one.documents();
  const shown = await previewAsOperator(money.portal, 'finance', 'writeOffBill', { cycleId: one.cycleId }, cause);
  expect(shown).toMatchObject({ customerId: one.customerId, amount: 1499, invoice: papers[0]?.number });
  await writeOff(one.cycleId);
  expect(await one.bill()).toMatchObject({ due_paise: 0, written_off_paise: price, owed_paise: price });
  // It is owed all the same: nothing more is sold on terms, and the limit is no higher.
  expect(await one.credit()).toMatchObject({
    due: 0,
    bills: [{ due: 0, writtenOff: 1499, state: 'WRITTEN_OFF' }],
    terms: { left: 3501, why: 'WRITTEN_OFF' },
  });
  const statement = await statementOf(one.token);
  expect(statement).toMatchObject({
    lines: [
      { kind: 'INVOICE', amount: 1499 },
      { kind: 'WRITTEN_OFF', reference: papers[0]?.number, amount: -1499, balance: 0 },
    ],
    closing: 0,
    writtenOff: 1499,
  });
  expect(statement.ageing.map(({ amount }) => amount)).toEqual([0, 0, 0, 0, 0]);
  expect([await balanceOf('customers'), await balanceOf('bad-debts')]).toEqual([owed - price, bad + price]);
  expect(await readVouchers(money.portal.db, today())).toContainEqual(
    expect.objectContaining({
      kind: 'Journal',
      customerId: one.customerId,
      narration: `Invoice ${papers[0]?.number ?? ''} written off as a bad debt`,
    }),
  );
  expect(await returns()).toBe(tax);
  expect(await one.documents()).toHaveLength(1);
  await expect(writeOff(one.cycleId)).rejects.toThrow(/^Nothing is due of /);
  await noFaults();
  // Nobody is reminded, however long it takes.
  const mails = () =>
    money.portal.db.selectFrom('mails').select('id').where('customer_id', '=', one.customerId).execute();
  await money.work();
  const sent = await mails();
  money.moveClock(20 * dayMs);
  await money.work();
  expect(await mails()).toEqual(sent);
});

test('a plan says what of it is owed, and that its calls are refused, until its bill is paid', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  const other = await one.next(40);
  await one.later(other);
  const dueOn = addDays(today(), 2);
  const shown = async () => {
    const { activations } = await money.ask(listActivations, {}, one.token);
    const activation = activations[0];
    const cycles = activation?.billingCycles.map(({ bill }) => bill?.state);
    const entry = (await one.cycles()).find(({ id }) => id === one.cycleId);
    expect(entry?.bill).toEqual(activation?.billingCycles[0]?.bill);
    const { billingStatus, callsRefused } = activation ?? {};
    return { billingStatus, refused: callsRefused?.reason, bill: entry?.bill, cycles };
  };
  const bill = { owed: 1499, dueOn };
  const due = { billingStatus: 'PENDING', bill: { ...bill, state: 'DUE' }, cycles: ['DUE', 'DUE'] };
  expect(await shown()).toEqual({ ...due, refused: undefined });
  money.moveClock(3 * dayMs);
  expect(await shown()).toMatchObject({ billingStatus: 'DUE', bill: { state: 'OVERDUE' }, refused: undefined });
  money.moveClock(dayMs);
  const stopped = { billingStatus: 'DUE', bill: { ...bill, state: 'STOPPED' }, cycles: ['STOPPED', 'STOPPED'] };
  expect(await shown()).toEqual({ ...stopped, refused: 'unpaid-bill' });
  await writeOff(one.cycleId);
  expect(await shown()).toMatchObject({ bill: { ...bill, state: 'WRITTEN_OFF' }, refused: 'unpaid-bill' });
  await money.buy(one.token, one.cycleId);
  expect(await shown()).toMatchObject({ billingStatus: 'PAID', bill: null, refused: undefined });
});

test('a bill is written off by the number of its invoice too', async () => {
  const one = await stopped();
  const number = (await one.documents())[0]?.number ?? '';
  await writeOff(number);
  expect(await one.bill()).toMatchObject({ due_paise: 0, written_off_paise: price });
});

test('what was written off stops no other plan, and its own plan stays stopped', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  const other = await one.next(40);
  await one.later(other);
  money.moveClock(4 * dayMs);
  const day = (await one.bill()).stops_on;
  expect([await stopsOn(one.cycleId), await stopsOn(other)]).toEqual([day, day]);
  await writeOff(one.cycleId);
  const { stops_on: own } = await money.portal.db
    .selectFrom('credit_bills')
    .select('stops_on')
    .where('cycle_id', '=', other)
    .executeTakeFirstOrThrow();
  expect([await stopsOn(one.cycleId), await stopsOn(other)]).toEqual([day, own]);
  await noFaults();
});

test('a bad debt is paid after all, also on an order from before: it is due again first, and the books take it back', async () => {
  for (const isOrderedBefore of [false, true]) {
    const one = await stopped();
    const { orderId } = await one.order();
    const bad = await balanceOf('bad-debts');
    await writeOff(one.cycleId);
    const again = isOrderedBefore ? orderId : (await one.order()).orderId;
    const paid = await money.checkOut(again);
    expect(await money.ask(verifyPayment, { body: paid }, one.token)).toMatchObject({ status: 'success' });
    expect(await one.bill()).toMatchObject({ due_paise: 0, written_off_paise: 0 });
    expect(await balanceOf('bad-debts')).toBe(bad);
    expect(await entriesOf(one.cycleId)).toEqual([
      { kind: 'WRITTEN_OFF', amount_paise: price },
      { kind: 'REINSTATED', amount_paise: -price },
    ]);
    expect(await one.documents()).toHaveLength(1);
    expect(await statementOf(one.token)).toMatchObject({
      lines: [{ kind: 'INVOICE' }, { kind: 'WRITTEN_OFF' }, { kind: 'REINSTATED', amount: 1499 }, { kind: 'PAYMENT' }],
      writtenOff: 0,
    });
    expect(await one.credit()).toMatchObject({ bills: [{ state: 'PAID' }], terms: { left: 5000, why: null } });
    expect(await money.send(createOrder, { params: { id: one.cycleId } }, one.token)).toMatchObject({
      body: { code: 'nothing_to_pay' },
    });
    await noFaults();
  }
});

test('a refund, a certificate and an end make the rest due again, and it can be written off again', async () => {
  const refunded = await stopped();
  await writeOff(refunded.cycleId);
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: refunded.cycleId, amount: 499 }, termsCause);
  expect(await refunded.bill()).toMatchObject({ due_paise: 100_000, written_off_paise: 0 });
  await writeOff(refunded.cycleId);
  expect(await entriesOf(refunded.cycleId)).toMatchObject([{}, {}, { kind: 'WRITTEN_OFF', amount_paise: 100_000 }]);

  const deducted = await stopped();
  await writeOff(deducted.cycleId);
  const claimId = await declareTds(money, deducted, deducted.cycleId, 12_700);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, termsCause);
  expect(await deducted.bill()).toMatchObject({ due_paise: price - 12_700, written_off_paise: 0 });

  const ended = await stopped();
  await writeOff(ended.cycleId);
  const params = { activationId: ended.activationId, billingCycleId: ended.cycleId };
  const { offsetAmount } = await money.ask(endCycle, { params }, ended.token);
  expect(offsetAmount).toBeGreaterThan(0);
  expect(await ended.bill()).toMatchObject({ due_paise: price - Math.round(offsetAmount * 100), written_off_paise: 0 });
  await noFaults();
});

test('nothing is written off while a transfer is held for its bill, which pays once an operator says so', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  await money.ask(payByTransfer, asked, one.token);
  const accountId = await accountIdOf(money, one.customerId);
  await money.standin('POST', `/standin/virtual_accounts/${accountId}/credit`, { amount: price - tenth });
  await money.work(money.portal, 3 * hourMs);
  money.moveClock(4 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 4 * dayMs });
  await expect(writeOff(one.cycleId)).rejects.toThrow(/^A transfer is held for .*: octroi transfers list$/);
  const { paymentId } = await money.portal.db
    .selectFrom('payments')
    .select('provider_payment_id as paymentId')
    .where('customer_id', '=', one.customerId)
    .where('use', '=', 'HELD')
    .executeTakeFirstOrThrow();
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, cause);
  expect(await one.bill()).toMatchObject({ due_paise: 0, written_off_paise: 0 });
  await noFaults();
});

test('of two write-offs at once one is done, and a payment beside one is kept', async () => {
  const one = await stopped();
  const both = await Promise.allSettled([writeOff(one.cycleId), writeOff(one.cycleId)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const two = await stopped();
  const { orderId } = await two.order();
  const paid = await money.checkOut(orderId);
  await Promise.allSettled([writeOff(two.cycleId), money.ask(verifyPayment, { body: paid }, two.token)]);
  expect(await two.bill()).toMatchObject({ owed_paise: 0 });
  expect(await money.ask(readCredit, {}, two.token)).toMatchObject({ bills: [{ state: 'PAID' }] });
  await noFaults();
});

test('the database itself holds that a bad debt is a bill, written off by an operator once its plan has stopped', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  const { payment_id: paymentId, cycle_id: cycleId, customer_id: customerId } = await one.bill();
  const about = { paymentId, cycleId, customerId, currency: 'INR' };
  const post = (...entries: ReturnType<typeof entryOfWriteOff>[]) =>
    money.portal.db.transaction().execute(async (tx) => {
      for (const entry of entries) await postEntry(tx, entry, new Date(money.portal.clock()));
    });
  const whole = entryOfWriteOff(about, price, 1);
  await expect(post(whole)).rejects.toThrow('is not of a bill for which plans have stopped, or not in the audit log');
  await expect(post(entryOfWriteOff(about, price - 100, 1))).rejects.toThrow('written_off_as_a_whole');
  money.moveClock(4 * dayMs);
  await expect(post(whole)).rejects.toThrow('not in the audit log');
  await expect(post({ ...whole, kind: 'CAPTURED_FOR_BILL', id: 'capture:x' })).rejects.toThrow(
    'moves a bad debt of no bill',
  );
  await writeOff(one.cycleId);
  const back = { ...whole, id: `reinstate:${paymentId}`, kind: 'REINSTATED' as const };
  const lines = whole.lines.map(({ account, amountPaise }) => ({ account, amountPaise: -amountPaise }));
  await expect(post({ ...back, lines })).rejects.toThrow('moves a bad debt of no bill');
  await expect(
    money.portal.db.updateTable('credit_bills').set({ written_off_paise: 0 }).where('cycle_id', '=', cycleId).execute(),
  ).rejects.toThrow('follows the ledger');
  await noFaults();
});
