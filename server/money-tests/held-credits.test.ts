import { afterAll, beforeAll, expect, test } from 'vitest';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { makePayLink, readPayLink } from '#shared/contract/pay-links.ts';
import { addDays } from '#shared/domain/day.ts';
import { customerReads } from '#server/features/waiting/customers.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { asking, price, recordingsAt, tenth, transfersAt } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { today, record, preview } = recordingsAt(() => money);
const { noFaults, settle } = transfersAt(() => money);
const heldOf = async ({ customerId }: { customerId: string }) =>
  (await readAsOperator(money.portal, 'read-only', 'listHeldTransfers', {})).filter(
    (each) => each.customerId === customerId,
  );

test('a held credit of another amount than the bill’s is not shown as being confirmed, and its bill is paid otherwise', async () => {
  const one = await asking(money);
  await record(one.cycleId, 'SBIN326015120019');
  const params = { activationId: one.activationId, planId: 'growth' };
  const body = { startDate: addDays(today(), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  await one.credit(100_000, { utr: 'SBIN326015120019' });
  await settle();
  const [held] = await heldOf(one);
  expect(held).toMatchObject({ amount: 1000 });
  const { activations } = await money.ask(listActivations, {}, one.token);
  const shown = activations[0]?.billingCycles.find(({ id }) => id === billingCycleId);
  expect(shown).toMatchObject({ status: 'PAYMENT_PENDING', payments: [{ id: held?.paymentId, status: 'captured' }] });
  const made = {
    params: { activationId: one.activationId },
    body: { billingCycleIds: [billingCycleId], endsEarlier: false },
  };
  const link = new URL((await money.ask(makePayLink, made, one.token)).url).hash.slice(1);
  expect(await money.ask(readPayLink, { body: { link } })).toMatchObject({ state: 'OPEN' });
  await noFaults();
});

test('a plan does not wait as unpaid while money that can pay it is held', async () => {
  const one = await asking(money);
  const unpaid = async () => {
    const items = await customerReads.UNPAID_PLAN(money.portal.db, money.portal.clock() + dayMs, 100);
    return items.some(({ id }) => id === one.cycleId);
  };
  expect(await unpaid()).toBe(true);
  await one.credit(price - tenth);
  await settle();
  expect(await heldOf(one)).toHaveLength(1);
  expect(await unpaid()).toBe(false);
});

test('while a credit is held for a bill, nothing is recorded for it', async () => {
  const one = await asking(money);
  await one.credit(price - tenth);
  await settle();
  expect(await heldOf(one)).toHaveLength(1);
  const { orderId = '' } = (await heldOf(one))[0] ?? {};
  const why = 'Money that came by Razorpay is held for this bill';
  await expect(preview(orderId, 'SBIN326015120031')).rejects.toThrow(why);
  await expect(record(orderId, 'SBIN326015120031')).rejects.toThrow(why);
  expect(await one.cycles()).toMatchObject([{ status: 'PENDING' }]);
  await noFaults();
});
