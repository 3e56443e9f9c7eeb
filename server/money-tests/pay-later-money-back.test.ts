import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import { dayOf } from '#shared/domain/day.ts';
import { remindOfBills } from '#server/features/timed-events/bill-reminders.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { readRefundsHealth } from '#server/features/refunds/refunds.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { billed, termsCause } from './test-credit.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { catalogThatRefunds, dayMs, type Money, startMoney } from './test-money.ts';
import { declareTds } from './test-tds.ts';
import { price, transfersAt } from './test-transfers.ts';

/** Money of what was sold on credit terms goes back: it came under another payment than the promise. */

let money: Money;
let elsewhere: ReturnType<typeof startElsewhere>;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
  elsewhere = startElsewhere(money);
});
afterAll(() => money.close());

const { noFaults } = transfersAt(() => money);
const today = () => dayOf(money.portal.clock());
type Billed = Awaited<ReturnType<typeof billed>>;

/** Sold on terms, and its bill paid by card. */
async function paidLater(terms?: Parameters<typeof billed>[1]) {
  const one = await billed(money, terms);
  const { paymentId } = await money.buy(one.token, one.cycleId);
  return { ...one, paymentId };
}

const refundsOf = ({ customerId }: Billed) =>
  money.portal.db
    .selectFrom('refunds')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

async function disputed(one: Awaited<ReturnType<typeof paidLater>>, amount?: number): Promise<string> {
  const id = await elsewhere.dispute(one, amount);
  await pollList(money.portal, 'disputes');
  return id;
}

async function refundedThere(one: Awaited<ReturnType<typeof paidLater>>, amount: number): Promise<void> {
  const id = await elsewhere.refundOnDashboard(one, amount);
  await elsewhere.deliverRefundWebhook(one, id);
}

const refund = (one: Billed, amount?: number) =>
  actAsOperator(
    money.portal,
    'finance',
    'refundPayment',
    { of: one.cycleId, ...(amount !== undefined && { amount }) },
    termsCause,
  );

let numbers = 0;
const transfer = (refundId: string) =>
  actAsOperator(
    money.portal,
    'finance',
    'recordTransfer',
    { refundId, utr: `SBIN9000152200${(numbers += 1) + 10}`, on: today() },
    termsCause,
  );

test('a refund of a plan waits while the payment of its bill is disputed, and a lost dispute pays it', async () => {
  const one = await paidLater();
  const id = await disputed(one);
  const before = await readRefundsHealth(money.portal);
  expect(await refund(one)).toMatchObject({ waitsForDispute: true });
  const [promised] = await refundsOf(one);
  expect(promised).toMatchObject({ payout: 'TRANSFER', status: 'STARTED', amount_paise: price });
  expect(await readRefundsHealth(money.portal)).toMatchObject({ toTransfer: before.toTransfer });
  await expect(transfer(promised?.id ?? '')).rejects.toThrow(/disputes/);
  await elsewhere.moveDispute(one, id, 'lost');
  expect(await refundsOf(one)).toMatchObject([
    { payout: 'TRANSFER', status: 'PROCESSED', covered_paise: price },
    { origin: 'DISPUTE', status: 'PROCESSED', amount_paise: price, covers_paise: price },
  ]);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('a dispute that is won lets the transfer of the refund go, also of a plan that its customer deletes', async () => {
  const one = await paidLater();
  const id = await disputed(one);
  await money.ask(deleteActivation, { params: { activationId: one.activationId } }, one.token);
  const [promised] = await refundsOf(one);
  await expect(transfer(promised?.id ?? '')).rejects.toThrow(/disputes/);
  const before = await readRefundsHealth(money.portal);
  await elsewhere.moveDispute(one, id, 'won');
  expect(await readRefundsHealth(money.portal)).toMatchObject({ toTransfer: before.toTransfer + 1 });
  await transfer(promised?.id ?? '');
  await noFaults();
});

test('money that is refunded at the provider first pays a transfer that waits, and only the rest is due again', async () => {
  const one = await paidLater();
  await refund(one, 500);
  await refundedThere(one, price);
  expect(await refundsOf(one)).toMatchObject([
    { payout: 'TRANSFER', status: 'PROCESSED', amount_paise: 50_000, covered_paise: 50_000 },
    { origin: 'PROVIDER', amount_paise: price, covers_paise: 50_000, loss_paise: 0 },
  ]);
  expect(await one.bill()).toMatchObject({ due_paise: price - 50_000 });
  const [promised] = await refundsOf(one);
  await expect(transfer(promised?.id ?? '')).rejects.toThrow(/paid already/);
  await noFaults();

  const two = await paidLater();
  await refund(two);
  await refundedThere(two, price);
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('what goes back at the provider beside a transfer that was made is a loss, and not due again', async () => {
  const one = await paidLater();
  await refund(one, 500);
  const [promised] = await refundsOf(one);
  await transfer(promised?.id ?? '');
  await refundedThere(one, price);
  expect((await refundsOf(one))[1]).toMatchObject({
    amount_paise: price - 50_000,
    covers_paise: 0,
    loss_paise: 50_000,
  });
  expect(await one.bill()).toMatchObject({ due_paise: price - 50_000 });
  await noFaults();

  const two = await paidLater();
  await refund(two);
  const [whole] = await refundsOf(two);
  await transfer(whole?.id ?? '');
  const id = await disputed(two);
  await elsewhere.moveDispute(two, id, 'lost');
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('what is due is lowered before any money goes back: after a certificate for what was not paid', async () => {
  const one = await billed(money);
  const claimId = await declareTds(money, one, one.cycleId, 12_700);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, termsCause);
  expect(await one.bill()).toMatchObject({ due_paise: price - 12_700 });
  const params = { activationId: one.activationId, billingCycleId: one.cycleId };
  const preview = await money.ask(previewEndCycle, { params }, one.token);
  expect(preview).toMatchObject({ refundAmount: 1449.03, offsetAmount: 1372, transferAmount: 77.03 });
  expect(await money.ask(endCycle, { params }, one.token)).toMatchObject({ offsetAmount: 1372, transferAmount: 77.03 });
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  expect((await refundsOf(one))[1]).toMatchObject({
    payout: 'TRANSFER',
    status: 'STARTED',
    amount_paise: 144_903,
    offset_paise: 137_200,
    covered_paise: 137_200,
  });
  await noFaults();
  await transfer((await refundsOf(one))[1]?.id ?? '');
  await noFaults();
});

test('what is due is lowered before any money goes back: after a part came back at the provider', async () => {
  const one = await paidLater();
  await refundedThere(one, 100_000);
  expect(await one.bill()).toMatchObject({ due_paise: 100_000 });
  expect(await refund(one)).toMatchObject({ cycles: [{ payout: 'TRANSFER', offset: 1000 }] });
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  expect(await refundsOf(one)).toMatchObject([
    { origin: 'PROVIDER', amount_paise: 100_000 },
    { payout: 'TRANSFER', amount_paise: price, offset_paise: 100_000, covered_paise: 100_000 },
  ]);
  await noFaults();
});

test('a certificate over more than is due lowers the bill to nothing, and only the rest is transferred; the mail says both', async () => {
  const one = await billed(money);
  const paid = { of: one.cycleId, amount: 1449 };
  await refund(one, paid.amount);
  expect(await one.bill()).toMatchObject({ due_paise: 5000 });
  const claimId = await declareTds(money, one, one.cycleId, 4900);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, termsCause);
  expect(await one.bill()).toMatchObject({ due_paise: 100 });

  const two = await paidLater();
  await refundedThere(two, 5000);
  const claim = await declareTds(money, two, two.cycleId, 12_700);
  const preview = await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId: claim }, termsCause);
  expect(preview).toMatchObject({ payout: 'TRANSFER', refund: 77, offset: 50 });
  expect(await two.bill()).toMatchObject({ due_paise: 0 });
  const { body_text: text } = await money.portal.db
    .selectFrom('mails')
    .select('body_text')
    .where('customer_id', '=', two.customerId)
    .where('subject', 'like', 'TDS accepted%')
    .executeTakeFirstOrThrow();
  expect(text).toContain('₹50 less is due');
  expect(text).toContain('refund of ₹77');
  await noFaults();
});

test('a lost dispute makes a bill due again; the customer is told each time, and what pays it is kept apart', async () => {
  const one = await paidLater();
  const id = await disputed(one);
  await elsewhere.moveDispute(one, id, 'lost');
  expect(await one.bill()).toMatchObject({ due_paise: price });
  expect(await elsewhere.mailSubjects(one)).toContain('Due again');
  const reported = await money.portal.db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('customer_id', '=', one.customerId)
    .where('subject', 'like', 'A bill is due again: ₹1,499 of %')
    .execute();
  expect(reported).toMatchObject([{ body_text: expect.stringContaining('octroi refund') }]);
  expect(reported[0]?.recipient).not.toBe('kaveri@example.com');
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  await money.buy(one.token, one.cycleId);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('a bill that is due again at the same amount is told again, with the plans that stop', async () => {
  const one = await billed(money, { days: 1, stopAfterDays: 0 });
  money.moveClock(2 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 2 * dayMs });
  const remind = () => remindOfBills(money.portal, today(), { customers: 'all', items: unrecorded });
  await remind();
  const stops = 'API calls stopped';
  const told = async () => (await elsewhere.mailSubjects(one)).filter((subject) => subject.includes(stops)).length;
  expect(await told()).toBe(1);
  const { paymentId } = await money.buy(one.token, one.cycleId);
  await refundedThere({ ...one, paymentId }, price);
  await remind();
  await remind();
  expect(await told()).toBe(2);
  expect((await elsewhere.mailSubjects(one)).filter((subject) => subject === 'Due again')).toHaveLength(1);
  await noFaults();
});

test('a refund at the provider that a bank returns is sent again, while its bill is due again', async () => {
  const one = await paidLater();
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  const id = await elsewhere.refundOnDashboard(one, 50_000);
  await elsewhere.deliverRefundWebhook(one, id, 'refund.created');
  expect(await one.bill()).toMatchObject({ due_paise: 50_000 });
  await money.standin('POST', `/standin/refunds/${id}/fail`, {});
  await money.behave({ webhooks: { enabled: false } });
  await elsewhere.deliverRefundWebhook(one, id, 'refund.failed');
  await money.work(money.portal, 60_000);
  expect(await refundsOf(one)).toMatchObject([{ origin: 'PROVIDER', status: 'PROCESSED', amount_paise: 50_000 }]);
  expect((await money.portal.razorpay.readPayment(one.paymentId)).amount_refunded).toBe(50_000);
  expect(await one.bill()).toMatchObject({ due_paise: 50_000 });
  await noFaults();
});

test('a loss beside a transfer stays one when the bill is paid again before the provider reports the refund', async () => {
  const one = await paidLater();
  await refund(one, 1000);
  await transfer((await refundsOf(one))[0]?.id ?? '');
  await money.behave({ webhooks: { enabled: false }, refunds: 'pending' });
  const id = await elsewhere.refundOnDashboard(one, 80_000);
  await elsewhere.deliverRefundWebhook(one, id, 'refund.created');
  expect((await refundsOf(one))[1]).toMatchObject({ amount_paise: 49_900, loss_paise: 30_100 });
  expect(await one.bill()).toMatchObject({ due_paise: 49_900 });
  await money.buy(one.token, one.cycleId);
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await money.standin('POST', `/standin/refunds/${id}/process`, {});
  await money.behave({ webhooks: { enabled: false } });
  await elsewhere.deliverRefundWebhook(one, id);
  expect((await refundsOf(one))[1]).toMatchObject({ status: 'PROCESSED', loss_paise: 30_100 });
  expect(await one.bill()).toMatchObject({ due_paise: 0 });
  await noFaults();
});

test('a rest below a rupee, which no provider takes, stays on the statement and hinders nothing', async () => {
  const one = await paidLater({ days: 1, stopAfterDays: 0 });
  const params = { activationId: one.activationId, billingCycleId: one.cycleId };
  await money.ask(endCycle, { params }, one.token);
  await refundedThere(one, 145_000);
  expect(await one.bill()).toMatchObject({ due_paise: 97 });
  money.moveClock(3 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 3 * dayMs });
  expect(await one.credit()).toMatchObject({ due: 0, terms: { why: null }, bills: [{ state: 'PAID', due: 0.97 }] });
  await noFaults();
});
