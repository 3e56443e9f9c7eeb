import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { z } from 'zod';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { balancesOf, trialBalanceOf } from '#shared/domain/trial-balance.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { readVouchers } from '#server/features/bookkeeping/bookkeeping.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import { price, startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { dayMs, type Money, startMoney } from '#server/money-tests/test-money.ts';
import { bookItems } from './book.ts';
import { compareSettlements, comparedDays } from './compare.ts';
import { readSettlements } from './read.ts';
import { followSettlements, readSettlementHealth } from './settlements.ts';
import { upsertItems } from './store.ts';

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney();
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());
beforeEach(() => money.behave({ webhooks: { enabled: false } }));

/** 2 % and 18 % GST on it, in whole paise. */
const charge = Math.round(price * 0.02);
const tax = Math.round(charge * 0.18);
const fee = charge + tax;

const settle = () => money.standin('POST', '/standin/settlements', {});

async function settled(one: { paymentId: string }) {
  await settle();
  await readSettlements(money.portal);
  return money.portal.db
    .selectFrom('settlement_items')
    .innerJoin('settlements', 'settlements.settlement_id', 'settlement_items.settlement_id')
    .select(['type', 'credit_paise', 'debit_paise', 'fee_paise', 'tax_paise', 'utr', 'settlement_items.settlement_id'])
    .select(['settlement_items.settled_at', 'status'])
    .where('payment_id', '=', one.paymentId)
    .orderBy('settlement_items.id')
    .execute();
}

/** The balances of the accounts over the entries of one payment. */
async function balances(paymentId: string | null): Promise<Record<string, number>> {
  const found = await sql`
    select l.account, sum(l.amount_paise)::bigint as paise from ledger_lines l join ledger_entries e on e.id = l.entry_id
    where e.payment_id is not distinct from ${paymentId} group by l.account order by l.account`.execute(
    money.portal.db,
  );
  const rows = checkedRows(z.object({ account: z.string(), paise: z.number() }), found);
  return Object.fromEntries(rows.filter(({ paise }) => paise !== 0).map(({ account, paise }) => [account, paise]));
}

const differences = async (inDays = 0) => {
  const nowMs = money.portal.clock() + inDays * dayMs;
  const fromMs = nowMs - comparedDays * dayMs;
  return compareSettlements(money.portal.db, { fromMs, toMs: nowMs + 1, nowMs, graceMs: 7 * dayMs });
};
const about = async (ids: (string | undefined)[], inDays = 0) =>
  (await differences(inDays))
    .filter(({ id, settlementId }) => ids.includes(id) || (settlementId !== null && ids.includes(settlementId)))
    .map(({ kind, expectedPaise, foundPaise }) => [kind, expectedPaise, foundPaise]);

test('a settled payment has its settlement, UTR, fee, GST and time, and its money is in the bank', async () => {
  const one = await elsewhere.paid();
  const [item, ...others] = await settled(one);
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    type: 'payment',
    credit_paise: price - fee,
    debit_paise: 0,
    fee_paise: fee,
    tax_paise: tax,
    utr: expect.stringMatching(/^\d{10}[0-9a-f]{6}$/),
    settlement_id: expect.stringMatching(/^setl_/),
    settled_at: expect.any(Date),
    status: 'processed',
  });
  expect(await balances(one.paymentId)).toEqual({ bank: price - fee, cycles: -price, fees: charge, input_tax: tax });
  expect(await about([one.paymentId], 30)).toEqual([]);
  expect(await money.faults()).toEqual([]);
});

test('reading the same settlements again, or from two processes at once, changes nothing', async () => {
  const one = await elsewhere.paid();
  await settled(one);
  const state = async () => {
    const { db } = money.portal;
    const items = await db.selectFrom('settlement_items').selectAll().orderBy('id').execute();
    const { position } = await db.selectFrom('ledger_head').select('position').executeTakeFirstOrThrow();
    return { items, position };
  };
  const before = await state();
  await Promise.all([readSettlements(money.portal), readSettlements(money.anotherPortal())]);
  expect(await state()).toEqual(before);
});

test('the lists are read page by page', async () => {
  const pages = [Array.from({ length: 100 }, (_, index) => index), [100, 101]];
  const razorpay = createRazorpay({ apiUrl: money.portal.settings.razorpayApiUrl, keyId: 'k', keySecret: 's' });
  const day = dayOf(money.portal.clock());
  const portal = {
    ...money.portal,
    razorpay: {
      ...razorpay,
      listSettlementsSince: money.portal.razorpay.listSettlementsSince,
      listSettledOn: async function* (wanted: string) {
        for (const page of wanted === day ? pages : []) {
          yield page.map((index) => ({
            entity_id: `pay_page${index}`,
            type: 'payment',
            debit: 0,
            credit: 98,
            amount: 100,
            currency: 'INR',
            fee: 2,
            tax: 0,
            settled: false,
            created_at: 1_790_000_000,
          }));
        }
      },
    },
  };
  await readSettlements(portal);
  const stored = await money.portal.db
    .selectFrom('settlement_items')
    .select('entity_id')
    .where('entity_id', 'like', 'pay_page%')
    .execute();
  expect(stored).toHaveLength(102);
});

test('a refund is taken off a settlement, and one that a bank returned is credited again', async () => {
  const one = await elsewhere.paid();
  const refundId = await elsewhere.refundOnDashboard(one, 40_000);
  await elsewhere.deliverRefundWebhook(one, refundId);
  expect((await settled(one)).map(({ type, debit_paise }) => [type, debit_paise])).toEqual([
    ['payment', 0],
    ['refund', 40_000],
  ]);
  expect(await balances(one.paymentId)).toMatchObject({ bank: price - fee - 40_000, cycles: 40_000 - price });
  expect(await about([one.paymentId, refundId], 30)).toEqual([]);
  await money.behave({ refunds: 'fail', webhooks: { enabled: false } });
  const failing = String(
    (await money.standin('POST', `/standin/payments/${one.paymentId}/refund?amount=5000`, {}))['id'],
  );
  await elsewhere.paid();
  await settled(one);
  await money.standin('POST', `/standin/refunds/${failing}/fail`, {});
  await settled(one);
  expect(await about([one.paymentId, failing], 30)).toEqual([]);
  expect(await balances(one.paymentId)).toMatchObject({ bank: price - fee - 40_000 });
  expect(await money.faults()).toEqual([]);
});

test('a payment on hold is a difference after the days of grace, and none once it is settled', async () => {
  const held = await elsewhere.paid();
  await money.standin('POST', `/standin/payments/${held.paymentId}/hold`, { on: true });
  await elsewhere.paid();
  expect(await settled(held)).toEqual([]);
  expect(await about([held.paymentId], 6)).toEqual([]);
  expect(await about([held.paymentId], 8)).toEqual([['ON_HOLD', price, 0]]);
  await money.standin('POST', `/standin/payments/${held.paymentId}/hold`, { on: false });
  expect(await settled(held)).toHaveLength(1);
  expect(await about([held.paymentId], 8)).toEqual([]);
  expect(await money.faults()).toEqual([]);
});

test('a payment that is never settled is a difference', async () => {
  const one = await elsewhere.paid();
  await readSettlements(money.portal);
  expect(await about([one.paymentId], 8)).toEqual([['NOT_SETTLED', price, 0]]);
  await settle();
});

test('a settlement that the bank returns takes its money back, and the next one pays it', async () => {
  const one = await elsewhere.paid();
  const [first] = await settled(one);
  await money.standin('POST', `/standin/settlements/${first?.settlement_id}/fail`, {});
  await readSettlements(money.portal);
  expect(await balances(one.paymentId)).toEqual({ cycles: -price, provider: price });
  expect((await about([first?.settlement_id ?? '']))[0]?.[0]).toBe('SETTLEMENT_FAILED');
  const again = await settled(one);
  expect(again.map(({ status }) => status)).toEqual(['failed', 'processed']);
  expect(await balances(one.paymentId)).toMatchObject({ bank: price - fee });
  expect(await about([one.paymentId, first?.settlement_id ?? ''], 30)).toEqual([]);
  expect(await money.faults()).toEqual([]);
});

test.each([
  ['wrong-fee', 'FEE_DIFFERS', fee, fee + 100],
  ['wrong-sum', 'SUM_DIFFERS', price - fee, price - fee + 100],
] as const)('a settlement with a %s is a difference: %s', async (settlements, kind, expected, found) => {
  const one = await elsewhere.paid();
  await money.behave({ settlements, webhooks: { enabled: false } });
  const [item] = await settled(one);
  expect(await about([item?.settlement_id ?? ''])).toEqual([[kind, expected, found]]);
  expect(await money.faults()).toEqual([]);
});

test('money of another shop on the same account, and an adjustment, are differences and unmatched in the ledger', async () => {
  const before = await balances(null);
  const other = await money.portal.razorpay.createOrder({ amountPaise: 50_000, receipt: 'shop-1', notes: {} });
  const foreign = (await money.checkOut(other.id)).paymentId;
  const adjustment = await money.standin('POST', '/standin/adjustments', { amount: -700, description: 'Fee' });
  await settled({ paymentId: foreign });
  expect(await about([foreign])).toEqual([['UNKNOWN_PAYMENT', 0, 50_000 - 1180]]);
  expect(await about([String(adjustment['id'])])).toEqual([['UNKNOWN_ADJUSTMENT', 0, -700]]);
  const after = await balances(null);
  expect((after['bank'] ?? 0) - (before['bank'] ?? 0)).toBe(50_000 - 1180 - 700);
  expect((after['unmatched'] ?? 0) - (before['unmatched'] ?? 0)).toBe(-50_000 + 700);
  expect(await money.faults()).toEqual([]);
});

test('an item of a payment that the portal has not settled yet is booked once it has', async () => {
  const one = await elsewhere.captured();
  await settled(one);
  expect(await balances(one.paymentId)).toEqual({});
  await one.verify();
  await bookItems(money.portal);
  expect(await balances(one.paymentId)).toMatchObject({ bank: price - fee });
  expect(await money.faults()).toEqual([]);
});

test('the books agree with the ledger: bank, fees, GST on them, what Razorpay holds, and what is unmatched', async () => {
  const { portal } = money;
  const vouchers = await readVouchers(portal.db, dayOf(portal.clock()));
  const books = balancesOf(vouchers);
  const found =
    await sql`select account, sum(amount_paise)::bigint as paise from ledger_lines group by account`.execute(portal.db);
  const rows = checkedRows(z.object({ account: z.string(), paise: z.number() }), found);
  const ledger = new Map(rows.map(({ account, paise }) => [account, paise]));
  for (const [account, ofBooks] of [
    ['provider', 'gateway'],
    ['bank', 'bank'],
    ['fees', 'gateway-fees'],
    ['input_tax', 'input-igst'],
    ['unmatched', 'unmatched'],
  ] as const) {
    expect(books.get(ofBooks), account).toBe(ledger.get(account));
  }
  expect(vouchers.filter(({ id }) => id.endsWith('returned'))).toHaveLength(1);
  expect(trialBalanceOf(vouchers).debitPaise).toBeGreaterThan(0);
});

test('a settled item never changes, and a changed one is reported', async () => {
  const one = await elsewhere.paid();
  await settled(one);
  const { db, razorpay } = money.portal;
  const day = dayOf(Date.now());
  for await (const page of razorpay.listSettledOn(day)) {
    const item = page.find(({ entity_id: id }) => id === one.paymentId);
    if (!item) continue;
    const changed = { ...item, credit: item.credit - 1 };
    expect(await transaction(db, (tx) => upsertItems(tx, [changed]))).toEqual([one.paymentId]);
    expect(await transaction(db, (tx) => upsertItems(tx, [item]))).toEqual([]);
  }
  await expect(
    db.updateTable('settlement_items').set({ credit_paise: 1 }).where('payment_id', '=', one.paymentId).execute(),
  ).rejects.toThrow('never changes');
});

test('while the provider does not respond nothing is marked as read, and the next run reads it', async () => {
  const one = await elsewhere.paid();
  await settle();
  money.moveClock(dayMs);
  const away = createRazorpay({ apiUrl: 'http://127.0.0.1:1/v1', keyId: 'k', keySecret: 's' });
  await expect(followSettlements({ ...money.portal, razorpay: away })).rejects.toThrow('did not respond');
  expect(await balances(one.paymentId)).not.toHaveProperty('bank');
  await followSettlements(money.portal);
  expect(await balances(one.paymentId)).toHaveProperty('bank');
});

test('once a day the settlements are read and differences alert the operator, every day until they are gone', async () => {
  const { portal } = money;
  const one = await elsewhere.paid();
  await money.standin('POST', `/standin/payments/${one.paymentId}/hold`, { on: true });
  const alerts = () => money.logLines.filter((line) => line.includes('differ from the books')).length;
  const start = alerts();
  for (let day = 1; day <= 9; day += 1) {
    money.moveClock(dayMs);
    await followSettlements(portal);
    await followSettlements(portal);
  }
  expect(alerts() - start).toBe(9);
  const lines = money.logLines.filter((line) => line.includes('differ from the books') && line.includes(one.paymentId));
  // From the seventh day on.
  expect(lines).toHaveLength(3);
  expect(lines.filter((line) => !line.includes('"level":"error"'))).toEqual([]);
  const health = await readSettlementHealth(portal);
  expect(health).toMatchObject({ readUntil: dayOf(portal.clock()), differences: (await differences()).length });
  expect(health.differences).toBeGreaterThan(0);
});
