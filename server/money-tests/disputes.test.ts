import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { balancesOf } from '#shared/domain/trial-balance.ts';
import { readVouchers } from '#server/features/bookkeeping/bookkeeping.ts';
import { remindOfEvidence } from '#server/features/payments/dispute-events.ts';
import { claimDueDisputes, recordDispute } from '#server/features/payments/disputes.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
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
beforeEach(() => money.behave({ webhooks: { enabled: false } }));

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
    const id = await elsewhere.dispute(one);
    // No webhook arrives.
    await pollList(money.portal, 'disputes');
    expect(await disputeStatus(id)).toBe('open');
    expect(money.logLines.filter((line) => line.includes(id) && line.includes('"level":"error"'))).toHaveLength(1);
    await elsewhere.moveDispute(one, id, 'under_review');
    expect((await elsewhere.state(one)).cycle).toBe('PAID');
    await elsewhere.moveDispute(one, id, status);
    await elsewhere.moveDispute(one, id, status).catch(() => undefined);
    expect(await disputeStatus(id)).toBe(status);
    expect(await elsewhere.state(one)).toMatchObject({ cycle, refunds });
    expect(await money.faults()).toEqual([]);
  },
);

test('a dispute that is lost after a refund is booked only up to the captured amount', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.dispute(one);
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
  await elsewhere.moveDispute(one, id, 'lost');
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'REFUNDED',
    refunds: [
      ['DISPUTE', 'PROCESSED', price - 100_000, 0, 0],
      ['PROVIDER', 'PROCESSED', 100_000, 0, 0],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

/** The subjects of all mails about a dispute, oldest first: to the customer, and to the operator. */
async function mailsOf(id: string) {
  const rows = await money.portal.db
    .selectFrom('mails')
    .select(['subject', 'recipient'])
    .where('dedupe_key', 'like', `%${id}%`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const { supportEmail } = money.portal.settings;
  const subjects = (toOperator: boolean) =>
    rows
      .filter(({ recipient }) => (recipient === supportEmail) === toOperator)
      .map(({ subject }) => subject.replace(/: .*/, ''));
  return { customer: subjects(false), operator: subjects(true) };
}

test.each([
  ['won', { cycles: -price, provider: price }, []],
  ['closed', { cycles: -price, provider: price }, []],
  ['lost', {}, ['CREDIT_NOTE']],
] as const)(
  'the amount held for a dispute is on an account of its own until it is decided: %s',
  async (status, after, papers) => {
    await money.behave({ disputes: 'hold', webhooks: { enabled: false } });
    const one = await elsewhere.paid();
    const id = await elsewhere.dispute(one);
    await pollList(money.portal, 'disputes');
    expect(await elsewhere.balances(one)).toEqual({ cycles: -price, disputed: price });
    await elsewhere.moveDispute(one, id, 'under_review');
    await elsewhere.moveDispute(one, id, status);
    await elsewhere.moveDispute(one, id, status).catch(() => undefined);
    expect(await elsewhere.balances(one)).toEqual(after);
    expect((await elsewhere.state(one)).documents.map(([kind]) => kind)).toEqual(['INVOICE', ...papers]);
    expect(await money.faults()).toEqual([]);
  },
);

test('a lost dispute over part of a payment leaves the plan running, with a credit note for that part', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.dispute(one, 30_000);
  await elsewhere.moveDispute(one, id, 'lost');
  expect(await elsewhere.state(one)).toMatchObject({
    cycle: 'PAID',
    documents: [
      ['INVOICE', price],
      ['CREDIT_NOTE', 30_000],
    ],
  });
  expect(await money.faults()).toEqual([]);
});

test('a lost dispute over an advance gives back its receipt voucher with a refund voucher', async () => {
  const one = await elsewhere.paid(3);
  await elsewhere.moveDispute(one, await elsewhere.dispute(one), 'lost');
  expect((await elsewhere.state(one)).documents).toEqual([
    ['RECEIPT_VOUCHER', price],
    ['REFUND_VOUCHER', price],
  ]);
  expect(await money.faults()).toEqual([]);
});

test('a refund of a disputed payment waits: if the dispute is won it is paid, if lost the dispute was the refund', async () => {
  const won = await elsewhere.paid(3);
  const lost = await elsewhere.paid(3);
  const ids = { won: await elsewhere.dispute(won), lost: await elsewhere.dispute(lost) };
  await pollList(money.portal, 'disputes');
  for (const one of [won, lost]) await one.end();
  await money.work(money.portal, 2 * 3_600_000);
  for (const one of [won, lost]) expect(await elsewhere.atProvider(one)).toBe(0);
  await elsewhere.moveDispute(won, ids.won, 'won');
  await elsewhere.moveDispute(lost, ids.lost, 'lost');
  await money.work();
  expect(await elsewhere.atProvider(won)).toBe(price);
  expect(await elsewhere.atProvider(lost)).toBe(0);
  expect((await elsewhere.state(won)).refunds).toEqual([['PORTAL', 'PROCESSED', price, 0, 0]]);
  expect((await elsewhere.state(lost)).refunds).toEqual([
    ['DISPUTE', 'PROCESSED', price, price, 0],
    ['PORTAL', 'PROCESSED', price, 0, price],
  ]);
  expect(await money.faults()).toEqual([]);
});

test.each([
  [
    'less than',
    50_000,
    { atProvider: 24_950, refunds: [['DISPUTE', 'PROCESSED', 50_000, 50_000, 0]], credited: [74_950] },
  ],
  ['as much as', 74_950, { atProvider: 0, refunds: [['DISPUTE', 'PROCESSED', 74_950, 74_950, 0]], credited: [74_950] }],
  [
    'more than',
    100_000,
    { atProvider: 0, refunds: [['DISPUTE', 'PROCESSED', 100_000, 74_950, 0]], credited: [74_950, 25_050] },
  ],
])(
  'a lost dispute over %s a part that waits to be refunded was that refund: the customer gets no more, and the plan continues',
  async (_, disputedPaise, { atProvider, refunds, credited }) => {
    const one = await elsewhere.paid();
    const id = await elsewhere.dispute(one, disputedPaise);
    await pollList(money.portal, 'disputes');
    await makeRefund(money.portal, { of: one.cycleId, amountPaise: 74_950, reason: 'Half' }, 'test');
    await money.work();
    expect(await elsewhere.atProvider(one)).toBe(0);
    await elsewhere.moveDispute(one, id, 'lost');
    await money.work();
    expect(await elsewhere.atProvider(one)).toBe(atProvider);
    const own = ['OPERATOR', 'PROCESSED', 74_950, 0, Math.min(disputedPaise, 74_950)];
    expect(await elsewhere.state(one)).toEqual({
      cycle: 'PAID',
      refunds: [...refunds, own],
      documents: [['INVOICE', price], ...credited.map((paise) => ['CREDIT_NOTE', paise])],
    });
    expect(await money.faults()).toEqual([]);
  },
);

test('a refund does not wait for a suspicion of fraud, which asks for it', async () => {
  const one = await elsewhere.paid(3);
  await elsewhere.dispute(one, undefined, 'fraud');
  await pollList(money.portal, 'disputes');
  await one.end();
  await money.work();
  expect(await elsewhere.atProvider(one)).toBe(price);
});

test('what a lost dispute takes beyond the captured amount is a loss, in the ledger and in the books', async () => {
  const lossOf = async () => {
    const vouchers = await readVouchers(money.portal.db, dayOf(money.portal.clock()));
    return balancesOf(vouchers).get('dispute-losses') ?? 0;
  };
  const before = await lossOf();
  const one = await elsewhere.paid();
  const id = await elsewhere.dispute(one);
  await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
  await elsewhere.moveDispute(one, id, 'lost');
  expect(await elsewhere.balances(one)).toEqual({ losses: 100_000, provider: -100_000 });
  expect((await lossOf()) - before).toBe(100_000);
  expect(await money.faults()).toEqual([]);
});

test('operator and customer get a mail for each step of a dispute, once, and the customer none about evidence', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.dispute(one);
  await pollList(money.portal, 'disputes');
  await pollList(money.portal, 'disputes');
  await elsewhere.moveDispute(one, id, 'under_review');
  // The bank wants more evidence, and gets it.
  await elsewhere.moveDispute(one, id, 'action_required');
  expect(await disputeStatus(id)).toBe('open');
  await elsewhere.moveDispute(one, id, 'under_review');
  await elsewhere.moveDispute(one, id, 'won');
  expect(await mailsOf(id)).toEqual({
    customer: ['Your bank disputes a payment', 'The dispute is over'],
    operator: [
      'Dispute opened',
      'Dispute under review',
      'More evidence needed for a dispute',
      'Dispute under review',
      'Dispute won',
    ],
  });
  const lost = await elsewhere.paid();
  const lostId = await elsewhere.dispute(lost);
  await elsewhere.moveDispute(lost, lostId, 'lost');
  expect((await mailsOf(lostId)).operator).toEqual(['Dispute lost']);
  expect(await elsewhere.mailSubjects(lost)).toContain('Refund started');
});

test('missing evidence is a mail and an alarm 3 days and 1 day before its time ends, and when it is over', async () => {
  const one = await elsewhere.paid();
  const id = await elsewhere.dispute(one);
  await pollList(money.portal, 'disputes');
  for (let day = 0; day < 9; day += 1) {
    await remindOfEvidence(money.portal);
    await remindOfEvidence(money.portal);
    money.moveClock(dayMs);
  }
  expect((await mailsOf(id)).operator).toEqual([
    'Dispute opened',
    'Evidence for a dispute is due in 3 days',
    'Evidence for a dispute is due in 1 day',
    'Evidence for a dispute is overdue',
  ]);
  const alarms = money.logLines.filter((line) => line.includes(id) && line.includes('evidence for a dispute is due'));
  expect(alarms).toHaveLength(3);
  // Evidence that was given needs no reminder; without webhooks the hourly check sees it.
  await money.standin('POST', `/standin/disputes/${id}/under_review`, {});
  const due = await claimDueDisputes(money.portal.db, Date.now() + 2 * 3_600_000, 50);
  for (const each of due) await recordDispute(money.portal, each);
  expect(await disputeStatus(id)).toBe('under_review');
});
