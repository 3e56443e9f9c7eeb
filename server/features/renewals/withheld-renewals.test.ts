import { expect, onTestFinished, test } from 'vitest';
import { addCycle } from '#shared/contract/cycles.ts';
import { addDays } from '#shared/domain/day.ts';
import { runRounds } from '#server/start-rounds.ts';
import { payTicked } from './test-consent.ts';
import { useRenewals } from './test-renewals.ts';

const { the, renewal, cycles, debits, mandate, mails, untilDebits, payWithConsent, goBefore } = useRenewals();

/** The provider turns renewals off, until the end of the test. */
function suspend(): void {
  const { settings } = the().portal.portal;
  Object.assign(settings, { renewals: false });
  onTestFinished(() => void Object.assign(settings, { renewals: true }));
}

const behave = async (how: object) => {
  const { portal } = the();
  await portal.behave(how);
  onTestFinished(() => void portal.behave({}));
};

const withoutRenewal = { mandate: null, status: 'success', renewal: { mandate: null } };

test.each(['pause', 'cancel'])(
  'a mandate that the UPI app has ended or paused is not announced, though its event was lost (%s)',
  async (how) => {
    const { portal } = the();
    await behave({ webhooks: { enabled: false } });
    await portal.standin('POST', `/standin/tokens/${(await mandate()).token_id}/${how}`, {});
    await goBefore(5);
    expect((await mandate()).state).toBe(how === 'pause' ? 'PAUSED' : 'ENDED');
    expect((await mails()).join('\n')).not.toContain('Renews soon');
    await goBefore(3);
    expect(await debits().execute()).toEqual([]);
    expect(await mails()).toContainEqual(expect.stringContaining('ends in 3 days'));
  },
);

test('while the provider has renewals turned off nothing is announced or debited, and its customers hear why and when the plan ends', async () => {
  suspend();
  await goBefore(7);
  expect(await mails()).toContainEqual(expect.stringContaining('ends in 7 days'));
  await goBefore(5);
  expect(await renewal()).toMatchObject({ mandate: { state: 'IN_FORCE' }, next: null, whyNot: 'suspended' });
  expect((await mails()).join('\n')).not.toContain('Renews soon');
  expect(await mails()).toContainEqual(expect.stringContaining('Won’t renew automatically'));
  await goBefore(3);
  expect(await debits().execute()).toEqual([]);
  expect(await payTicked(the().portal)).toMatchObject(withoutRenewal);
});

const told = async () => (await mails()).filter((subject) => subject.startsWith('Won’t renew automatically'));

test('what was announced is withheld with a mail once a later plan leaves days between that nothing is debited for', async () => {
  await goBefore(5);
  const { portal, token, activationId } = the();
  const end = (await mandate()).announced_for ?? '';
  const later = { params: { activationId, planId: 'growth' }, body: { startDate: addDays(end, 10) } };
  const { billingCycleId = '' } = await portal.ask(addCycle, later, token);
  await payWithConsent([billingCycleId], false);
  await runRounds(portal.portal);
  expect(await told()).toHaveLength(1);
  expect(await mandate()).toMatchObject({ announced_for: null, withheld_for: end, withheld_reason: 'later_plan' });
  await goBefore(3);
  expect(await debits().execute()).toEqual([]);
  expect(await told()).toHaveLength(1);
  expect((await renewal()).next).toMatchObject({ fromDate: addDays(end, 40) });
});

test('a debit that was asked for before renewals were turned off is not sent', async () => {
  await goBefore(5);
  const { db } = the().portal.portal;
  await behave({ recurringCreate: 'fail-500' });
  await goBefore(3);
  await untilDebits('ASKED');
  suspend();
  await behave({});
  await db.updateTable('mandate_debits').set({ next_try_at: new Date() }).where('state', '=', 'ASKED').execute();
  await untilDebits('DROPPED');
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAYMENT_PENDING']);
});

test.each([
  ['refuses orders with a consent', { mandates: { active: false } }],
  ['makes no customers, 500', { customersCreate: 'fail-500' }],
  ['makes no customers, 429', { customersCreate: '429' }],
])('a provider who %s is paid without the consent, and the plan does not renew', async (_how, how) => {
  await behave(how);
  expect(await payTicked(the().portal)).toMatchObject(withoutRenewal);
  await the().portal.behave({});
  expect(await payTicked(the().portal)).toMatchObject({ mandate: { customerId: expect.any(String) } });
});

test('a consent that failed once for a passing reason is asked for once more', async () => {
  const { razorpay } = the().portal.portal;
  const { createCustomer } = razorpay;
  let calls = 0;
  Object.assign(razorpay, {
    createCustomer: async (...asked: Parameters<typeof createCustomer>) => {
      calls += 1;
      if (calls === 1) await the().portal.behave({ customersCreate: 'fail-500' });
      else await the().portal.behave({});
      return createCustomer(...asked);
    },
  });
  onTestFinished(() => void Object.assign(razorpay, { createCustomer }));
  expect(await payTicked(the().portal)).toMatchObject({ mandate: { customerId: expect.any(String) } });
  expect(calls).toBe(2);
});
