import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#shared/contract/pay-links.ts';
import { type Money, startMoney } from './test-money.ts';
import { asking, price, tan, tenth, transfersAt } from './test-transfers.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { settle, declare, noFaults } = transfersAt(() => money);

/** A business with a bill, and its pay link. */
async function linked() {
  const one = await asking(money);
  const body = { billingCycleIds: [one.cycleId], endsEarlier: false };
  const { url } = await money.ask(calls.makePayLink, { params: { activationId: one.activationId }, body }, one.token);
  const link = new URL(url).hash.slice(1);
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

test('while a transfer is held, its link takes no other money', async () => {
  const { one, link, read } = await linked();
  await one.credit(price - tenth);
  await settle();
  expect(await read()).toMatchObject({ state: 'CONFIRMING' });
  const order = await money.send(calls.orderByPayLink, { body: { link } });
  expect(order.body).toMatchObject({ code: 'payment_under_way' });
  await noFaults();
});
