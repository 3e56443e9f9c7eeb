import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import * as calls from '#shared/contract/pay-links.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { textOfLink } from './link-commands.ts';
import { billed } from './test-credit.ts';
import { accountsAtProvider, adding, asking, price, tan, tenth, transfersAt } from './test-transfers.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { settle, declare, noFaults } = transfersAt(() => money);

async function linkOf({ activationId, token }: { activationId: string; token: string }, ...cycleIds: string[]) {
  const body = { billingCycleIds: cycleIds, endsEarlier: false };
  return textOfLink(await money.ask(calls.makePayLink, { params: { activationId }, body }, token));
}

/** A business with a bill, and its pay link. */
async function linked() {
  const one = await asking(money);
  const link = await linkOf(one, one.cycleId);
  const read = () => money.ask(calls.readPayLink, { body: { link } });
  return { one, link, read };
}

test('a payer transfers the amount of a link, or that less the tax that its customer has declared, without seeing the TAN', async () => {
  const { one, link, read } = await linked();
  expect(await read()).toMatchObject({ state: 'OPEN', bill: { byTransfer: true } });
  await declare(one);
  const asked = await money.ask(calls.transferByPayLink, { body: { link } });
  expect(asked).toMatchObject({
    amount: price / 100,
    account: { number: one.asked.account.number },
    less: { percent: 10, tds: tenth / 100, amount: (price - tenth) / 100 },
  });
  expect(JSON.stringify(asked)).not.toContain(tan);
  await one.credit(price - tenth);
  await settle();
  expect(await read()).toEqual({ state: 'PAID', bill: null });
  await noFaults();
});

test('the customer asks for the account number after a holder has: the record of it took a step, and no check finds a fault', async () => {
  const one = await adding(money);
  const body = { link: await linkOf(one, one.cycleId) };
  await money.ask(calls.transferByPayLink, { body });
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  expect(await money.ask(payByTransfer, asked, one.token)).toMatchObject({ amount: price / 100 });
  await noFaults();
});

test('the customer asks for the account number for a bill whose order a holder of its link has made', async () => {
  const one = await billed(money);
  await money.ask(calls.orderByPayLink, { body: { link: await linkOf(one, one.cycleId) } });
  const asked = { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } };
  expect(await money.ask(payByTransfer, asked, one.token)).toMatchObject({ amount: price / 100 });
  await noFaults();
});

test('while a transfer is held, its link takes no other money', async () => {
  const { one, link, read } = await linked();
  await one.credit(price - tenth);
  await settle();
  expect(await read()).toMatchObject({ state: 'CONFIRMING' });
  const order = await money.send(calls.orderByPayLink, { body: { link } });
  expect(order.body).toMatchObject({ code: 'payment_under_way' });
  await noFaults();
});

test('a transfer pays what the customer asked for, also when holders of links asked for another bill of its price before, or ordered since', async () => {
  const one = await adding(money);
  const add = async (days: number) => {
    const startDate = addDays(dayOf(money.portal.clock()), days);
    const asked = { params: { activationId: one.activationId, planId: 'growth' }, body: { startDate } };
    return (await money.ask(addCycle, asked, one.token)).billingCycleId ?? '';
  };
  const [second, third] = [await add(30), await add(60)];
  await money.ask(calls.transferByPayLink, { body: { link: await linkOf(one, second) } });
  money.moveClock(60_000);
  const { account } = await money.ask(
    payByTransfer,
    { params: { activationId: one.activationId }, body: { billingCycleIds: [one.cycleId] } },
    one.token,
  );
  // It takes the place of the customer's order.
  await money.ask(calls.orderByPayLink, { body: { link: await linkOf(one, one.cycleId, third) } });
  const { id } = await money.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('account_number', '=', account.number)
    .executeTakeFirstOrThrow();
  const paid = async (aheadMs: number) => {
    await money.standin('POST', `/standin/virtual_accounts/${id}/credit`, { amount: price });
    await money.work(money.portal, aheadMs);
    const rows = await money.portal.db
      .selectFrom('cycles')
      .select('id')
      .where('activation_id', '=', one.activationId)
      .where('status', '=', 'PAID')
      .orderBy('from_date')
      .execute();
    return rows.map((cycle) => cycle.id);
  };
  expect(await paid(60_000)).toEqual([one.cycleId]);
  expect(await paid(3_600_000)).toEqual([one.cycleId, second]);
  await noFaults();
});

const cause = { actor: 'asha', reason: 'Sent to the wrong company' };
const endLinks = (activationId: string) => actAsOperator(money.portal, 'owner', 'endPayLinks', { activationId }, cause);
const endsLinks = (activationId: string) =>
  previewAsOperator(money.portal, 'owner', 'endPayLinks', { activationId }, cause);
const erase = (customerId: string) =>
  eraseByOperator(money.portal, customerId, cause, { endPlans: true, withinYear: true });
const read = (link: string) => money.ask(calls.readPayLink, { body: { link } });

test('an operator ends the links of a deleted activation with a bill, and those of no other customer', async () => {
  const [one, other] = [await billed(money), await billed(money)];
  const second = await one.next(40);
  await one.later(second);
  const [link, ofOther] = [await linkOf(one, one.cycleId), await linkOf(other, other.cycleId)];
  expect(await endsLinks(one.activationId)).toMatchObject({ customerId: one.customerId, unpaid: 2 });
  for (const { activationId, token } of [one, other])
    await money.ask(deleteActivation, { params: { activationId } }, token);
  expect(await read(link)).toMatchObject({ state: 'OPEN' });
  expect(await endsLinks(one.activationId)).toMatchObject({ customerId: one.customerId, unpaid: 1 });
  await endLinks(one.activationId);
  expect(await read(link)).toEqual({ state: 'WITHDRAWN', bill: null });
  expect(await read(ofOther)).toMatchObject({ state: 'OPEN' });
  expect(await read(await linkOf(one, one.cycleId))).toMatchObject({ state: 'OPEN' });
  await noFaults();
});

/** Businesses with bills that are written off, as their plans have stopped, and the links of the bills. */
async function writtenOff(count: number) {
  const debtors = [];
  for (let made = 0; made < count; made += 1) {
    const one = await billed(money, { days: 2, stopAfterDays: 1 });
    debtors.push({ ...one, link: await linkOf(one, one.cycleId) });
  }
  money.moveClock(4 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 4 * dayMs });
  for (const { cycleId } of debtors) await actAsOperator(money.portal, 'finance', 'writeOffBill', { cycleId }, cause);
  return debtors;
}

test('an erasure ends every link of its customer, whose holders then read no name and make nothing at Razorpay', async () => {
  const [one, other] = await writtenOff(2);
  if (!one || !other) throw new Error('no debtors');
  const unpaid = await one.next(40);
  const links = [one.link, await linkOf(one, unpaid)];
  expect(await read(one.link)).toMatchObject({ state: 'OPEN' });
  await erase(one.customerId);
  const accounts = (await accountsAtProvider(money)).length;
  for (const link of links) {
    expect(await read(link)).toEqual({ state: 'UNAVAILABLE', bill: null });
    for (const call of [calls.orderByPayLink, calls.transferByPayLink])
      expect(await money.send(call, { body: { link } })).toMatchObject({ status: 409, body: { code: 'link_expired' } });
  }
  expect(await accountsAtProvider(money)).toHaveLength(accounts);
  for (const id of [one.cycleId, one.activationId, unpaid])
    await expect(readAsOperator(money.portal, 'owner', 'findPayLink', { id })).rejects.toThrow('waits for a payment');
  expect(await endsLinks(one.activationId)).toMatchObject({ unpaid: 0 });
  expect(await read(other.link)).toMatchObject({ state: 'OPEN' });
  await money.ask(calls.transferByPayLink, { body: { link: other.link } });
  expect(await accountsAtProvider(money)).toHaveLength(accounts + 1);
  await noFaults();
});

test('what is paid for a written-off bill after an erasure goes back, by an open checkout and to an account number', async () => {
  const [one, second, other] = await writtenOff(3);
  if (!one || !second || !other) throw new Error('no debtors');
  const { orderId } = await money.ask(calls.orderByPayLink, { body: { link: one.link } });
  for (const { link } of [second, other]) await money.ask(calls.transferByPayLink, { body: { link } });
  for (const { customerId } of [one, second]) await erase(customerId);
  const body = { ...(await money.checkOut(orderId)), link: one.link, email: 'accounts@payer.example' };
  expect(await money.ask(calls.verifyByPayLink, { body })).toEqual({ status: 'refunded' });
  for (const { customerId } of [second, other]) {
    const { id } = await money.portal.db
      .selectFrom('virtual_accounts')
      .select('id')
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow();
    await money.standin('POST', `/standin/virtual_accounts/${id}/credit`, { amount: price });
  }
  await settle();
  for (const { customerId, bill } of [one, second]) {
    expect(await bill()).toMatchObject({ due_paise: 0, written_off_paise: price });
    const refunds = money.portal.db.selectFrom('refunds').select(['amount_paise', 'reason', 'status']);
    expect(await refunds.where('customer_id', '=', customerId).execute()).toEqual([
      { amount_paise: price, reason: 'The account was erased', status: 'PROCESSED' },
    ]);
  }
  expect(await other.bill()).toMatchObject({ owed_paise: 0 });
  const asked = { utr: 'HDFCR52026112999', amount: price / 100, on: dayOf(money.portal.clock()) };
  for (const [of, why] of [
    [one.cycleId, 'can’t be paid any more'],
    [orderId, 'The account was erased'],
  ] as const)
    await expect(
      actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', { ...asked, of }, cause),
    ).rejects.toThrow(why);
  await noFaults();
});

test('the database lets nothing be ordered or paid for an erased customer', async () => {
  const [one] = await writtenOff(1);
  if (!one) throw new Error('no debtor');
  const { orderId } = await money.ask(calls.orderByPayLink, { body: { link: one.link } });
  await erase(one.customerId);
  await money.checkOut(orderId);
  await settle();
  const { db } = money.portal;
  await expect(
    sql`insert into payment_orders (id, cycle_id, activation_id, customer_id, amount_paise, currency, status, created_at, of_bill)
      select 'ORD-X', cycle_id, activation_id, customer_id, amount_paise, currency, 'CREATING', created_at, true
      from payment_orders where customer_id = ${one.customerId} and of_bill`.execute(db),
  ).rejects.toThrow('is erased');
  for (const use of ['CYCLE', 'DUE'])
    await expect(
      sql`insert into payments (provider_payment_id, order_id, cycle_id, customer_id, status, use, amount_paise, currency, method, created_at, captured_at)
        select 'pay_X', order_id, cycle_id, customer_id, 'captured', ${use}, amount_paise, currency, method, created_at, captured_at
        from payments where customer_id = ${one.customerId} and use = 'REFUND'`.execute(db),
    ).rejects.toThrow('is erased');
  await noFaults();
});
