import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { type PaidElsewhere, price, startElsewhere } from './test-elsewhere.ts';
import { type Money, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

async function dispute(one: PaidElsewhere, amount?: number): Promise<string> {
  const body = amount === undefined ? {} : { amount };
  return String((await money.standin('POST', `/standin/payments/${one.paymentId}/dispute`, body))['id']);
}

async function moveDispute(one: PaidElsewhere, id: string, status: string): Promise<void> {
  await money.standin('POST', `/standin/disputes/${id}/${status}`, {});
  await money.deliver(`payment.dispute.${status}`, {
    payment: { entity: { id: one.paymentId, status: 'captured' } },
    dispute: { entity: { id, payment_id: one.paymentId, status } },
  });
  await money.handleWebhooks();
}

const disputeStatus = async (id: string) =>
  (
    await money.portal.db
      .selectFrom('disputes')
      .select('status')
      .where('provider_dispute_id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;

test.each([
  ['won', 'PAID', []],
  ['closed', 'PAID', []],
  ['lost', 'REFUNDED', [['DISPUTE', 'PROCESSED', price, 0, 0]]],
] as const)(
  'a dispute raises an alarm, and the plan continues until it is decided: %s',
  async (status, cycle, refunds) => {
    const one = await elsewhere.paid();
    const id = await dispute(one);
    // No webhook arrives.
    await pollList(money.portal, 'disputes');
    expect(await disputeStatus(id)).toBe('open');
    expect(money.logLines.filter((line) => line.includes(id) && line.includes('"level":"error"'))).toHaveLength(1);
    await moveDispute(one, id, 'under_review');
    expect((await elsewhere.state(one)).cycle).toBe('PAID');
    await moveDispute(one, id, status);
    await moveDispute(one, id, status).catch(() => undefined);
    expect(await disputeStatus(id)).toBe(status);
    expect(await elsewhere.state(one)).toMatchObject({ cycle, refunds });
    expect(await money.faults()).toEqual([]);
  },
);

test('a dispute that is lost after a refund is booked only up to the captured amount', async () => {
  const one = await elsewhere.paid();
  const id = await dispute(one);
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
  await moveDispute(one, id, 'lost');
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'REFUNDED',
    refunds: [
      ['DISPUTE', 'PROCESSED', price - 100_000, 0, 0],
      ['PROVIDER', 'PROCESSED', 100_000, 0, 0],
    ],
  });
  expect(await money.faults()).toEqual([]);
});
