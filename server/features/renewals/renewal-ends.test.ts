import { expect, onTestFinished, test } from 'vitest';
import { endCycle, previewEndCycle, previewSwitch, switchPlan } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { skipRenewal } from '#shared/contract/renewals.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { useRenewals } from './test-renewals.ts';

const {
  the,
  renewal,
  cycles,
  debits,
  mandate,
  untilDebits,
  move,
  payWithConsent,
  goBefore,
  today,
  counted,
  refundsOf,
  passDays,
  sentToBank,
  running,
  add,
} = useRenewals();

const where = (cycleId: string | undefined) => ({
  params: { activationId: the().activationId, billingCycleId: cycleId ?? '' },
});

test('a next period that is removed while its debit is under way is refunded, and not debited again', async () => {
  const { portal, token } = the();
  const debit = await sentToBank();
  const next = where(debit.cycle_id);
  const preview = await portal.ask(previewEndCycle, next, token);
  expect(preview).toMatchObject({ kind: 'remove', renewal: 'skips', debitAmount: 1499 });
  expect(await portal.ask(endCycle, next, token)).toMatchObject({ renewal: 'skips', debitAmount: 1499 });
  await move(1.5);
  await untilDebits('FAILED');
  expect(await refundsOf(debit.payment_id)).toEqual([
    { amount_paise: 149_900, reason: 'The subscription was removed' },
  ]);
  await runRounds(portal.portal);
  expect(await renewal()).toMatchObject({ whyNot: 'given_up', next: null });
  await passDays(2);
  expect(await counted('Your plan ends tonight')).toBe(1);
  await passDays(2);
  await untilDebits('FAILED');
});

test('removing the next period before its debit skips it, which the page says and can take back', async () => {
  const { portal, token } = the();
  const id = await add((await running())?.toDate ?? '');
  const next = where(id);
  expect(await portal.ask(previewEndCycle, next, token)).toMatchObject({ renewal: 'skips', debitAmount: null });
  await portal.ask(endCycle, next, token);
  expect(await renewal()).toMatchObject({ whyNot: 'skipped' });
  await goBefore(5);
  await goBefore(3);
  expect(await debits().execute()).toEqual([]);
  expect(await counted('Renews soon')).toBe(0);
  expect(await counted('Your plan ends')).toBe(2);
});

test('ending the running plan ends its renewal, which is told before and by mail, and a debit under way is refunded', async () => {
  const { portal, token } = the();
  const debit = await sentToBank();
  const plan = where((await running())?.id);
  const preview = await portal.ask(previewEndCycle, plan, token);
  expect(preview).toMatchObject({ kind: 'deactivate', renewal: 'ends', debitAmount: 1499 });
  await portal.ask(endCycle, plan, token);
  expect(await mandate()).toMatchObject({ state: 'ENDED', ended_by: 'PLAN' });
  expect(await counted('No longer renews automatically')).toBe(1);
  await move(1.5);
  await untilDebits('FAILED');
  expect(await refundsOf(debit.payment_id)).toMatchObject([{ reason: 'The plan that it renews has ended' }]);
  await passDays(3);
  await untilDebits('FAILED');
});

test('a full refund by an operator ends the renewal, says so with the debit under way, and that one is refunded', async () => {
  const { portal } = the();
  const debit = await sentToBank();
  const of = (await running())?.id ?? '';
  const cause = { actor: 'meera', reason: 'The API was down' };
  const preview = await previewAsOperator(portal.portal, 'owner', 'refundPayment', { of }, cause);
  expect(preview).toMatchObject({ renewal: 'ends', debitAmount: 1499 });
  const done = await actAsOperator(portal.portal, 'owner', 'refundPayment', { of }, cause);
  expect(done).toMatchObject({ renewal: 'ends', debitAmount: 1499 });
  expect(await mandate()).toMatchObject({ state: 'ENDED', ended_by: 'PLAN' });
  await move(1.5);
  await untilDebits('FAILED');
  expect(await refundsOf(debit.payment_id)).toMatchObject([{ reason: 'The plan that it renews has ended' }]);
});

test('a full refund on the provider’s dashboard ends the renewal too', async () => {
  const { portal } = the();
  const payments = portal.portal.db.selectFrom('payments').select('provider_payment_id');
  const [paid] = await payments.where('customer_id', '=', the().customerId).execute();
  await portal.standin('POST', `/standin/payments/${paid?.provider_payment_id}/refund`, {});
  await expect.poll(async () => (await mandate()).ended_by).toBe('PLAN');
});

test('while a debit may be paid, nothing else is: no switch, and no other plan for its days', async () => {
  const { portal, token, activationId } = the();
  const debit = await sentToBank();
  const other = await add((await running())?.toDate ?? '', 'scale');
  const refused = { status: 409, body: { code: 'payment_under_way' } };
  expect(await portal.send(switchPlan, { params: { activationId, planId: 'scale' } }, token)).toMatchObject(refused);
  expect(await portal.send(createOrder, { params: { id: other } }, token)).toMatchObject(refused);
  expect(await portal.send(createOrder, { params: { id: debit.cycle_id } }, token)).toMatchObject(refused);
  await move(1.5);
  await untilDebits('PAID');
});

test('before a switch the customer reads that the renewal ends with the plan, or goes on from its new end', async () => {
  const { portal, token, activationId } = the();
  const preview = (planId: string) => portal.ask(previewSwitch, { params: { activationId, planId } }, token);
  expect(await preview('scale')).toMatchObject({ renewal: 'ends', renewsFrom: null });
  const same = await preview('growth');
  expect(same).toMatchObject({ renewal: 'moves', renewsFrom: same.toDate, debitAmount: null });
});

test('a debit is refunded whose days another plan covers by then', async () => {
  const { portal, token, activationId } = the();
  await goBefore(5);
  const switched = await portal.ask(switchPlan, { params: { activationId, planId: 'scale' } }, token);
  const { orderId } = await portal.ask(createOrder, { params: { id: switched.billingCycleId ?? '' } }, token);
  await goBefore(4);
  await untilDebits('SENT');
  const [debit] = await debits().execute();
  await portal.checkOut(orderId);
  await expect.poll(async () => (await running())?.planName).toBe('Scale');
  await move(1.5);
  await untilDebits('FAILED');
  expect(await refundsOf(debit?.payment_id ?? null)).toMatchObject([{ reason: 'Another plan covers its days' }]);
  expect(await renewal()).toMatchObject({ whyNot: 'other_plan' });
});

test('an open dispute of a debit withholds the next one, and a lost one ends the renewal', async () => {
  const { portal } = the();
  const debit = await sentToBank();
  await move(1.5);
  await untilDebits('PAID');
  const opened = await portal.standin('POST', `/standin/payments/${debit.payment_id}/dispute`, { amount: 50_000 });
  const disputes = portal.portal.db
    .selectFrom('disputes')
    .select('status')
    .where('payment_id', '=', debit.payment_id ?? '');
  await expect.poll(() => disputes.executeTakeFirst()).toMatchObject({ status: 'open' });
  expect(await renewal()).toMatchObject({ whyNot: 'disputed', next: null });
  await passDays(3);
  await goBefore(5);
  expect(await counted('Won’t renew automatically')).toBe(1);
  await portal.standin('POST', `/standin/disputes/${String(opened['id'])}/lost`, {});
  await expect.poll(async () => (await mandate()).ended_by).toBe('DISPUTE');
  await goBefore(4);
  await untilDebits('PAID');
});

test('a second payment of a debit’s order pays the period when the first one failed', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  const debit = await sentToBank();
  const order = portal.portal.db.selectFrom('payment_orders').selectAll().where('id', '=', debit.order_id);
  const { provider_order_id: providerOrder } = await order.executeTakeFirstOrThrow();
  await move(1.1);
  await untilDebits('FAILED');
  await portal.pay(providerOrder ?? '');
  await untilDebits('PAID');
  expect((await debits().execute())[0]).toMatchObject({ payment_id: debit.payment_id });
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  expect(await portal.portal.db.selectFrom('unsettled_payments').selectAll().execute()).toEqual([]);
});

test('a second payment of a debit’s order that comes first pays the period, and what becomes of the first one changes nothing', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const debit = await sentToBank();
  const order = portal.portal.db.selectFrom('payment_orders').selectAll().where('id', '=', debit.order_id);
  const { provider_order_id: providerOrder } = await order.executeTakeFirstOrThrow();
  await portal.pay(providerOrder ?? '');
  await untilDebits('PAID');
  expect((await debits().execute())[0]).toMatchObject({ payment_id: debit.payment_id });
  await portal.standin('POST', `/standin/payments/${debit.payment_id}/fail`, {});
  const first = portal.portal.db
    .selectFrom('payments')
    .select('status')
    .where('provider_payment_id', '=', debit.payment_id ?? '');
  await expect.poll(() => first.executeTakeFirst()).toEqual({ status: 'failed' });
  await untilDebits('PAID');
  expect(await portal.portal.db.selectFrom('unsettled_payments').selectAll().execute()).toEqual([]);
});

test('a renewal that has had no plan for three days ends, and buying again does not revive it', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds', 'insufficient_funds'], retries: 0 } });
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  await passDays(1);
  await untilDebits('FAILED', 'SENT');
  await move(1.1);
  await untilDebits('FAILED', 'FAILED');
  await passDays(5);
  expect(await mandate()).toMatchObject({ state: 'ENDED', ended_by: 'LAPSE' });
  expect(await counted('No longer renews automatically')).toBe(1);
  await payWithConsent([await add(today())], false);
  expect(await renewal()).toMatchObject({ mandate: { state: 'ENDED', endedBy: 'LAPSE' }, whyNot: 'off', next: null });
});

test.each([true, false])(
  'while a second debit is at the bank nobody is told to pay before the plan ends, whether or not renewals are on (%s)',
  async (renewals) => {
    const { portal } = the();
    await portal.behave({ mandates: { nextDebits: ['insufficient_funds', 'pending'], retries: 0 } });
    await sentToBank();
    await move(1.1);
    await untilDebits('FAILED');
    await passDays(1);
    await untilDebits('FAILED', 'SENT');
    const { settings } = portal.portal;
    Object.assign(settings, { renewals });
    onTestFinished(() => void Object.assign(settings, { renewals: true }));
    await goBefore(1);
    expect(await counted('Your plan ends tonight')).toBe(0);
  },
);

test('with renewals turned off while the first debit is at the bank, nobody is told to pay before the bank has had its time', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  await sentToBank();
  const { settings } = portal.portal;
  Object.assign(settings, { renewals: false });
  onTestFinished(() => void Object.assign(settings, { renewals: true }));
  await goBefore(3);
  expect(await counted('Your plan ends')).toBe(0);
  await goBefore(1);
  expect(await counted('Your plan ends tonight')).toBe(1);
});

test('a debit that its payer skips after the bank’s notice is skipped: no second one is asked for, unless the customer takes that back', async () => {
  const { portal, token } = the();
  const debit = await sentToBank();
  await portal.standin('POST', `/standin/payments/${debit.payment_id}/skip`, {});
  await untilDebits('FAILED');
  expect(await renewal()).toMatchObject({ whyNot: 'skipped', failed: null });
  const mail = portal.portal.db.selectFrom('mails').select('body_text').where('customer_id', '=', the().customerId);
  const [told] = await mail.where('subject', 'like', 'Renewal skipped%').execute();
  expect(told?.body_text).toContain('You skipped the debit of ₹1,499');
  await passDays(1);
  await untilDebits('FAILED');
  await portal.ask(skipRenewal, { params: { activationId: the().activationId }, body: { isSkipped: false } }, token);
  await passDays(1);
  await untilDebits('FAILED', 'SENT');
});
