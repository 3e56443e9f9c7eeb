import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { listUnpaidRefunds } from '#server/features/refunds/refunds.ts';
import { listWaiting } from '#server/features/waiting/waiting.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { dayMs, hourMs, type Money, quiet, startMoney } from './test-money.ts';

/** Refunds that nobody refuses and nobody pays. */

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const health = async (): Promise<unknown> => (await fetch(`${money.portalUrl}/backend/health`)).json();
const lateRefunds = async () => {
  const kinds = await listWaiting(money.portal.db, money.portal.clock(), { limit: 5 });
  return kinds.flatMap(({ kind, waiting }) => (kind === 'REFUND_LATE' ? waiting : []));
};
const listed = () => listUnpaidRefunds(money.portal.db, money.portal.clock());

test.each<[string, 'pending' | 'fail-500', 'PENDING' | 'STARTED', string]>([
  ['accepts a refund and does not pay it', 'pending', 'PENDING', 'Razorpay accepted it, and has not paid it.'],
  ['never says whether it accepts a refund', 'fail-500', 'STARTED', 'Razorpay has not accepted it.'],
])('a refund is late after a week when Razorpay %s', async (_what, refunds, status, why) => {
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds });
  await one.end();
  await money.work();
  expect(await listed()).toEqual([]);
  expect(await health()).toMatchObject({ status: 'ok', refunds: { refused: 0, late: 0, oldestSeconds: null } });

  money.moveClock(7 * dayMs);
  const [refund] = await listed();
  expect(refund).toMatchObject({ paymentId: one.paymentId, status, isLate: true });
  expect(await health()).toMatchObject({ status: 'failing', refunds: { toTransfer: 0, refused: 0, late: 1 } });
  expect(await lateRefunds()).toMatchObject([{ id: refund?.id, about: `₹1,499 to Kaveri: ${why}` }]);
  const turned = turnRefund(money.portal, refund?.id ?? '', { actor: 'anita', reason: 'It takes long' });
  await expect(turned).rejects.toThrow('a transfer might pay it twice');

  await money.behave({ ...quiet, refunds: 'ok' });
  if (refunds === 'pending') {
    const { provider_refund_id: id } = await money.portal.db
      .selectFrom('refunds')
      .select('provider_refund_id')
      .where('id', '=', refund?.id ?? '')
      .executeTakeFirstOrThrow();
    await money.standin('POST', `/standin/refunds/${id}/process`, {});
  }
  await money.work(money.portal, 2 * hourMs);
  expect(await listed()).toEqual([]);
  expect(await health()).toMatchObject({ status: 'ok', refunds: { late: 0, oldestSeconds: null } });
});

test('a refund that an open dispute keeps waiting is not late, and is after a week without it', async () => {
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds: 'fail-500' });
  await one.end();
  await money.work();
  const dispute = await elsewhere.dispute(one);
  await recordDispute(money.portal, dispute);
  money.moveClock(8 * dayMs);
  expect(await listed()).toEqual([]);
  expect(await lateRefunds()).toEqual([]);
  await elsewhere.moveDispute(one, dispute, 'won');
  expect(await listed()).toEqual([]);
  money.moveClock(7 * dayMs);
  expect(await listed()).toMatchObject([{ paymentId: one.paymentId, isLate: true, waitsForDispute: false }]);
  await money.behave(quiet);
  await money.work(money.portal, 2 * hourMs);
  expect(await listed()).toEqual([]);
});

test('the database always has a time at which Razorpay is asked about what it is to pay', async () => {
  const one = await elsewhere.paid(5);
  await money.behave({ ...quiet, refunds: 'pending' });
  await one.end();
  const forget = money.portal.db
    .updateTable('refunds')
    .set({ next_try_at: null })
    .where('payment_id', '=', one.paymentId);
  await expect(forget.execute()).rejects.toThrow('refunds_asked_check');
});
