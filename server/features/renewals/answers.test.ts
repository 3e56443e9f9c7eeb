import { expect, onTestFinished, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { addDays } from '#shared/domain/day.ts';
import { useRenewals } from './test-renewals.ts';

const {
  the,
  params,
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
} = useRenewals();

const end = async () => (await running())?.toDate ?? '';

/** The renewal is at the bank, which says nothing: the debit and the first day after the plan. */
async function silent() {
  await the().portal.behave({ mandates: { nextDebits: ['pending'] } });
  onTestFinished(() => void the().portal.behave({}));
  const firstDay = await end();
  const debit = await sentToBank();
  return {
    debit,
    firstDay,
    authorize: () => the().portal.standin('POST', `/standin/payments/${debit.payment_id}/authorize`, {}),
  };
}

test('the second try, too, is answered before the plan ends', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  const last = addDays(await end(), -1);
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  await goBefore(2);
  await untilDebits('FAILED', 'SENT');
  await move(1.5);
  await untilDebits('FAILED', 'PAID');
  expect(today() <= last).toBe(true);
  expect(await counted('Your plan ends')).toBe(0);
});

test('a bank that says nothing is told of when its time is over, in time to pay, and again when the plan has ended', async () => {
  const { token } = the();
  const { debit, firstDay } = await silent();
  while (today() < addDays(firstDay, -1)) await passDays(1);
  expect(await counted('Your plan ends tonight')).toBe(1);
  await passDays(1);
  await passDays(1);
  expect(await counted('No answer from your bank')).toBe(1);
  const { whyNot, next } = await renewal();
  expect(whyNot).toBeNull();
  expect(next).toMatchObject({
    amount: 1499,
    waitsUntil: new Date(debit.asked_at.getTime() + 48 * 3_600_000).toISOString(),
  });
  const order = await the().portal.send(createOrder, { params: { id: debit.cycle_id } }, token);
  expect(order.status).toBe(200);
});

test('a debit that the bank makes after the plan has ended starts it again, unless the renewal was turned off by then', async () => {
  const { token } = the();
  const { authorize, firstDay } = await silent();
  while (today() < addDays(firstDay, 1)) await passDays(1);
  await authorize();
  await untilDebits('PAID');
  expect(await end()).toBe(addDays(today(), 30));

  const { debit, authorize: later } = await silentAgain(token);
  expect(await refundsOf(debit.payment_id)).toEqual([]);
  await later();
  await expect
    .poll(() => refundsOf(debit.payment_id))
    .toEqual([{ amount_paise: 149_900, reason: 'The plan that it renews has ended' }]);
  expect((await cycles()).filter(({ toDate, status }) => toDate > today() && status === 'PAID')).toEqual([]);
});

/** The next debit is silent too, and the renewal is turned off once the plan has ended; the page says what is at the bank. */
async function silentAgain(token: string) {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'], cancellation: 'fail' } });
  const firstDay = await end();
  await goBefore(5);
  await goBefore(4);
  await untilDebits('PAID', 'SENT');
  while (today() < addDays(firstDay, 1)) await passDays(1);
  const debit = (await debits().execute()).find(({ state }) => state === 'SENT');
  await portal.ask(endRenewal, params(), token);
  expect(await renewal()).toMatchObject({ whyNot: 'off', next: { amount: 1499 } });
  return {
    debit: { payment_id: debit?.payment_id ?? null },
    authorize: () => portal.standin('POST', `/standin/payments/${debit?.payment_id}/authorize`, {}),
  };
}

test('a later plan that was bought before the renewal was announced leaves days without one, which its customer is told', async () => {
  const { portal, token, activationId } = the();
  const startDate = addDays(await end(), 10);
  const asked = { params: { activationId, planId: 'growth' }, body: { startDate } };
  const { billingCycleId = '' } = await portal.ask(addCycle, asked, token);
  await payWithConsent([billingCycleId], false);
  await goBefore(5);
  await goBefore(4);
  expect(await counted('Won’t renew automatically')).toBe(1);
  expect(await debits().execute()).toEqual([]);
});

test('a debit that the provider has not heard of leaves the customer to pay by hand, and is never sent then', async () => {
  const { portal } = the();
  await goBefore(5);
  await portal.behave({ ordersCreate: 'fail-500' });
  await goBefore(4);
  await expect.poll(async () => (await debits().execute())[0]?.tries).toBe(1);
  const tryAt = (at: number) =>
    portal.portal.db
      .updateTable('mandate_debits')
      .set({ next_try_at: new Date(at) })
      .where('activation_id', '=', the().activationId)
      .where('state', '=', 'ASKED')
      .execute();
  await tryAt(Date.now() + 3_600_000);
  // The next look at a mandate comes after the attempt that is under way.
  const { id } = await mandate();
  const { db } = portal.portal;
  await db
    .updateTable('mandates')
    .set({ next_check_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  await expect.poll(async () => (await mandate()).next_check_at?.getTime()).not.toBe(0);
  await portal.behave({});
  expect((await renewal()).next).toMatchObject({ waitsUntil: null });
  await payWithConsent([(await debits().execute())[0]?.cycle_id ?? ''], false);
  await tryAt(Date.now());
  await untilDebits('DROPPED');
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
});
