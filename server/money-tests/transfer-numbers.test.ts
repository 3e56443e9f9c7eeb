import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { addDays } from '#shared/domain/day.ts';
import { differencesIn } from '#server/features/settlements/compare.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { type Money, startMoney } from './test-money.ts';
import { asking, recordingsAt, transfersAt } from './test-transfers.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { cause, today, record, preview } = recordingsAt(() => money);
const { noFaults, settle } = transfersAt(() => money);

test('a number of Razorpay in small letters, or with signs between them, is the same number', async () => {
  const one = await asking(money);
  const at = new Date(money.portal.clock());
  const settled = { settlement_id: 'setl_T3', amount_paise: 0, status: 'processed', utr: '1568176960vxp0rj' } as const;
  await money.owner.db
    .insertInto('settlements')
    .values({ ...settled, created_at: at, read_at: at })
    .execute();
  for (const [utr, reported] of [
    ['SBIN32601512001A', 'sbin32601512001a'],
    ['SBIN32601512001B', 'SBIN-3260 1512/001b'],
  ] as const) {
    const credited = await asking(money);
    await credited.credit(149_900, { utr: reported });
    await settle();
    expect(await credited.cycles()).toMatchObject([{ status: 'PAID' }]);
    await expect(record(one.cycleId, utr)).rejects.toThrow(/the number of a credit by Razorpay \(pay_/);
  }
  await expect(preview(one.cycleId, settled.utr)).rejects.toThrow(/the number of the settlement setl_T3 of Razorpay/);
  await expect(record(one.cycleId, settled.utr)).rejects.toThrow(/the number of the settlement setl_T3 of Razorpay/);
  expect(await one.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }]);
  await noFaults();
});

test('a customer is found by the number of a transfer in either case, also in groups', async () => {
  const [credited, recorded] = [await asking(money), await asking(money)];
  await credited.credit(149_900, { utr: 'sbin32601512001d' });
  await settle();
  await record(recorded.cycleId, 'SBIN32601512001E');
  const found = async (text: string) =>
    (await readAsOperator(money.portal, 'read-only', 'findCustomers', { text })).customers.map(({ id }) => id);
  for (const text of ['sbin32601512001d', 'UTR: SBIN32601512001D', 'SBIN 3260 1512 001D'])
    expect(await found(text), text).toEqual([credited.customerId]);
  expect(await found('sbin 3260 1512 001e')).toEqual([recorded.customerId]);
});

const refundsOf = async (customerId: string) =>
  money.portal.db
    .selectFrom('refunds')
    .select(['id', 'payout', 'status'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute();
const heldOf = async ({ customerId }: { customerId: string }) =>
  (await readAsOperator(money.portal, 'read-only', 'listHeldTransfers', {})).filter(
    (each) => each.customerId === customerId,
  );

test('a refund is not paid by the number of money that came: of the recorded transfer, of a credit, or of a settlement', async () => {
  const [one, credited] = [await asking(money), await asking(money)];
  await credited.credit(149_900, { utr: 'SBIN326015120011' });
  await settle();
  const { paymentId } = await record(one.cycleId, 'SBIN326015120010');
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: paymentId ?? '', amount: 499 }, cause);
  const [refund] = await refundsOf(one.customerId);
  const settled = {
    settlement_id: 'setl_T1',
    amount_paise: 100,
    status: 'processed',
    utr: 'SBIN326015120012',
  } as const;
  const at = new Date(money.portal.clock());
  await money.owner.db
    .insertInto('settlements')
    .values({ ...settled, created_at: at, read_at: at })
    .execute();
  const inSmall = { ...settled, settlement_id: 'setl_T4', utr: '179640344198daaf' };
  await money.owner.db
    .insertInto('settlements')
    .values({ ...inSmall, created_at: at, read_at: at })
    .execute();
  for (const [utr, what] of [
    ['SBIN326015120010', /is the number of a transfer that was recorded \(TRF-/],
    ['SBIN326015120011', /is the number of a credit by Razorpay \(pay_/],
    ['SBIN326015120012', /is the number of the settlement setl_T1/],
    ['1796 4034 4198 daaf', /is the number of the settlement setl_T4/],
  ] as const) {
    const sent = { refundId: refund?.id ?? '', utr, on: today() };
    await expect(previewAsOperator(money.portal, 'finance', 'recordTransfer', sent, cause)).rejects.toThrow(what);
    await expect(actAsOperator(money.portal, 'finance', 'recordTransfer', sent, cause)).rejects.toThrow(what);
  }
  await expect(
    money.owner.pool.query(
      `update refunds set status = 'PROCESSED', settled_at = now(), utr = 'SBIN326015120010', transferred_on = current_date where id = $1`,
      [refund?.id],
    ),
  ).rejects.toThrow(/./);
  const sent = { refundId: refund?.id ?? '', utr: 'sbin 3260 1512 0013', on: today() };
  expect(await actAsOperator(money.portal, 'finance', 'recordTransfer', sent, cause)).toMatchObject({
    utr: 'SBIN326015120013',
  });
  const other = await asking(money);
  await expect(record(other.cycleId, 'SBIN326015120013')).rejects.toThrow(/the number of the transfer that paid RFD-/);
  await money.owner.db
    .insertInto('settlements')
    .values({ ...inSmall, settlement_id: 'setl_T5', utr: 'sbin326015120013', created_at: at, read_at: at })
    .execute();
  expect(await differencesIn(money.portal, undefined, money.portal.clock() + 1)).toContainEqual(
    expect.objectContaining({ kind: 'NUMBER_RECORDED', id: 'setl_T5', expectedPaise: 49_900 }),
  );
  await noFaults();
});

test('a recording and a refund with one number at once: one of them is taken', async () => {
  const [one, other] = [await asking(money), await asking(money)];
  const { paymentId } = await record(one.cycleId, 'SBIN326015120014');
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: paymentId ?? '', amount: 499 }, cause);
  const [refund] = await refundsOf(one.customerId);
  const sent = { refundId: refund?.id ?? '', utr: 'SBIN326015120015', on: today() };
  const both = await Promise.allSettled([
    record(other.cycleId, 'SBIN326015120015', {}, money.anotherPortal()),
    actAsOperator(money.portal, 'finance', 'recordTransfer', sent, cause),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await noFaults();
});

test.each([
  ['SBIN326015120016', 'SBIN326015120016'],
  ['SBIN32601512001C', 'sbin32601512001c'],
])(
  'a settlement that is read later with the number of a recorded transfer (%s as %s) is named, and the ledger stays right',
  async (recorded, utr) => {
    const id = `setl_${utr}`;
    const one = await asking(money);
    await record(one.cycleId, recorded);
    const settled = { settlement_id: id, amount_paise: 0, status: 'processed', utr } as const;
    const at = new Date(money.portal.clock() - 1000);
    await money.owner.db
      .insertInto('settlements')
      .values({ ...settled, created_at: at, read_at: at })
      .execute();
    expect(await differencesIn(money.portal, undefined, money.portal.clock())).toContainEqual(
      expect.objectContaining({ kind: 'NUMBER_RECORDED', id, expectedPaise: 149_900 }),
    );
    await noFaults();
  },
);

test.each([
  ['SBIN326015120017', 'SBIN326015120017'],
  ['HDFC00112233', 'hdfc00112233'],
])(
  'a credit with the number of a recorded transfer (%s as %s) is held: it goes back or pays only when an operator says so',
  async (recorded, utr) => {
    const one = await asking(money);
    await record(one.cycleId, recorded);
    await one.credit(149_900, { utr });
    await settle();
    expect(await one.refunds()).toEqual([]);
    expect(await heldOf(one)).toMatchObject([
      {
        amount: 1499,
        tds: 0,
        percent: null,
        recordedAs: expect.stringMatching(/^a transfer that was recorded \(TRF-/),
      },
    ]);
    const waiting = await readAsOperator(money.portal, 'read-only', 'listWaiting', {});
    expect(JSON.stringify(waiting)).toContain(`with the number ${utr} of a transfer that was recorded`);
    await noFaults();
    const [held] = await heldOf(one);
    const paymentId = held?.paymentId ?? '';
    await expect(previewAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, cause)).rejects.toThrow(
      /was paid already/,
    );
    await actAsOperator(money.portal, 'finance', 'refundTransfer', { paymentId }, cause);
    await settle();
    const reason = 'A transfer with this number was recorded before';
    expect(await one.refunds()).toMatchObject([
      { amount_paise: 149_900, status: 'PROCESSED', payout: 'PROVIDER', reason },
    ]);
    await noFaults();
  },
);

test('a held credit with a recorded number pays another bill of its customer when an operator says so', async () => {
  const one = await asking(money);
  await record(one.cycleId, 'SBIN326015120018');
  const params = { activationId: one.activationId, planId: 'growth' };
  const body = { startDate: addDays(today(), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  await one.credit(149_900, { utr: 'SBIN326015120018' });
  await settle();
  const [held] = await heldOf(one);
  await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId: held?.paymentId ?? '' }, cause);
  expect((await one.cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  await noFaults();
});
