import { expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { endCycle, switchPlan } from '#shared/contract/cycles.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { renewalsCsv } from '#server/features/mandates/mandates.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { useRenewals } from './test-renewals.ts';

const {
  the,
  params,
  renewal,
  cycles,
  debits,
  mandate,
  mails,
  untilDebits,
  move,
  payWithConsent,
  goBefore,
  today,
  sentToBank,
  running,
  add,
} = useRenewals();

const end = async () => (await running())?.toDate ?? '';

/** Asks to pay unpaid periods by bank transfer. */
async function byTransfer(...billingCycleIds: string[]) {
  const { portal, token, customerId } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const asked = await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds } }, token);
  const { id } = await portal.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  const credit = (rupees: number) =>
    portal.standin('POST', `/standin/virtual_accounts/${id}/credit`, { amount: rupees * 100 });
  return { asked, credit };
}

const refunds = () =>
  the()
    .portal.portal.db.selectFrom('refunds')
    .select(['payment_id', 'amount_paise', 'reason'])
    .where('customer_id', '=', the().customerId)
    .execute();

/** The debit is sent as soon as it can be. */
const sendSoon = () =>
  the()
    .portal.portal.db.updateTable('mandate_debits')
    .set({ next_try_at: new Date() })
    .where('activation_id', '=', the().activationId)
    .where('state', '=', 'ASKED')
    .execute();

test('a bill that waits for its bank transfer is not debited: dialog, page, mail and waiting work say so, and the transfer pays it', async () => {
  const { portal, customerId } = the();
  await goBefore(5);
  const day = await end();
  const { asked, credit } = await byTransfer(await add(day), await add(addDays(day, 30)), await add(addDays(day, 60)));
  expect(asked).toMatchObject({ amount: 4497, withholdsDebit: true });
  expect(await renewal()).toMatchObject({ whyNot: 'by_transfer', next: null });
  await goBefore(4);
  await goBefore(1);
  expect(await debits().execute()).toEqual([]);
  expect((await mails()).filter((subject) => subject.startsWith('Won’t renew automatically'))).toHaveLength(1);
  const kind = { kind: 'ENDING_PLAN', limit: 1000 } as const;
  const { kinds } = await readAsOperator(portal.portal, 'owner', 'listWaiting', kind);
  const about = kinds[0]?.waiting.find(({ customerId: of }) => of === customerId)?.about;
  expect(about).toContain('its renewal is withheld (by_transfer)');
  await credit(asked.amount);
  await expect.poll(async () => (await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID', 'PAID']);
  expect(await refunds()).toEqual([]);
  expect(await renewal()).toMatchObject({ whyNot: null, next: { fromDate: addDays(day, 90) } });
});

test('a bank transfer for a switch withholds the debit too, one for a later period does not, and replacing its order frees the debit', async () => {
  const { portal, token, activationId } = the();
  await move(5);
  const day = await end();
  const later = await byTransfer(await add(addDays(day, 30)));
  expect(later.asked).toMatchObject({ withholdsDebit: false });
  expect(await renewal()).toMatchObject({ whyNot: null });
  const switched = await portal.ask(switchPlan, { params: { activationId, planId: 'scale' } }, token);
  const { asked } = await byTransfer(switched.billingCycleId ?? '');
  expect(asked).toMatchObject({ withholdsDebit: true });
  expect(await renewal()).toMatchObject({ whyNot: 'by_transfer' });
  const id = switched.billingCycleId ?? '';
  await portal.ask(endCycle, { params: { activationId, billingCycleId: id } }, token);
  expect(await renewal()).toMatchObject({ whyNot: null });
});

test('a checkout that was opened within the hour delays a debit, and one of before does not', async () => {
  const { portal, token } = the();
  const id = await add(await end());
  await portal.ask(createOrder, { params: { id } }, token);
  await goBefore(6);
  await goBefore(5);
  await portal.ask(
    createOrderOfPeriods,
    { ...params(), body: { billingCycleIds: [id, await add(addDays(await end(), 30))] } },
    token,
  );
  await move(23.5 / 24);
  await portal.ask(createOrder, { params: { id } }, token);
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  await move(2 / 24);
  await runRounds(portal.portal);
  await untilDebits('SENT');
});

test('a debit that is paid after it failed and its renewal was turned off pays behind days that were given', async () => {
  const { portal, token, customerId } = the();
  const lateAuthorisation = { failAfterMs: 600_000, authorizeAfterMs: 86_400_000 };
  await portal.behave({ lateAuthorisation, mandates: { nextDebits: ['late-authorisation'], retries: 0 } });
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  await portal.ask(endRenewal, params(), token);
  const from = await end();
  const gift = { customerId, productId: 'tax-lookup-api', planId: 'starter', days: 5, from };
  await actAsOperator(portal.portal, 'owner', 'grantPlan', gift, { actor: 'asha', reason: 'The outage' });
  await move(1);
  await untilDebits('PAID');
  expect(await refunds()).toEqual([]);
  const paid = (await cycles()).filter(({ status }) => status === 'PAID').map(({ fromDate }) => fromDate);
  expect(paid).toContain(addDays(from, 5));
});

/** What was left unpaid, for days of a plan that was paid otherwise and runs by now: paid, it would follow that plan. */
async function leftover(): Promise<string> {
  const day = await end();
  const [left, paid] = [await add(day), await add(day)];
  await payWithConsent([paid], false);
  await move(30);
  return left;
}

test('what was left unpaid for other days can’t be paid while the debit of the days that it would get may be', async () => {
  const { portal, token } = the();
  const id = await leftover();
  await goBefore(5);
  await goBefore(3);
  await untilDebits('SENT');
  const refused = { status: 409, body: { code: 'payment_under_way' } };
  expect(await portal.send(createOrder, { params: { id } }, token)).toMatchObject(refused);
  // Behind it there is room.
  const [debit] = await debits().execute();
  const behind = await add(addDays(debit?.first_day ?? '', 30));
  expect(await portal.send(createOrder, { params: { id: behind } }, token)).toMatchObject({ status: 200 });
});

test('a bank transfer for what was left unpaid withholds the debit of the days that it would get', async () => {
  const { asked } = await byTransfer(await leftover());
  expect(asked).toMatchObject({ withholdsDebit: true });
  expect(await renewal()).toMatchObject({ whyNot: 'by_transfer' });
  await goBefore(5);
  await goBefore(3);
  expect(await debits().execute()).toEqual([]);
});

test('while a transfer waits for an operator’s answer, nothing else pays for its bill: no other order, and no debit', async () => {
  const { portal, token } = the();
  const id = await add(await end());
  const { credit } = await byTransfer(id);
  await credit(1372);
  const held = portal.portal.db.selectFrom('payments').where('use', '=', 'HELD').select('customer_id');
  await expect.poll(() => held.execute()).toContainEqual({ customer_id: the().customerId });
  const refused = { status: 409, body: { code: 'payment_under_way' } };
  const body = { billingCycleIds: [id, await add(addDays(await end(), 30))] };
  expect(await portal.send(createOrderOfPeriods, { ...params(), body }, token)).toMatchObject(refused);
  await goBefore(5);
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  expect((await renewal()).whyNot).toBe('by_transfer');
});

test('a checkout of another plan for some of the days delays a debit for an hour, and is closed by it then', async () => {
  const { portal, token } = the();
  await goBefore(5);
  const id = await add(addDays(await end(), 5), 'scale');
  while (today() < addDays(await end(), -3)) await move(1);
  const { orderId } = await portal.ask(createOrder, { params: { id } }, token);
  await runRounds(portal.portal);
  expect(await debits().execute()).toEqual([]);
  await move(2 / 24);
  await runRounds(portal.portal);
  await untilDebits('SENT');
  const order = portal.portal.db.selectFrom('payment_orders').select('status').where('provider_order_id', '=', orderId);
  expect(await order.executeTakeFirst()).toEqual({ status: 'CLOSED' });
});

test('a debit whose response was lost and whose period was removed is looked up before it is given up, and the month’s list shows its payment and refund', async () => {
  const { portal, token, activationId } = the();
  await goBefore(5);
  await portal.behave({ recurringCreate: 'fail-after-create-502' });
  await goBefore(4);
  await expect
    .poll(async () => (await debits().execute())[0])
    .toMatchObject({ state: 'ASKED', sent_at: expect.any(Date) });
  await portal.behave({ webhooks: { enabled: false } });
  const [debit] = await debits().execute();
  await portal.ask(endCycle, { params: { activationId, billingCycleId: debit?.cycle_id ?? '' } }, token);
  await sendSoon();
  await untilDebits('SENT');
  await portal.behave({});
  await move(1.5);
  await portal.portal.db
    .updateTable('payment_orders')
    .set({ next_check_at: new Date() })
    .where('id', '=', debit?.order_id ?? '')
    .execute();
  await untilDebits('FAILED');
  const [{ payment_id: paymentId } = { payment_id: '' }] = await debits().execute();
  expect(await refunds()).toMatchObject([{ payment_id: paymentId, amount_paise: 149_900 }]);
  const csv = await renewalsCsv(portal.portal.db, monthOf(dayOf(portal.portal.clock())));
  expect(csv.split('\n').find((line) => line.includes(debit?.order_id ?? ''))).toMatch(`${paymentId},1499`);
});

test('what the bank takes for a debit that the provider had not heard of is not recorded as never sent, and the database holds that', async () => {
  const { portal } = the();
  const debit = await sentToBank();
  // As it is when nothing was found at the provider, and the debit appears there afterwards.
  const { pool } = portal.owner;
  const drop = [
    'set session_replication_role = replica',
    `update mandate_debits set state = 'DROPPED', payment_id = null, ended_at = now() where order_id = '${debit?.order_id}'`,
    'set session_replication_role = origin',
  ];
  await pool.query(drop.join(';'));
  await expect(
    pool.query(
      `begin; update payments set status = 'captured', use = 'REFUND', captured_at = now() where order_id = '${debit?.order_id}'; set constraints payments_move_debits immediate`,
    ),
  ).rejects.toThrow('is recorded as never sent');
  await pool.query('rollback');
  await move(1.5);
  await untilDebits('PAID');
  expect((await debits().execute())[0]?.payment_id).not.toBeNull();
});

test('a period that was removed while its debit may be paid can’t be added and paid otherwise', async () => {
  const { portal, token, activationId } = the();
  const debit = await sentToBank();
  await portal.ask(endCycle, { params: { activationId, billingCycleId: debit?.cycle_id ?? '' } }, token);
  const again = await add(await end());
  const refused = { status: 409, body: { code: 'payment_under_way' } };
  expect(await portal.send(createOrder, { params: { id: again } }, token)).toMatchObject(refused);
  await move(1.5);
  await untilDebits('FAILED');
  expect(await portal.send(createOrder, { params: { id: again } }, token)).toMatchObject({ status: 200 });
});

const failedMail = () =>
  the()
    .portal.portal.db.selectFrom('mails')
    .select('body_text')
    .where('customer_id', '=', the().customerId)
    .where('subject', 'like', 'Renewal not paid%')
    .execute();

test('a debit that fails after renewal was turned off promises no other one', async () => {
  const { portal, token } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await sentToBank();
  await portal.ask(endRenewal, params(), token);
  await move(1.1);
  await untilDebits('FAILED');
  await expect.poll(failedMail).toHaveLength(1);
  expect((await failedMail())[0]?.body_text).toContain('We don’t try again');
});

test('while the bank disputes the payment that gave the consent nothing is debited, and once it took that back the renewal ends', async () => {
  const { portal, customerId } = the();
  const { provider_payment_id: paymentId } = await portal.portal.db
    .selectFrom('payments')
    .select('provider_payment_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  const opened = await portal.standin('POST', `/standin/payments/${paymentId}/dispute`, { amount: 50_000 });
  await expect.poll(async () => (await renewal()).whyNot).toBe('disputed');
  await goBefore(5);
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  await portal.standin('POST', `/standin/disputes/${String(opened['id'])}/lost`, {});
  await expect.poll(async () => (await mandate()).ended_by).toBe('DISPUTE');
  expect(today() < (await end())).toBe(true);
});
