import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { declareTransferTds, payByTransfer } from '#shared/contract/bank-transfers.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { type Money, startMoney } from './test-money.ts';
import { businessProfile } from './test-tds.ts';
import { accountsAtProvider, adding, asking, transfersAt } from './test-transfers.ts';

const price = 149_900;

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

/** Without any webhook: the account is asked about five seconds after it was asked for. */
const settle = (at = money, aheadMs = 60_000) => at.work(at.portal, aheadMs);

const { noFaults } = transfersAt(() => money);

test('a transfer of exactly the amount pays the plan, and its UTR stands on the invoice', async () => {
  const one = await asking(money);
  expect(one.asked).toMatchObject({ amount: price / 100, account: { ifsc: 'RATN0VAAPIS', bank: 'RBL Bank' } });
  await one.credit(price, { utr: 'HDFCR52026112800001' });
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID', payments: [{ status: 'captured' }] }]);
  const { content } = await money.portal.db
    .selectFrom('documents')
    .select('content')
    .where('cycle_id', '=', one.cycleId)
    .executeTakeFirstOrThrow();
  expect(content).toMatchObject({ utr: 'HDFCR52026112800001' });
  await noFaults();
});

test.each([
  ['less than the amount', price - 100, {}, 'PROVIDER'],
  ['more than the amount', price + 100, {}, 'PROVIDER'],
  ['more, from a UPI app that names no account', price + 100, { mode: 'UPI' }, 'TRANSFER'],
  ['less, by IMPS from a bank that names no account', price - 100, { mode: 'IMPS', payer: null }, 'TRANSFER'],
  ['more, from the account of a non-resident', price + 100, { nre: true }, 'TRANSFER'],
])('%s goes back as a whole, and the exact amount still pays', async (_what, amount, more, payout) => {
  const one = await asking(money);
  const order = () => money.ask(createOrder, { params: { id: one.cycleId } }, one.token);
  const { orderId } = await order();
  await one.credit(amount, more);
  await settle();
  // The checkout that is open goes on.
  expect(await order()).toMatchObject({ orderId });
  expect(await one.refunds()).toMatchObject([
    { reason: 'The amount differs from the order', amount_paise: amount, payout },
  ]);
  expect(await one.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }]);
  await one.credit(price);
  await one.askFor(one.cycleId);
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  expect(await one.refunds()).toHaveLength(1);
  await noFaults();
});

test('the mail about a transfer of a wrong amount says what is due, how to pay it, and its UTR, until it is paid', async () => {
  const one = await asking(money);
  const mails = async () =>
    (
      await money.portal.db
        .selectFrom('mails')
        .select(['subject', 'body_text'])
        .where('customer_id', '=', one.customerId)
        .orderBy('created_at')
        .execute()
    ).map(({ subject, body_text: text }) => `${subject}\n${text}`);
  await money.ask(declareTransferTds, { body: { declared: { tan: 'MUMA12345B', percent: 10 } } }, one.token);
  await one.credit(price - 100, { utr: 'HDFCR52026112800002' });
  await settle();
  const wrong = (await mails()).find((text) => text.startsWith('Not paid yet: your bank transfer of ₹1,498 for '));
  expect(wrong).toContain('It goes back to the account that it came from');
  expect(wrong).toContain('transfer exactly ₹1,499, or that less the tax (TDS) of 10% that you have declared');
  expect(wrong).toMatch(new RegExp(String.raw`/pay#${one.cycleId}\.0\.[0-9a-f]{64}`));
  expect(wrong).toContain('Bank transfer (UTR): HDFCR52026112800002');
  const done = (await mails()).find((text) => text.startsWith('Refund completed: ₹1,498'));
  expect(done).toContain('on the account that you transferred it from');
  expect(done).toContain('quote the UTR above');
  expect((await mails()).join('')).not.toMatch(/You don’t need to do anything|account or card/);

  await one.credit(price);
  await settle(money, 3_600_000);
  await one.credit(price + 100, { utr: 'HDFCR52026112800003' });
  await settle(money, 2 * 86_400_000);
  const late = (await mails()).find((text) => text.startsWith('Refund started: ₹1,500'));
  expect(late).toContain('You don’t need to do anything.');
  expect(late).toContain('Bank transfer (UTR): HDFCR52026112800003');
});

test('only a business is given an account number', async () => {
  const { token } = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, plan, token);
  const asked = { params: { activationId }, body: { billingCycleIds: [billingCycleId] } };
  expect(await money.send(payByTransfer, asked, token)).toMatchObject({ status: 409, body: { code: 'business_only' } });
  // Nothing was ordered for it at Razorpay either.
  const ordered = money.portal.db.selectFrom('payment_orders').select('id').where('cycle_id', '=', billingCycleId);
  expect(await ordered.execute()).toEqual([]);
  await money.ask(updateProfile, { body: businessProfile }, token);
  expect(await money.send(payByTransfer, asked, token)).toMatchObject({ status: 200 });
});

/** Does something while Razorpay makes the next account number, as another process would: outside the call that asks for it. */
function whileMade(work: () => Promise<unknown>): void {
  const outside = AsyncLocalStorage.snapshot();
  const { razorpay } = money.portal;
  const { createVirtualAccount } = razorpay;
  const reset = () => void Object.assign(razorpay, { createVirtualAccount });
  onTestFinished(reset);
  Object.assign(razorpay, {
    createVirtualAccount: async (...asked: Parameters<typeof createVirtualAccount>) => {
      reset();
      const made = await createVirtualAccount(...asked);
      await outside(work);
      return made;
    },
  });
}

test('an account number that is not kept is closed at Razorpay: its customer was erased meanwhile, or another request was faster', async () => {
  const at = async ({ customerId }: { customerId: string }) =>
    (await accountsAtProvider(money, customerId)).map(({ status }) => status).toSorted();
  const [erased, twice] = [await adding(money, businessProfile), await adding(money, businessProfile)];
  const ask = ({ activationId, cycleId, token }: typeof erased) =>
    money.send(payByTransfer, { params: { activationId }, body: { billingCycleIds: [cycleId] } }, token);
  const cause = { actor: 'asha', reason: 'Asked by the customer' };
  whileMade(() => eraseByOperator(money.portal, erased.customerId, cause, { endPlans: true, withinYear: true }));
  expect(await ask(erased)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await at(erased)).toEqual(['closed']);
  whileMade(() => ask(twice));
  const { body } = await ask(twice);
  expect(await at(twice)).toEqual(['active', 'closed']);
  expect(await ask(twice)).toMatchObject({ body });
  await noFaults();
});

test('a second transfer of the amount goes back, and so does one for a plan that was removed', async () => {
  const [twice, late] = [await asking(money), await asking(money)];
  await twice.credit(price);
  await twice.credit(price);
  await money.ask(endCycle, { params: { activationId: late.activationId, billingCycleId: late.cycleId } }, late.token);
  await late.credit(price);
  await settle();
  expect(await twice.cycles()).toMatchObject([{ status: 'PAID', refund: null, returned: { amount: 1499 } }]);
  expect(await twice.refunds()).toMatchObject([{ reason: 'The subscription was paid already', status: 'PROCESSED' }]);
  expect(await late.refunds()).toMatchObject([{ reason: 'The subscription was removed', status: 'PROCESSED' }]);
  await noFaults();
});

test('a transfer that came before the database was restored, for an order that it may have lost, is left to the operator', async () => {
  const one = await asking(money);
  await one.credit(price);
  await settle();
  const moved = (at: Date | null) => money.owner.db.updateTable('installation').set({ moved_at: at }).execute();
  onTestFinished(async () => void (await moved(null)));
  await moved(new Date(money.portal.machineClock() + 365 * 86_400_000));
  await one.credit(price);
  await settle();
  expect(await one.refunds()).toEqual([]);
  await noFaults();
});

test('a transfer for an order that another replaced pays what is still unpaid', async () => {
  const one = await asking(money);
  const later = {
    params: { activationId: one.activationId, planId: 'growth' },
    body: { startDate: addDays(dayOf(money.portal.clock()), 30) },
  };
  const { billingCycleIds: more = [] } = await money.ask(addCycle, later, one.token);
  expect(await one.askFor(one.cycleId, ...more)).toMatchObject({ amount: (2 * price) / 100 });
  await one.credit(price);
  await settle();
  const cycles = await one.cycles();
  expect(cycles.map(({ status }) => status).toSorted()).toEqual(['PAID', 'PAYMENT_PENDING']);
  expect(await one.refunds()).toEqual([]);
  await noFaults();
});

test('a transfer pays for what is unpaid, not for another bill of its amount that was paid by card', async () => {
  const one = await asking(money);
  const add = async (days: number) => {
    const body = { startDate: addDays(dayOf(money.portal.clock()), days) };
    const added = await money.ask(
      addCycle,
      { params: { activationId: one.activationId, planId: 'growth' }, body },
      one.token,
    );
    return added.billingCycleId ?? '';
  };
  const [second, third] = [await add(30), await add(60)];
  await one.askFor(second);
  const { orderId } = await money.ask(createOrder, { params: { id: second } }, one.token);
  await money.ask(verifyPayment, { body: await money.checkOut(orderId) }, one.token);
  // The first bill's order is replaced; its subscription stays unpaid.
  await one.askFor(one.cycleId, third);
  await one.credit(price);
  await settle();
  expect(await one.refunds()).toEqual([]);
  const statuses = new Map((await one.cycles()).map(({ id, status }) => [id, status]));
  expect([one.cycleId, second, third].map((id) => statuses.get(id))).toEqual(['PAID', 'PAID', 'PAYMENT_PENDING']);
  await noFaults();
});

test('webhook, repeated webhook, check and two processes at once use a credit once', async () => {
  const one = await asking(money);
  const { id } = await one.credit(price, { utr: 'HDFCN52026112800002' });
  const entity = { entity: { id, status: 'captured', order_id: null, payer: { account_number: '765432123456789' } } };
  for (const event of ['payment.captured', 'virtual_account.credited', 'virtual_account.credited'])
    expect(await money.deliver(event, { payment: entity })).toBe(200);
  await Promise.all([settle(), money.work(money.anotherPortal(), 60_000), money.handleWebhooks()]);
  const noted = await money.portal.db
    .selectFrom('bank_transfers')
    .select(['payment_id', 'utr'])
    .where('customer_id', '=', one.customerId)
    .execute();
  expect(noted).toEqual([{ payment_id: id, utr: 'HDFCN52026112800002' }]);
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  expect(await one.refunds()).toEqual([]);
  const { rows } = await money.owner.pool.query(`select from webhook_inbox where body::text like '%765432123456789%'`);
  expect(rows).toEqual([]);
  await noFaults();
});

test('the account number of a customer stays the same, and every order is asked for once', async () => {
  const one = await asking(money);
  const again = await Promise.all([one.askFor(one.cycleId), one.askFor(one.cycleId)]);
  expect(again).toEqual([one.asked, one.asked]);
  const asked = await money.portal.db
    .selectFrom('transfer_orders')
    .select('order_id')
    .where('customer_id', '=', one.customerId)
    .execute();
  expect(asked).toHaveLength(1);
});

test('the database refuses a payment by transfer that was not noted, and a noted one that changes', async () => {
  const one = await asking(money);
  await one.credit(price);
  await settle();
  const noted = money.owner.pool.query('update bank_transfers set amount_paise = 1 where customer_id = $1', [
    one.customerId,
  ]);
  await expect(noted).rejects.toThrow(/is never changed or deleted/);
  const other = money.owner.pool.query(
    `insert into payments (provider_payment_id, order_id, cycle_id, customer_id, amount_paise, currency, status, method, created_at)
     select 'pay_other', order_id, cycle_id, customer_id, amount_paise, currency, 'created', 'bank_transfer', created_at
     from payments where customer_id = $1`,
    [one.customerId],
  );
  await expect(other).rejects.toThrow(/is no noted bank transfer/);
});

test('an account number is still looked at once a day weeks after it was asked for', async () => {
  const one = await asking(money);
  const account = money.portal.db
    .selectFrom('virtual_accounts')
    .select(['checks', 'next_check_at'])
    .where('id', '=', one.accountId);
  await money.portal.db
    .updateTable('virtual_accounts')
    .set({ checks: 500, next_check_at: new Date() })
    .where('id', '=', one.accountId)
    .execute();
  await money.work();
  const { checks, next_check_at: next } = await account.executeTakeFirstOrThrow();
  expect(checks).toBe(501);
  const hours = (next.getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThanOrEqual(24);
  await one.credit(price);
  await settle(money, 86_400_000);
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
});

test('a credit that came before a hundred others is found too', async () => {
  const one = await asking(money);
  await one.credit(price);
  for (let other = 0; other < 100; other += 1) await one.credit(100 + other);
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  expect(await one.refunds()).toHaveLength(100);
});
