import { expect, onTestFinished, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { switchPlan } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { sendDebit } from '#server/features/payments/send-debit.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
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
  sentToBank,
} = useRenewals();

/** From now on the provider fails what asks for a debit, and nothing else. */
async function fail(how: string): Promise<void> {
  const { portal } = the();
  await portal.behave({ recurringCreate: how });
  onTestFinished(() => void portal.behave({}));
}

const triesOf = async () => (await debits().execute()).map(({ tries }) => tries);

/** The next look at the debit, as though its time had come. */
async function lookAgain(): Promise<void> {
  const { db } = the().portal.portal;
  const before = await triesOf();
  await db
    .updateTable('mandate_debits')
    .set({ next_try_at: new Date() })
    .where('activation_id', '=', the().activationId)
    .where('state', '=', 'ASKED')
    .execute();
  await expect.poll(triesOf).not.toEqual(before);
}

/** The debit of a plan that ends in three days was not taken by the provider. */
async function unsent(how: string) {
  await goBefore(5);
  await fail(how);
  await goBefore(4);
  await expect.poll(async () => (await debits().execute())[0]?.sent_at ?? null).not.toBeNull();
  const [debit] = await debits().execute();
  if (!debit) throw new Error('there is no debit');
  return debit;
}

const isFree = () => expect.poll(async () => (await debits().execute())[0]?.sent_at).toBeNull();

test.each(['fail-500', 'fail-502', 'fail-504', '429', 'fail-403'])(
  'a debit that the provider did not take (%s) is in nobody’s way once it was looked up, and is not sent after a payment by hand',
  async (how) => {
    const debit = await unsent(how);
    await lookAgain();
    await isFree();
    expect((await debits().execute())[0]?.next_try_at?.getTime()).toBeGreaterThan(Date.now() + 30_000);
    expect((await renewal()).next).toMatchObject({ waitsUntil: null });
    await payWithConsent([debit.cycle_id], false);
    await the().portal.behave({});
    await lookAgain();
    await untilDebits('DROPPED');
    expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  },
);

test('a debit whose response was lost is found by the look-up, and waits for its result', async () => {
  const { portal, token } = the();
  const debit = await unsent('fail-after-create-504');
  await lookAgain();
  await untilDebits('SENT');
  const paid = await portal.send(createOrder, { params: { id: debit.cycle_id } }, token);
  expect(paid.body).toMatchObject({ code: 'payment_under_way' });
  await move(1.5);
  await untilDebits('PAID');
});

test('a debit is sent once the provider takes it again', async () => {
  await unsent('fail-500');
  await lookAgain();
  await isFree();
  await lookAgain();
  await expect.poll(async () => (await debits().execute())[0]?.sent_at ?? null).not.toBeNull();
  await the().portal.behave({});
  await lookAgain();
  await isFree();
  await lookAgain();
  await untilDebits('SENT');
  await move(1.5);
  await untilDebits('PAID');
});

test('a debit that can’t be sent waits for operators after hours, and is withheld on the last day of the plan, in time to pay by hand', async () => {
  const { portal, customerId } = the();
  const debit = await unsent('fail-500');
  const items = async () => {
    const asked = { kind: 'MANDATE', limit: 1000 } as const;
    const { kinds } = await readAsOperator(portal.portal, 'owner', 'listWaiting', asked);
    return kinds[0]?.waiting.filter(({ customerId: of }) => of === customerId) ?? [];
  };
  expect(await items()).toEqual([]);
  await move(0.25);
  expect(await items()).toMatchObject([{ id: debit.order_id, about: expect.stringContaining('can’t be sent') }]);
  await lookAgain();
  await isFree();
  await goBefore(1);
  await lookAgain();
  await untilDebits('DROPPED');
  expect(await mandate()).toMatchObject({ withheld_for: debit.first_day, withheld_reason: 'not_in_time' });
  expect(await renewal()).toMatchObject({ next: null, whyNot: 'not_in_time' });
  await runRounds(portal.portal);
  expect(await counted('Won’t renew automatically')).toBe(1);
  expect(await counted('Your plan ends tonight')).toBe(1);
  await untilDebits('DROPPED');
  await payWithConsent([debit.cycle_id], false);
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
});

test('a debit that can’t be sent is withheld after the end too, when nothing ran on the last day', async () => {
  const debit = await unsent('fail-500');
  await lookAgain();
  await isFree();
  await move(3);
  await lookAgain();
  await untilDebits('DROPPED');
  await runRounds(the().portal.portal);
  expect(await mandate()).toMatchObject({ withheld_for: debit.first_day, withheld_reason: 'not_in_time' });
  expect(await counted('Won’t renew automatically')).toBe(1);
});

test('a bank transfer for its days that is asked for while a debit can’t be sent takes its place', async () => {
  const { portal, token, activationId } = the();
  await unsent('fail-500');
  await lookAgain();
  await isFree();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const { billingCycleId = '' } = await portal.ask(switchPlan, { params: { activationId, planId: 'scale' } }, token);
  const body = { billingCycleIds: [billingCycleId] };
  const asked = await portal.ask(payByTransfer, { params: { activationId }, body }, token);
  expect(asked).toMatchObject({ withholdsDebit: true });
  await portal.behave({});
  await lookAgain();
  await untilDebits('DROPPED');
});

/** A debit that a portal may send from now on, and that no other one looks at meanwhile. */
async function readyToSend(): Promise<string> {
  const debit = await unsent('fail-500');
  await lookAgain();
  await isFree();
  await the().portal.behave({});
  return debit.order_id;
}

const isAtBank = async () => {
  await untilDebits('SENT');
  const { portal } = the();
  const [debit] = await debits().execute();
  const payments = portal.portal.db.selectFrom('payments').select('status');
  expect(await payments.where('order_id', '=', debit?.order_id ?? '').execute()).toEqual([{ status: 'created' }]);
  expect(await counted('Renewal not paid')).toBe(0);
  return debit;
};

test('of two portals that send one debit at the same time, one asks for it', async () => {
  const { portal } = the().portal;
  const orderId = await readyToSend();
  await Promise.all([sendDebit(portal, orderId), sendDebit(portal, orderId)]);
  expect(await isAtBank()).toMatchObject({ state: 'SENT' });
  await move(1.5);
  await untilDebits('PAID');
});

test('a portal that stood still while another one asked for its debit is refused, which is no result; the database holds that', async () => {
  const { portal, owner } = the().portal;
  const orderId = await readyToSend();
  const { razorpay } = portal;
  const createDebit: typeof razorpay.createDebit = async (debit) => {
    await razorpay.createDebit(debit);
    return razorpay.createDebit(debit);
  };
  await sendDebit({ ...portal, razorpay: { ...razorpay, createDebit } }, orderId);
  const debit = await isAtBank();
  await expect(
    owner.db
      .updateTable('mandate_debits')
      .set({ state: 'FAILED', ended_at: new Date() })
      .where('order_id', '=', orderId)
      .execute(),
  ).rejects.toThrow(`debit ${orderId} waits for its payment ${debit?.payment_id}`);
});

test('while a debit is at the bank, no recorded transfer pays for its days, and after that one does', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const debit = await sentToBank();
  const input = { of: debit?.cycle_id ?? '', utr: 'SBIN326015120031', amount: 1499, on: today() };
  const cause = { actor: 'asha', reason: 'On the statement of the bank' };
  const record = () => actAsOperator(portal.portal, 'finance', 'recordReceivedTransfer', input, cause);
  await expect(record()).rejects.toThrow(/A debit that is at the bank may pay for these days/);
  await move(2.1);
  await record();
  expect((await cycles()).find(({ id }) => id === debit?.cycle_id)).toMatchObject({ status: 'PAID' });
});
