import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#shared/contract/pay-links.ts';
import { type Money, startMoney } from './test-money.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { textOfLink } from './link-commands.ts';
import { billed } from './test-credit.ts';
import { adding, asking, price, tan, tenth, transfersAt } from './test-transfers.ts';

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
