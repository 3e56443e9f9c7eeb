import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSeed } from '#shared/platform/test-seed.ts';
import { invoiceStartedCycles } from '#server/features/refunds/refunds.ts';
import { bookRefundsOf, workOnRefund } from '#server/features/payments/money-back.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { price, startElsewhere } from './test-elsewhere.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

test('a refund of the whole amount on the dashboard ends the cycle, with a credit note, a mail and an alarm', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.refundOnDashboard(one);
  await elsewhere.deliverRefundWebhook(one, id);
  await elsewhere.deliverRefundWebhook(one, id, 'refund.created');
  expect(await elsewhere.state(one)).toEqual({
    cycle: 'REFUNDED',
    refunds: [['PROVIDER', 'PROCESSED', price, 0, 0]],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', price],
    ],
  });
  expect(await elsewhere.mailSubjects(one)).toEqual(['Payment received', 'Refund started', 'Refund completed']);
  const alarms = money.logLines.filter((line) => line.includes(id) && line.includes('not through the portal'));
  expect(alarms).toHaveLength(1);
  const health = (await money.app.inject({ url: '/backend/health' })).json<{
    movedAtProvider: { refundsInWeek: number };
  }>();
  expect(health.movedAtProvider.refundsInWeek).toBeGreaterThan(0);
  expect(await money.faults()).toEqual([]);
});

test('partial refunds leave the cycle running, each with its credit note; the last one ends it', async () => {
  const one = await elsewhere.paid();
  for (const amount of [50_000, 20_000])
    await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, amount));
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'PAID',
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 50_000],
      ['CREDIT_NOTE', 20_000],
    ],
  });
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one));
  expect((await elsewhere.state(one)).cycle).toBe('REFUNDED');
  expect(await money.faults()).toEqual([]);
});

test('with every webhook lost, a refund is found in the provider’s list and booked once, however often it is read', async () => {
  const [whole, part, ours] = [await elsewhere.paid(), await elsewhere.paid(), await elsewhere.paid(5)];
  await elsewhere.refundOnDashboard(whole);
  await elsewhere.refundOnDashboard(part, 10_000);
  await ours.end();
  await money.work();
  for (let times = 0; times < 3; times += 1) await pollList(money.portal, 'refunds');
  expect(await elsewhere.state(whole)).toMatchObject({
    cycle: 'REFUNDED',
    refunds: [['PROVIDER', 'PROCESSED', price, 0, 0]],
  });
  expect(await elsewhere.state(part)).toMatchObject({
    cycle: 'PAID',
    refunds: [['PROVIDER', 'PROCESSED', 10_000, 0, 0]],
  });
  expect(await elsewhere.state(ours)).toMatchObject({
    cycle: 'REFUNDED',
    refunds: [['PORTAL', 'PROCESSED', price, 0, 0]],
  });
  expect(await money.faults()).toEqual([]);
});

test('a payment that was refunded in full before it was settled pays for nothing, and the portal does not refund it again', async () => {
  const one = await elsewhere.captured();
  await elsewhere.refundOnDashboard(one);
  expect(await one.verify()).toMatchObject({ status: 'refunded' });
  await money.work();
  expect(await elsewhere.state(one)).toEqual({
    cycle: 'PAYMENT_PENDING',
    refunds: [
      ['PORTAL', 'PROCESSED', price, 0, price],
      ['PROVIDER', 'PROCESSED', price, price, 0],
    ],
    documents: [],
  });
  expect(await money.faults()).toEqual([]);
});

test('a payment that was refunded in part before it was settled gives a paid cycle with a credit note over that part', async () => {
  const one = await elsewhere.captured();
  await elsewhere.refundOnDashboard(one, 30_000);
  expect(await one.verify()).toMatchObject({ status: 'success' });
  expect(await elsewhere.state(one)).toEqual({
    cycle: 'PAID',
    refunds: [['PROVIDER', 'PROCESSED', 30_000, 0, 0]],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 30_000],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

test('an advance that was refunded in part is invoiced over the rest, and ending it refunds only what is left', async () => {
  const [starting, ending] = [await elsewhere.paid(1), await elsewhere.paid(1)];
  for (const one of [starting, ending])
    await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 40_000));
  expect(await ending.end()).toMatchObject({ kind: 'cancel', refundAmount: 1099 });
  await money.work();
  expect(await elsewhere.atProvider(ending)).toBe(price);
  expect((await elsewhere.state(ending)).documents).toEqual([
    ['RECEIPT_VOUCHER', price],
    ['REFUND_VOUCHER', 40_000],
    ['REFUND_VOUCHER', price - 40_000],
  ]);
  money.moveClock(32 * dayMs);
  await invoiceStartedCycles(money.portal);
  await invoiceStartedCycles(money.portal);
  expect((await elsewhere.state(starting)).documents).toEqual([
    ['RECEIPT_VOUCHER', price],
    ['REFUND_VOUCHER', 40_000],
    ['INVOICE', price - 40_000],
  ]);
  expect(await money.faults()).toEqual([]);
});

test('a refund on the dashboard covers the one that the portal has promised and not yet carried out', async () => {
  const [whole, part] = [await elsewhere.paid(5), await elsewhere.paid(5)];
  await whole.end();
  await part.end();
  await elsewhere.refundOnDashboard(whole);
  await elsewhere.refundOnDashboard(part, 60_000);
  await money.work();
  await money.work(money.portal, 60_000);
  expect((await elsewhere.state(whole)).refunds).toEqual([
    ['PORTAL', 'PROCESSED', price, 0, price],
    ['PROVIDER', 'PROCESSED', price, price, 0],
  ]);
  expect((await elsewhere.state(part)).refunds).toEqual([
    ['PORTAL', 'PROCESSED', price, 0, 60_000],
    ['PROVIDER', 'PROCESSED', 60_000, 60_000, 0],
  ]);
  expect([await elsewhere.atProvider(whole), await elsewhere.atProvider(part)]).toEqual([price, price]);
  // Announced once, as one refund.
  expect((await elsewhere.mailSubjects(part)).filter((subject) => subject.startsWith('Refund'))).toEqual([
    'Refund started',
    'Refund completed',
  ]);
  expect(await money.faults()).toEqual([]);
});

test('a refund on the dashboard beside a promised part that waits pays that part, and only what exceeds it is another refund', async () => {
  const [same, more] = [await elsewhere.paid(), await elsewhere.paid()];
  for (const one of [same, more])
    await makeRefund(money.portal, { of: one.cycleId, amountPaise: 70_000, reason: 'Half' }, 'test');
  await elsewhere.refundOnDashboard(same, 70_000);
  await elsewhere.refundOnDashboard(more, 80_000);
  // The portal looks at what was refunded before it asks for more, and needs no webhook for it.
  await money.work();
  expect([await elsewhere.atProvider(same), await elsewhere.atProvider(more)]).toEqual([70_000, 80_000]);
  expect(await elsewhere.state(same)).toEqual({
    cycle: 'PAID',
    refunds: [
      ['OPERATOR', 'PROCESSED', 70_000, 0, 70_000],
      ['PROVIDER', 'PROCESSED', 70_000, 70_000, 0],
    ],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 70_000],
    ],
  });
  expect(await elsewhere.state(more)).toEqual({
    cycle: 'PAID',
    refunds: [
      ['OPERATOR', 'PROCESSED', 70_000, 0, 70_000],
      ['PROVIDER', 'PROCESSED', 80_000, 70_000, 0],
    ],
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 70_000],
      ['CREDIT_NOTE', 10_000],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

test('a refund on the dashboard that a bank returns is retried by the portal', async () => {
  const one = await elsewhere.paid();
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  const id = await elsewhere.refundOnDashboard(one, 25_000);
  await elsewhere.deliverRefundWebhook(one, id, 'refund.created');
  expect((await elsewhere.state(one)).refunds).toEqual([['PROVIDER', 'PENDING', 25_000, 0, 0]]);
  await money.standin('POST', `/standin/refunds/${id}/fail`, {});
  await money.behave({ webhooks: { enabled: false } });
  await elsewhere.deliverRefundWebhook(one, id, 'refund.failed');
  await money.work(money.portal, 60_000);
  expect((await elsewhere.state(one)).refunds).toEqual([['PROVIDER', 'PROCESSED', 25_000, 0, 0]]);
  expect(await elsewhere.atProvider(one)).toBe(25_000);
  expect(await money.faults()).toEqual([]);
});

test('the database refuses refunds above the captured amount', async () => {
  const one = await elsewhere.paid();
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
  const { id } = await money.portal.db
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', one.paymentId)
    .executeTakeFirstOrThrow();
  const copy = sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, settled_at, origin, foreign_id)
    select 'RFD-COPY', payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at, settled_at, origin, 'rfnd_copy'
    from refunds where id = ${id}`;
  await expect(copy.execute(money.portal.db)).rejects.toThrow(/is not due/);
});

test(`in any order of a payment, its dashboard refunds and our own refund, the final state is the same (SEED=${testSeed})`, async () => {
  const deliveries = ['verify', 'settle', 'webhook', 'list', 'sync', 'own'] as const;
  const orders = fc.sample(fc.shuffledSubarray([...deliveries], { minLength: deliveries.length }), {
    seed: testSeed,
    numRuns: 8,
  });
  const states = new Set<string>();
  for (const order of orders) {
    const one = await elsewhere.captured(5);
    await one.verify();
    await one.end();
    const ids = [await elsewhere.refundOnDashboard(one, 30_000), await elsewhere.refundOnDashboard(one, 20_000)];
    const deliver: Record<(typeof deliveries)[number], () => Promise<unknown>> = {
      verify: one.verify,
      settle: () => settlePayment(money.portal, one.paymentId),
      webhook: () => Promise.all(ids.map((id) => elsewhere.deliverRefundWebhook(one, id))),
      list: () => pollList(money.portal, 'refunds'),
      sync: () => bookRefundsOf(money.portal, one.paymentId),
      own: async () => {
        const { id } = await money.portal.db
          .selectFrom('refunds')
          .select('id')
          .where('payment_id', '=', one.paymentId)
          .where('origin', '=', 'PORTAL')
          .executeTakeFirstOrThrow();
        await workOnRefund(money.portal, id);
      },
    };
    for (const name of order) {
      await deliver[name]();
      await deliver[name]();
    }
    await money.work(money.portal, 60_000);
    expect(await elsewhere.atProvider(one)).toBe(price);
    states.add(JSON.stringify(await elsewhere.state(one)));
  }
  expect([...states]).toEqual([
    JSON.stringify({
      cycle: 'REFUNDED',
      refunds: [
        ['PORTAL', 'PROCESSED', price, 0, 50_000],
        ['PROVIDER', 'PROCESSED', 20_000, 20_000, 0],
        ['PROVIDER', 'PROCESSED', 30_000, 30_000, 0],
      ],
      documents: [
        ['RECEIPT_VOUCHER', price],
        ['REFUND_VOUCHER', price],
      ],
    }),
  ]);
  expect(await money.faults()).toEqual([]);
});
