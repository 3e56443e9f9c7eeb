import { expect, onTestFinished, test } from 'vitest';
import { startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { dayMs, quiet, startMoney } from '#server/money-tests/test-money.ts';
import { comparedTimes, compareSettlements } from './compare.ts';
import { readSettlements } from './read.ts';

test('a refund is a difference only when a settlement was made after it', async () => {
  const money = await startMoney();
  onTestFinished(() => money.close());
  await money.behave({ ...quiet, settlements: 'ok' });
  const { db } = money.portal;
  const elsewhere = startElsewhere(money);
  const one = await elsewhere.paid();
  await money.standin('POST', '/standin/settlements', {});
  await readSettlements(money.portal);
  const refundId = await elsewhere.refundOnDashboard(one, 40_000);
  await elsewhere.deliverRefundWebhook(one, refundId);
  const nowMs = money.portal.clock() + 30 * dayMs;
  const differences = async () =>
    (await compareSettlements(db, { ...comparedTimes(undefined, nowMs), nowMs, graceMs: 7 * dayMs })).map(
      ({ kind, id }) => [kind, id],
    );
  expect(await differences()).toEqual([]);
  await db
    .insertInto('settlements')
    .values({
      settlement_id: 'setl_later',
      amount_paise: 0,
      status: 'processed',
      created_at: new Date(money.portal.clock() + 8 * dayMs),
      read_at: new Date(),
    })
    .execute();
  expect(await differences()).toEqual([['REFUND_NOT_DEBITED', refundId]]);
});
