import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { bookRefundsOf, workOnRefund } from '#server/features/payments/money-back.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { selectRefundsOfPayment } from '#server/features/refunds/refunds.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { recordTransfer, turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { price, startElsewhere, withoutResponses } from './test-elsewhere.ts';
import { hourMs, type Money, quiet, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());
beforeEach(() => money.behave({ webhooks: { enabled: false } }));

test('what is refunded on the dashboard after a lost dispute took everything is a loss, booked once however often it is read', async () => {
  const one = await elsewhere.paid();
  await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
  const id = await elsewhere.refundOnDashboard(one, 50_000);
  await pollList(money.portal, 'refunds');
  await elsewhere.deliverRefundWebhook(one, id);
  await pollList(money.portal, 'refunds');
  expect(await elsewhere.balances(one)).toEqual({ losses: 50_000, provider: -50_000 });
  expect((await elsewhere.state(one)).documents).toEqual([
    ['INVOICE', price],
    ['CREDIT_NOTE', price],
  ]);
  expect(await money.faults()).toEqual([]);
});

test('of a refund on the dashboard after a dispute took a part, what the customer had got already is a loss', async () => {
  const one = await elsewhere.paid();
  await elsewhere.moveDispute(one, await elsewhere.dispute(one, 100_000), 'lost');
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one));
  expect(await elsewhere.state(one)).toEqual({
    cycle: 'REFUNDED',
    refunds: [
      ['DISPUTE', 'PROCESSED', 100_000, 0, 0],
      ['PROVIDER', 'PROCESSED', price - 100_000, 0, 0],
    ],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 100_000],
      ['CREDIT_NOTE', price - 100_000],
    ],
  });
  expect(await elsewhere.balances(one)).toEqual({ losses: 100_000, provider: -100_000 });
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['pays out', 'process', { losses: 20_000, provider: -20_000 }, 20_000],
  ['returns', 'fail', {}, 0],
])(
  'a refund beyond the captured amount is a loss once the bank %s it, and is never repeated',
  async (_, outcome, after, atProvider) => {
    const one = await elsewhere.paid();
    await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
    await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
    const id = await elsewhere.refundOnDashboard(one, 20_000);
    await pollList(money.portal, 'refunds');
    expect(await elsewhere.balances(one)).toEqual({});
    await money.standin('POST', `/standin/refunds/${id}/${outcome}`, {});
    await money.behave({ webhooks: { enabled: false } });
    // No webhook arrives.
    await money.work(money.portal, 60_000);
    await money.work(money.portal, 3_600_000);
    expect(await elsewhere.balances(one)).toEqual(after);
    expect(await elsewhere.atProvider(one)).toBe(atProvider);
    expect((await elsewhere.state(one)).refunds.map(([origin, status]) => [origin, status])).toEqual([
      ['DISPUTE', 'PROCESSED'],
      ['PROVIDER', 'PROCESSED'],
    ]);
    expect(await money.faults()).toEqual([]);
  },
);

test('a refund whose response was lost was paid: a dispute that is lost afterwards is a loss', async () => {
  const one = await elsewhere.paid(3);
  await one.end();
  await expect(workOnRefund(withoutResponses(money), await elsewhere.openRefund(one))).rejects.toThrow('was lost');
  await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
  await money.work(money.portal, 60_000);
  expect((await elsewhere.state(one)).refunds).toEqual([['PORTAL', 'PROCESSED', price, 0, 0]]);
  expect(await elsewhere.balances(one)).toEqual({ losses: price, provider: -price });
  expect(await money.faults()).toEqual([]);
});

test('a refund that the provider accepts only after a dispute has counted as it is a loss', async () => {
  const one = await elsewhere.paid(3);
  await one.end();
  const key = await elsewhere.openRefund(one);
  await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
  // A request that was under way.
  await money.portal.razorpay.createRefund({ ...one, cause: 'PORTAL', amountPaise: price, key });
  await pollList(money.portal, 'refunds');
  expect(await elsewhere.balances(one)).toEqual({ losses: price, provider: -price });
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['response arrives late', (money: Money) => money.portal],
  ['response is lost', withoutResponses],
])(
  'what Razorpay pays of a refund that was transferred by hand is a loss, and never repeated, when its %s',
  async (_, portalOf) => {
    const one = await elsewhere.paid(5);
    const cause = { actor: 'asha', reason: 'Paid by NEFT' };
    await money.behave({ ...quiet, refunds: 'insufficient-balance' });
    await one.end();
    await money.work();
    await money.behave({ ...quiet, refunds: 'ok' });
    const id = await elsewhere.openRefund(one);
    const { razorpay } = portalOf(money);
    const createRefund: typeof razorpay.createRefund = async (request) => {
      await turnRefund(money.portal, id, cause);
      const transfer = { utr: `AXIS${one.paymentId.slice(-8).toUpperCase()}`, on: dayOf(money.portal.clock()) };
      await recordTransfer(money.portal, id, transfer, cause);
      return razorpay.createRefund(request);
    };
    const racing = { ...money.portal, razorpay: { ...razorpay, createRefund } };
    await workOnRefund(racing, id).catch(() => undefined);
    await pollList(money.portal, 'refunds');
    await money.work(money.portal, 2 * hourMs);
    const refunds = await selectRefundsOfPayment(money.portal.db, one.paymentId);
    expect(refunds).toMatchObject([
      { id, status: 'PROCESSED', payout: 'TRANSFER', amount_paise: price, loss_paise: 0 },
      { origin: 'PROVIDER', status: 'PROCESSED', payout: 'PROVIDER', amount_paise: 0, loss_paise: price },
    ]);
    expect(await elsewhere.balances(one)).toEqual({ bank: -price, losses: price });
    expect((await elsewhere.state(one)).documents).toEqual([
      ['RECEIPT_VOUCHER', price],
      ['REFUND_VOUCHER', price],
    ]);
    expect(await elsewhere.atProvider(one)).toBe(price);
    expect(await money.faults()).toEqual([]);
    expect(await bookFaults(money.portal.db)).toEqual([]);
  },
);

test.each(['response arrives', 'response is lost'])(
  'a refund on the dashboard while a request of ours is under way, and its %s: both are booked, and nothing is requested again',
  async (what) => {
    const one = await elsewhere.paid();
    await makeRefund(money.portal, { of: one.cycleId, amountPaise: 60_000, reason: 'A part' }, 'test');
    const { portal } = money;
    const through = what === 'response arrives' ? portal : withoutResponses(money);
    const createRefund: typeof portal.razorpay.createRefund = async (request) => {
      await elsewhere.refundOnDashboard(one, 20_000);
      await bookRefundsOf(portal, one.paymentId);
      return through.razorpay.createRefund(request);
    };
    const racing = { ...portal, razorpay: { ...portal.razorpay, createRefund } };
    await workOnRefund(racing, await elsewhere.openRefund(one)).catch(() => undefined);
    await money.work(portal, 60_000);
    expect(await elsewhere.atProvider(one)).toBe(80_000);
    expect(await elsewhere.state(one)).toEqual({
      cycle: 'PAID',
      refunds: [
        ['OPERATOR', 'PROCESSED', 60_000, 0, 60_000],
        ['PROVIDER', 'PROCESSED', 20_000, 20_000, 0],
        ['PROVIDER', 'PROCESSED', 60_000, 40_000, 0],
      ],
      documents: [
        ['INVOICE', price],
        ['CREDIT_NOTE', 60_000],
        ['CREDIT_NOTE', 20_000],
      ],
    });
    expect(await money.faults()).toEqual([]);
  },
);

/** A refund of which everything is a loss, as a copy of another one of its payment. */
const insertLoss = (paymentId: string, lossPaise: number) =>
  sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, loss_paise, reason, status, created_at, settled_at, origin, foreign_id)
    select 'RFD-COPY', payment_id, cycle_id, customer_id, 0, ${lossPaise}, reason, status, created_at, settled_at, origin, 'rfnd_copy'
    from refunds where payment_id = ${paymentId} limit 1`.execute(money.portal.db);

test('the database refuses a loss while something is left to refund, and one that is not in the ledger', async () => {
  const one = await elsewhere.paid();
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
  await expect(insertLoss(one.paymentId, 500)).rejects.toThrow(/is not due/);
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one));
  await expect(insertLoss(one.paymentId, 500)).rejects.toThrow(/is not in the ledger/);
  await expect(insertLoss(one.paymentId, -500)).rejects.toThrow(/refunds_loss_check/);
});
