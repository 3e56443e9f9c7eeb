import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { deleteActivation, listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { endRenewal, readRenewal, skipRenewal } from '#shared/contract/renewals.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { runRounds } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const product = 'tax-lookup-api';
const dayMs = 86_400_000;

let portal: TestPortal;
let token: string;
let activationId: string;
let customerId: string;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const params = () => ({ params: { activationId } });
const renewal = () => portal.ask(readRenewal, params(), token);
const today = () => dayOf(portal.portal.clock());
const cycles = async () =>
  (await portal.ask(listActivations, {}, token)).activations.find(({ id }) => id === activationId)?.billingCycles ?? [];
const debits = () =>
  portal.portal.db.selectFrom('mandate_debits').selectAll().where('activation_id', '=', activationId);
const tokenOf = async () =>
  (
    await portal.portal.db
      .selectFrom('mandates')
      .select('token_id')
      .where('activation_id', '=', activationId)
      .where('token_id', 'is not', null)
      .executeTakeFirstOrThrow()
  ).token_id ?? '';
const mails = async () =>
  (
    await portal.portal.db
      .selectFrom('mails')
      .select('subject')
      .where('customer_id', '=', customerId)
      .orderBy('created_at')
      .execute()
  ).map(({ subject }) => subject);

/** Both clocks: that of the product, and that of the payment provider. */
async function move(days: number): Promise<void> {
  portal.moveClock(days * dayMs);
  await portal.standin('POST', '/standin/clock', { advanceMs: days * dayMs });
}

async function payWithConsent(cycleIds: string[], consents = true): Promise<void> {
  const body = { billingCycleIds: cycleIds, ...(consents && { renewal: { pinEachTime: false } }) };
  const order = await portal.ask(createOrderOfPeriods, { ...params(), body }, token);
  const paid = await portal.pay(order.orderId, {
    method: 'upi',
    ...(order.mandate && { customer_id: order.mandate.customerId }),
  });
  const report = {
    orderId: order.orderId,
    paymentId: String(paid['razorpay_payment_id']),
    signature: String(paid['razorpay_signature']),
  };
  await portal.ask(verifyPayment, { body: report }, token);
}

/** A customer with a paid plan of 30 days from today, which renews. */
beforeEach(async () => {
  await portal.behave({});
  token = await portal.newCustomer();
  const plan = { params: { id: product, planId: 'growth' } };
  const activated = await portal.ask(activatePlan, plan, token);
  ({ activationId } = activated);
  ({ customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow());
  await payWithConsent([activated.billingCycleId ?? '']);
  await vi.waitUntil(async () => (await renewal()).mandate?.state === 'IN_FORCE', { timeout: 60_000 });
});

// The next test's clock must not renew this one's plan, nor take an outcome that is meant for it.
afterEach(() => portal.send(endRenewal, params(), token));

/** Goes to a day before the end of the plan, and runs what is due. */
async function goBefore(days: number): Promise<void> {
  const running = (await cycles()).find(({ status }) => status === 'PAID');
  const end = running?.toDate ?? '';
  while (today() < addDays(end, -days)) await move(1);
  await runRounds(portal.portal);
}

test('a consent that comes with a payment is in force once its token is confirmed, and its customer hears of it', async () => {
  const { mandate, next, whyNot } = await renewal();
  expect(mandate).toMatchObject({ planName: 'Growth', ceiling: 1874, pinEachTime: false, isCancelled: false });
  expect(next).toMatchObject({ amount: 1499, fromDate: addDays(today(), 30), debitOn: addDays(today(), 27) });
  expect(whyNot).toBeNull();
  await expect.poll(mails).toContain('Renews automatically: Growth plan');
  const { billingCycleId = '' } = await portal.ask(
    addCycle,
    { params: { activationId, planId: 'growth' }, body: { startDate: addDays(today(), 30) } },
    token,
  );
  const body = { billingCycleIds: [billingCycleId], renewal: { pinEachTime: false } };
  const again = await portal.send(createOrderOfPeriods, { ...params(), body }, token);
  expect(again.body).toMatchObject({ status: 409, code: 'renews_already' });
});

test('five days before its end a renewal is announced, three days before it is asked for once, and its result pays for the next cycle', async () => {
  await goBefore(5);
  expect((await mails()).filter((subject) => subject.startsWith('Renews soon: ₹1,499'))).toHaveLength(1);
  expect(await debits().execute()).toEqual([]);
  await goBefore(3);
  await runRounds(portal.portal);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['SENT']);
  await expect.poll(async () => (await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PENDING']);
  const [debit] = await debits().execute();
  const refused = await portal.send(createOrder, { params: { id: debit?.cycle_id ?? '' } }, token);
  expect(refused.body).toMatchObject({ code: 'payment_under_way' });
  await move(2);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['PAID']);
  const [running, prepaid] = await cycles();
  expect(prepaid).toMatchObject({ status: 'PAID', fromDate: running?.toDate, price: 1499 });
  // A receipt voucher: the invoice follows on the first day.
  const papers = portal.portal.db
    .selectFrom('documents')
    .select('kind')
    .where('cycle_id', '=', prepaid?.id ?? '');
  expect(await papers.execute()).toEqual([{ kind: 'RECEIPT_VOUCHER' }]);
  expect((await mails()).filter((subject) => subject.startsWith('Your plan ends'))).toEqual([]);
  expect((await renewal()).next).toMatchObject({ fromDate: prepaid?.toDate });
});

test('a debit that failed is told with its reason and tried once more; paying by hand meanwhile leaves nothing to debit', async () => {
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await goBefore(5);
  await goBefore(3);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['SENT']);
  await move(1.5);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['FAILED']);
  expect((await mails()).filter((subject) => subject.startsWith('Renewal not paid'))).toHaveLength(1);
  expect((await mails()).filter((subject) => subject.startsWith('Payment not completed'))).toEqual([]);
  const [failed] = (await renewal()).debits;
  expect(failed?.reason).not.toBeNull();
  await payWithConsent([failed?.cycleId ?? ''], false);
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(1);
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
});

test('the second try is the last one, and the customer is reminded before access ends', async () => {
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds', 'insufficient_funds'], retries: 0 } });
  await goBefore(5);
  await goBefore(3);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['SENT']);
  await move(1.5);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['FAILED']);
  await runRounds(portal.portal);
  await expect.poll(async () => (await debits().execute()).length).toBe(2);
  await move(1);
  await expect
    .poll(async () => (await debits().orderBy('attempt').execute()).map(({ state }) => state))
    .toEqual(['FAILED', 'SENT']);
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(2);
  expect((await mails()).filter((subject) => subject.startsWith('Your plan ends tonight'))).toHaveLength(1);
});

test('a skipped renewal is not debited, and the next one after a payment by hand is', async () => {
  await goBefore(5);
  const { whyNot } = await portal.ask(skipRenewal, { ...params(), body: { isSkipped: true } }, token);
  expect(whyNot).toBe('skipped');
  await goBefore(1);
  expect(await debits().execute()).toEqual([]);
  const [running] = await cycles();
  const startDate = running?.toDate ?? '';
  const added = await portal.ask(addCycle, { params: { activationId, planId: 'growth' }, body: { startDate } }, token);
  await payWithConsent([added.billingCycleId ?? ''], false);
  expect(await renewal()).toMatchObject({ whyNot: null, next: { fromDate: addDays(startDate, 30) } });
});

test('turned off, nothing is debited from then on, also while the provider fails to cancel it', async () => {
  await portal.behave({ mandates: { cancellation: 'fail' } });
  await goBefore(5);
  const off = await portal.ask(endRenewal, params(), token);
  expect(off.mandate).toMatchObject({ state: 'ENDED', endedBy: 'CUSTOMER', isCancelled: false });
  await goBefore(3);
  expect(await debits().execute()).toEqual([]);
  await portal.behave({});
  // The cancellation that failed is asked for again.
  const soon = { next_check_at: new Date() };
  await portal.portal.db.updateTable('mandates').set(soon).where('activation_id', '=', activationId).execute();
  await expect.poll(async () => (await renewal()).mandate?.isCancelled).toBe(true);
});

test('ended in the UPI app, it is off here too, and a debit that was asked for fails', async () => {
  await goBefore(5);
  await goBefore(3);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['SENT']);
  await portal.standin('POST', `/standin/tokens/${await tokenOf()}/cancel`, {});
  await expect.poll(async () => (await renewal()).mandate).toMatchObject({ state: 'ENDED', endedBy: 'APP' });
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['FAILED']);
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(1);
});

test('paused in the UPI app, nothing is asked for, though the event was lost: the token is read first', async () => {
  await portal.behave({ webhooks: { enabled: false } });
  onTestFinished(() => void portal.behave({}));
  await goBefore(5);
  await portal.standin('POST', `/standin/tokens/${await tokenOf()}/pause`, {});
  await goBefore(3);
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['DROPPED']);
  expect(await renewal()).toMatchObject({ mandate: { state: 'PAUSED' }, whyNot: 'paused' });
});

test('deleting the activation ends its mandate, and it is cancelled at the provider', async () => {
  await portal.ask(deleteActivation, params(), token);
  const row = portal.portal.db.selectFrom('mandates').selectAll().where('activation_id', '=', activationId);
  expect(await row.executeTakeFirst()).toMatchObject({ state: 'ENDED', ended_by: 'DELETION' });
  const { token_id: tokenId } = await row.executeTakeFirstOrThrow();
  await expect.poll(async () => statusAtProvider(tokenId ?? '')).toMatch(/^cancell/);
});

async function statusAtProvider(tokenId: string): Promise<string | undefined> {
  const row = await portal.portal.db
    .selectFrom('mandates')
    .select('provider_customer_id')
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow();
  const read = await portal.portal.razorpay.readToken(row.provider_customer_id ?? '', tokenId);
  return read.recurring_details?.status;
}

test('a response that was lost is looked up before another attempt: one debit', async () => {
  await goBefore(5);
  const { createDebit } = portal.portal.razorpay;
  let calls = 0;
  Object.assign(portal.portal.razorpay, {
    createDebit: async (...asked: Parameters<typeof createDebit>) => {
      calls += 1;
      await createDebit(...asked);
      throw new Error('the connection broke');
    },
  });
  onTestFinished(() => void Object.assign(portal.portal.razorpay, { createDebit }));
  await goBefore(3);
  await expect.poll(() => calls).toBe(1);
  const soon = { next_try_at: new Date() };
  await portal.portal.db.updateTable('mandate_debits').set(soon).where('activation_id', '=', activationId).execute();
  await expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(['SENT']);
  expect(calls).toBe(1);
});

test('the database refuses a debit above the ceiling, a second one of a cycle, and one of a mandate that is not in force', async () => {
  await goBefore(5);
  await goBefore(3);
  const { db } = portal.portal;
  const [debit] = await debits().execute();
  if (!debit) throw new Error('there is no debit');
  const { mandate_id: id } = debit;
  const copy = {
    ...debit,
    attempt: 2,
    state: 'ASKED' as const,
    payment_id: null,
    ended_at: null,
    next_try_at: new Date(),
  };
  const insert = (of: object) =>
    db
      .insertInto('mandate_debits')
      .values({ ...copy, ...of })
      .execute();
  await expect(insert({ amount_paise: 1_874_01 })).rejects.toThrow('above the ceiling');
  await expect(insert({})).rejects.toThrow(/mandate_debits_(one_live|pkey)/);
  await portal.ask(endRenewal, params(), token);
  await expect(insert({})).rejects.toThrow(`mandate ${id} is not in force`);
});
