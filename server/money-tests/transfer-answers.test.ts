import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { sampleLetter } from '#server/test/portal.ts';
import { asking, tan, transfersAt } from './test-transfers.ts';
import { type Money, startMoney } from './test-money.ts';

/** What operators and customers read of transfers that were answered about (decision 075). */

const cause = { actor: 'asha', reason: 'SBIN326015120071 was  recorded wrongly' };

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const today = () => dayOf(money.portal.clock());
const { declare, noFaults, settle } = transfersAt(() => money);

test('accepting a certificate says what it pays out: nothing, or the tax that a refund had reversed', async () => {
  for (const isRefunded of [false, true]) {
    const one = await asking(money);
    await declare(one);
    const { id } = await one.credit(137_200);
    await settle();
    if (isRefunded) await actAsOperator(money.portal, 'finance', 'refundPayment', { of: String(id) }, cause);
    const body = { tan, amount: 127, quarter: quarterOf(today()), name: 'a.pdf', certificate: sampleLetter };
    const { claim } = await money.ask(declareTds, { params: { billingCycleId: one.cycleId }, body }, one.token);
    const input = { claimId: claim?.id ?? '' };
    const expected = isRefunded ? { refund: 127, payout: 'TRANSFER' } : { refund: 0, payout: 'WITHHELD' };
    expect(await previewAsOperator(money.portal, 'finance', 'acceptTds', input, cause)).toMatchObject(expected);
    expect(await actAsOperator(money.portal, 'finance', 'acceptTds', input, cause)).toMatchObject(expected);
  }
  await noFaults();
});

test('a credit with a recorded number, of an amount that can’t pay the open bill, keeps nobody from paying that', async () => {
  const one = await asking(money);
  const transfer = { of: one.cycleId, amount: 1372, utr: 'SBIN326015120072', on: today() };
  await actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', transfer, cause);
  const params = { activationId: one.activationId, planId: 'scale' };
  const body = { startDate: addDays(today(), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  const { id } = await one.credit(137_200, { utr: 'SBIN326015120072' });
  await settle();
  const { orderId } = await money.ask(createOrder, { params: { id: billingCycleId } }, one.token);
  expect(orderId).toMatch(/^order_/);
  await actAsOperator(money.portal, 'finance', 'refundTransfer', { paymentId: String(id) }, cause);
  await noFaults();
});
