import { expect, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { endRenewal, readRenewal } from '#shared/contract/renewals.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { useRenewals } from './test-renewals.ts';

const { the } = useRenewals();

/** Two orders for the plan of a new activation, the first with the consent; the ids that the provider knows. */
async function twoOrders() {
  const { portal } = the();
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  const ask = (body: object) =>
    portal.ask(
      createOrderOfPeriods,
      { params: { activationId }, body: { billingCycleIds: [billingCycleId], ...body } },
      token,
    );
  const ticked = await ask({ renewal: { pinEachTime: false } });
  const payTicked = () => portal.pay(ticked.orderId, { method: 'upi', customer_id: ticked.mandate?.customerId });
  const consent = portal.portal.db
    .selectFrom('mandates')
    .select(['state', 'token_id', 'token_over_at'])
    .where('activation_id', '=', activationId);
  const status = async () =>
    (
      await portal.portal.db
        .selectFrom('cycles')
        .select('status')
        .where('id', '=', billingCycleId)
        .executeTakeFirstOrThrow()
    ).status;
  return { ticked, ask, payTicked, consent, status, token, activationId, billingCycleId };
}

/** What the mails say of an end of its renewal. */
async function endedTold(activationId: string): Promise<string[]> {
  const told = the()
    .portal.portal.db.selectFrom('mails')
    .innerJoin('activations', 'activations.customer_id', 'mails.customer_id')
    .select('mails.body_text')
    .where('activations.id', '=', activationId)
    .where('subject', 'like', 'No longer renews automatically%');
  return (await told.execute()).map(({ body_text: text }) => text);
}

test('a consent whose payment is given back never comes into force, and its token is cancelled at the provider', async () => {
  const { portal } = the();
  const { ask, payTicked, consent, status } = await twoOrders();
  const plain = await ask({});
  await portal.pay(plain.orderId);
  await expect.poll(status).toBe('PAID');
  await payTicked();
  await expect
    .poll(() => consent.executeTakeFirst())
    .toMatchObject({ state: 'LAPSED', token_over_at: expect.any(Date) });
  const over = await consent.executeTakeFirstOrThrow();
  expect(over.token_id).not.toBeNull();
});

test('a later order without the tick takes the consent back, also when the earlier order is the one that is paid', async () => {
  const { ask, payTicked, consent, status } = await twoOrders();
  await ask({});
  await payTicked();
  await expect.poll(status).toBe('PAID');
  await expect
    .poll(() => consent.executeTakeFirst())
    .toMatchObject({ state: 'LAPSED', token_over_at: expect.any(Date) });
});

test('a consent that was ticked again for another order before its own was paid is told to be over', async () => {
  const { portal } = the();
  const { ask, payTicked, consent, status, token, activationId } = await twoOrders();
  const startDate = addDays(dayOf(portal.portal.clock()), 30);
  const next = await portal.ask(addCycle, { params: { activationId, planId: 'growth' }, body: { startDate } }, token);
  await ask({ billingCycleIds: [next.billingCycleId ?? ''], renewal: { pinEachTime: false } });
  await payTicked();
  await expect.poll(status).toBe('PAID');
  await expect.poll(() => endedTold(activationId)).toEqual([expect.stringContaining('or begun a later checkout')]);
  expect((await consent.execute()).map(({ state }) => state).toSorted()).toEqual(['ASKED', 'LAPSED']);
});

test('an earlier consent that is paid says nothing of an end while a later one is in force', async () => {
  const { portal } = the();
  const { ask, payTicked, consent, status, token, activationId } = await twoOrders();
  const startDate = addDays(dayOf(portal.portal.clock()), 30);
  const next = await portal.ask(addCycle, { params: { activationId, planId: 'growth' }, body: { startDate } }, token);
  const later = await ask({ billingCycleIds: [next.billingCycleId ?? ''], renewal: { pinEachTime: false } });
  await portal.pay(later.orderId, { method: 'upi', customer_id: later.mandate?.customerId });
  const renewal = () => portal.ask(readRenewal, { params: { activationId } }, token);
  await expect.poll(async () => (await renewal()).mandate?.state).toBe('IN_FORCE');
  await payTicked();
  await expect.poll(status).toBe('PAID');
  const over = async () => (await consent.execute()).find(({ state }) => state === 'LAPSED')?.token_over_at;
  await expect.poll(over).toEqual(expect.any(Date));
  expect(await endedTold(activationId)).toEqual([]);
  expect(await renewal()).toMatchObject({ mandate: { state: 'IN_FORCE' } });
});

test('a consent that was turned off before its order was paid is told to be over, without another reason', async () => {
  const { portal } = the();
  const { payTicked, status, token, activationId } = await twoOrders();
  await portal.ask(endRenewal, { params: { activationId } }, token);
  await payTicked();
  await expect.poll(status).toBe('PAID');
  await expect.poll(() => endedTold(activationId)).toEqual([expect.stringContaining('but had turned it off by then')]);
});

test('a payment with a consent that comes while the account is blocked brings none, and the database holds that', async () => {
  const { portal } = the();
  const { payTicked, consent, activationId } = await twoOrders();
  await expect(
    portal.owner.db
      .updateTable('mandates')
      .set({ state: 'IN_FORCE', token_id: 'token_other', confirmed_at: new Date() })
      .where('activation_id', '=', activationId)
      .execute(),
  ).rejects.toThrow('was not kept');
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  const cause = { actor: 'asha', reason: 'Fraud' };
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId }, cause);
  await payTicked();
  await expect
    .poll(() => consent.executeTakeFirst())
    .toMatchObject({ state: 'LAPSED', token_over_at: expect.any(Date) });
});
