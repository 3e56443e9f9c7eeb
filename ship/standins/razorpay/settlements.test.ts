import { expect, test } from 'vitest';
import { z } from 'zod';
import { startForTest } from '#ship/standins/testing.ts';

const dayMs = 86_400_000;
const itemsOf = (body: Record<string, unknown>) =>
  z.object({ items: z.array(z.record(z.string(), z.unknown())) }).parse(body).items;

const dayOf = (seconds: unknown) => new Date((Number(seconds) + 19_800) * 1000).toISOString().slice(0, 10);

async function startPaid(amounts: number[]) {
  const started = await startForTest();
  const pay = async (amount: number): Promise<string> => {
    const order = await started.createOrder(amount, { receipt: `cycle-${amount}` });
    return String((await started.control('POST', '/pay', { order_id: order.id })).body['razorpay_payment_id']);
  };
  const paymentIds: string[] = [];
  for (const amount of amounts) paymentIds.push(await pay(amount));
  const recon = async (day: string, more = '') => {
    const [year, month, date] = day.split('-');
    return started.api('GET', `/settlements/recon/combined?year=${year}&month=${month}&day=${date}&count=1000${more}`);
  };
  const settle = async () => (await started.control('POST', '/settlements')).body;
  return { ...started, pay, paymentIds, recon, settle };
}

test('a settlement pays out payments less their fee of 2 % and its GST of 18 %, in whole paise, and takes refunds off', async () => {
  const { api, control, paymentIds, recon, settle } = await startPaid([149_900, 33_333]);
  await control('POST', `/payments/${paymentIds[1]}/refund`, { amount: 10_000 });
  const settlement = await settle();
  // 2998 + 540 (539.64) and 667 (666.66) + 120 (120.06).
  const amount = 149_900 - 3538 + (33_333 - 787) - 10_000;
  expect(settlement).toMatchObject({ entity: 'settlement', amount, status: 'processed', fees: 0, tax: 0 });
  expect((await api('GET', `/settlements/${String(settlement['id'])}`)).body).toEqual(settlement);
  const list = await api('GET', '/settlements');
  expect(list.body).toEqual({ entity: 'collection', count: 1, items: [settlement] });
  const { body } = await recon(dayOf(settlement['created_at']));
  expect(body).toMatchObject({ entity: 'collection', count: 3 });
  expect(itemsOf(body)[0]).toEqual({
    entity_id: paymentIds[0],
    type: 'payment',
    debit: 0,
    credit: 146_362,
    amount: 149_900,
    currency: 'INR',
    fee: 3538,
    tax: 540,
    on_hold: false,
    settled: true,
    created_at: expect.any(Number),
    settled_at: settlement['created_at'],
    settlement_id: settlement['id'],
    posted_at: null,
    credit_type: 'default',
    description: null,
    notes: null,
    payment_id: null,
    settlement_utr: settlement['utr'],
    order_id: expect.stringMatching(/^order_/),
    order_receipt: 'cycle-149900',
    method: 'card',
    card_network: 'Visa',
    card_issuer: null,
    card_type: 'credit',
    dispute_id: null,
  });
  expect(itemsOf(body)[2]).toMatchObject({ type: 'refund', debit: 10_000, credit: 0, payment_id: paymentIds[1] });
});

test('each day at 09:00 in India settles what is two days old, each transaction once', async () => {
  const { api, control, paymentIds } = await startPaid([100_000]);
  for (let day = 0; day < 3; day += 1) await control('POST', '/clock', { advanceMs: dayMs });
  const settlements = itemsOf((await api('GET', '/settlements')).body);
  expect(settlements).toHaveLength(1);
  const at = new Date((Number(settlements[0]?.['created_at']) + 19_800) * 1000);
  expect(at.toISOString().slice(11)).toBe('09:00:00.000Z');
  await control('POST', '/clock', { advanceMs: 10 * dayMs });
  expect(itemsOf((await api('GET', '/settlements')).body)).toHaveLength(1);
  const month = `year=${at.getUTCFullYear()}&month=${at.getUTCMonth() + 1}`;
  const { body } = await api('GET', `/settlements/recon/combined?${month}&count=1000`);
  expect(itemsOf(body).map((item) => item['entity_id'])).toEqual(paymentIds);
});

test('after the clock was moved back, the days that come again are settled', async () => {
  const { api, control, pay } = await startPaid([]);
  await control('POST', '/clock', { advanceMs: -100 * dayMs });
  await pay(100_000);
  for (let day = 0; day < 3; day += 1) await control('POST', '/clock', { advanceMs: dayMs });
  const [settlement] = itemsOf((await api('GET', '/settlements')).body);
  const daysAgo = (Date.now() / 1000 - Number(settlement?.['created_at'])) / 86_400;
  expect(Math.round(daysAgo)).toBeGreaterThan(95);
});

test('a payment on hold is listed as not settled, and settled once it is released', async () => {
  const { control, paymentIds, recon, settle } = await startPaid([100_000, 200_000]);
  await control('POST', `/payments/${paymentIds[0]}/hold`);
  const first = await settle();
  const day = dayOf(first['created_at']);
  expect(itemsOf((await recon(day)).body)).toMatchObject([
    { entity_id: paymentIds[0], on_hold: true, settled: false, settlement_id: null, settled_at: null },
    { entity_id: paymentIds[1], on_hold: false, settled: true, settlement_id: first['id'] },
  ]);
  await control('POST', `/payments/${paymentIds[0]}/hold`, { on: false });
  const second = await settle();
  expect(itemsOf((await recon(day)).body)[0]).toMatchObject({ settled: true, settlement_id: second['id'] });
});

test('a settlement that the bank returns fails, and its transactions are settled again', async () => {
  const { api, control, recon, settle } = await startPaid([100_000]);
  const first = await settle();
  await control('POST', `/settlements/${String(first['id'])}/fail`);
  expect((await api('GET', `/settlements/${String(first['id'])}`)).body).toMatchObject({ status: 'failed' });
  expect(itemsOf((await recon(dayOf(first['created_at']))).body)).toEqual([]);
  const second = await settle();
  expect(second).toMatchObject({ amount: first['amount'], status: 'processed' });
  expect((await control('POST', '/settlements')).status).toBe(400);
});

test('a refund that the bank returns is credited again, and an adjustment is a line of its own', async () => {
  const { control, paymentIds, recon, settle } = await startPaid([100_000, 200_000]);
  await control('PUT', '/behaviour', { refunds: 'fail' });
  const { body: refund } = await control('POST', `/payments/${paymentIds[0]}/refund`, { amount: 40_000 });
  const first = await settle();
  await control('POST', `/refunds/${String(refund['id'])}/fail`);
  await control('POST', '/adjustments', { amount: -700, description: 'Chargeback fee' });
  const second = await settle();
  expect(first['amount']).toBe(300_000 - 2360 - 4720 - 40_000);
  expect(second['amount']).toBe(40_000 - 700);
  expect(itemsOf((await recon(dayOf(second['created_at']))).body).slice(3)).toMatchObject([
    {
      type: 'adjustment',
      credit: 40_000,
      payment_id: paymentIds[0],
      description: `Reversal of ${String(refund['id'])}`,
    },
    { type: 'adjustment', debit: 700, description: 'Chargeback fee', dispute_id: null },
  ]);
});

test('the recon is read in pages and refuses what is no date', async () => {
  const { api, recon, settle } = await startPaid([100_000, 200_000, 300_000]);
  const day = dayOf((await settle())['created_at']);
  expect(itemsOf((await recon(day, '&skip=2')).body)).toHaveLength(1);
  const { status, body } = await api('GET', '/settlements/recon/combined?year=2026&month=13');
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { description: 'The month is not a valid month.', field: 'month' } });
});
