import { expect, onTestFinished, test } from 'vitest';
import { deleteActivation, previewDeleteActivation } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { endRenewal, skipRenewal } from '#shared/contract/renewals.ts';
import { addDays } from '#shared/domain/day.ts';
import { runRounds } from '#server/start-rounds.ts';
import { useRenewals } from './test-renewals.ts';

const {
  the,
  params,
  renewal,
  today,
  cycles,
  debits,
  mandate,
  mails,
  untilDebits,
  move,
  payWithConsent,
  goBefore,
  sentToBank,
} = useRenewals();

test('a consent that comes with a payment is in force once its token is confirmed, and its customer hears of it', async () => {
  const { portal, token, activationId } = the();
  const { mandate, next, whyNot } = await renewal();
  expect(mandate).toMatchObject({ planName: 'Growth', ceiling: 1874, pinEachTime: false, isCancelled: false });
  expect(next).toMatchObject({ amount: 1499, fromDate: addDays(today(), 30), debitOn: addDays(today(), 26) });
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

test('five days before its end a renewal is announced, four days before it is asked for once, and its result pays for the next cycle', async () => {
  const { portal, token } = the();
  await goBefore(5);
  expect((await mails()).filter((subject) => subject.startsWith('Renews soon: ₹1,499'))).toHaveLength(1);
  expect(await debits().execute()).toEqual([]);
  await goBefore(4);
  await runRounds(portal.portal);
  await untilDebits('SENT');
  await expect.poll(async () => (await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PENDING']);
  const [debit] = await debits().execute();
  const refused = await portal.send(createOrder, { params: { id: debit?.cycle_id ?? '' } }, token);
  expect(refused.body).toMatchObject({ code: 'payment_under_way' });
  await move(2);
  await untilDebits('PAID');
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
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await sentToBank();
  await move(1.5);
  await untilDebits('FAILED');
  expect((await mails()).filter((subject) => subject.startsWith('Renewal not paid'))).toHaveLength(1);
  expect((await mails()).filter((subject) => subject.startsWith('Payment not completed'))).toEqual([]);
  const [failed] = (await renewal()).debits;
  expect(failed?.reason).not.toBeNull();
  await payWithConsent([failed?.cycleId ?? ''], false);
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(1);
  expect((await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
});

test('the second try comes on the day after the failure and is the last one; while it is at the bank nobody is told to pay', async () => {
  const { portal } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds', 'insufficient_funds'], retries: 0 } });
  await sentToBank();
  await move(1.1);
  await untilDebits('FAILED');
  await runRounds(portal.portal);
  await untilDebits('FAILED');
  const againOn = addDays(today(), 1);
  expect(await renewal()).toMatchObject({ failed: { againOn }, next: { debitOn: againOn, waitsUntil: null } });
  await move(1);
  await runRounds(portal.portal);
  await untilDebits('FAILED', 'SENT');
  await runRounds(portal.portal);
  expect((await mails()).filter((subject) => subject.startsWith('Your plan ends tonight'))).toEqual([]);
  await move(1.1);
  await untilDebits('FAILED', 'FAILED');
  expect((await mails()).filter((subject) => subject.startsWith('Renewal not paid'))).toHaveLength(2);
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(2);
});

test('a skipped renewal is not debited, and the next one after a payment by hand is', async () => {
  const { portal, token, activationId } = the();
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
  const { portal, token, activationId } = the();
  await portal.behave({ mandates: { cancellation: 'fail' } });
  await goBefore(5);
  const off = await portal.ask(endRenewal, params(), token);
  expect(off.mandate).toMatchObject({ state: 'ENDED', endedBy: 'CUSTOMER', isCancelled: false });
  await goBefore(4);
  expect(await debits().execute()).toEqual([]);
  await portal.behave({});
  // The cancellation that failed is asked for again.
  const soon = { next_check_at: new Date() };
  await portal.portal.db.updateTable('mandates').set(soon).where('activation_id', '=', activationId).execute();
  await expect.poll(async () => (await renewal()).mandate?.isCancelled).toBe(true);
});

test('ended in the UPI app, it is off here too, and a debit that was asked for fails', async () => {
  const { portal } = the();
  await sentToBank();
  await portal.standin('POST', `/standin/tokens/${(await mandate()).token_id}/cancel`, {});
  await expect.poll(async () => (await renewal()).mandate).toMatchObject({ state: 'ENDED', endedBy: 'APP' });
  await untilDebits('FAILED');
  await runRounds(portal.portal);
  expect(await debits().execute()).toHaveLength(1);
});

test('paused in the UPI app, nothing is asked for, though the event was lost: the token is read first', async () => {
  const { portal } = the();
  await portal.behave({ webhooks: { enabled: false } });
  onTestFinished(() => void portal.behave({}));
  await goBefore(5);
  await portal.standin('POST', `/standin/tokens/${(await mandate()).token_id}/pause`, {});
  await goBefore(4);
  await untilDebits('DROPPED');
  expect(await renewal()).toMatchObject({ mandate: { state: 'PAUSED' }, whyNot: 'paused' });
});

test('deleting the activation ends its mandate, as the preview says, and it is cancelled at the provider', async () => {
  const { portal, token, activationId } = the();
  expect(await portal.ask(previewDeleteActivation, params(), token)).toMatchObject({
    renewal: 'ends',
    debitAmount: null,
  });
  await portal.ask(deleteActivation, params(), token);
  const row = portal.portal.db.selectFrom('mandates').selectAll().where('activation_id', '=', activationId);
  expect(await row.executeTakeFirst()).toMatchObject({ state: 'ENDED', ended_by: 'DELETION' });
  const { token_id: tokenId } = await row.executeTakeFirstOrThrow();
  await expect.poll(async () => statusAtProvider(tokenId ?? '')).toMatch(/^cancell/);
});

async function statusAtProvider(tokenId: string): Promise<string | undefined> {
  const { portal } = the();
  const row = await portal.portal.db
    .selectFrom('mandates')
    .select('provider_customer_id')
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow();
  const read = await portal.portal.razorpay.readToken(row.provider_customer_id ?? '', tokenId);
  return read.recurring_details?.status;
}

test('a response that was lost is looked up before another attempt: one debit', async () => {
  const { portal, activationId } = the();
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
  await goBefore(4);
  await expect.poll(() => calls).toBe(1);
  const soon = { next_try_at: new Date() };
  await portal.portal.db.updateTable('mandate_debits').set(soon).where('activation_id', '=', activationId).execute();
  await untilDebits('SENT');
  expect(calls).toBe(1);
});

test('the database refuses a debit above the ceiling, a second one of a cycle, and one of a mandate that is not in force', async () => {
  const { portal, token } = the();
  await goBefore(5);
  await goBefore(4);
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
