import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import { skipRenewal } from '#shared/contract/renewals.ts';
import type { DebitState } from '#shared/domain/mandate.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { readProviderPack } from '#server/features/month-pack/month-pack.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
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
  goBefore,
  today,
  counted,
  passDays,
  sentToBank,
  running,
} = useRenewals();

const cause = { actor: 'meera', reason: 'The outage' };
/** What an operator gives from the end of the plan on: its own terms for some days, or another plan. */
const gifts = {
  extension: (cycleId: string, _from: Day, days: number) => ['extendCycle', { cycleId, days }] as const,
  grant: (_cycleId: string, from: Day, days: number) =>
    [
      'grantPlan',
      { customerId: the().customerId, productId: 'tax-lookup-api', planId: 'starter', days, from },
    ] as const,
};
type Gift = keyof typeof gifts;

async function give(gift: Gift, days: number) {
  const { portal } = the().portal;
  const plan = await running();
  const end = plan?.toDate ?? '';
  const [name, input] = gifts[gift](plan?.id ?? '', end, days);
  const preview = await previewAsOperator(portal, 'owner', name, input, cause);
  const done = await actAsOperator(portal, 'owner', name, input, cause);
  const fact = ({ renewal: effect, renewsFrom, debitAmount }: typeof done) => ({ effect, renewsFrom, debitAmount });
  expect(fact(done)).toEqual(fact(preview));
  const given = (await cycles()).find(({ fromDate, granted }) => granted !== null && fromDate === end);
  return { end, until: addDays(end, days), preview, cycleId: given?.id ?? '' };
}

const states = async (): Promise<DebitState[]> => (await debits().execute()).map(({ state }) => state);
const paidFrom = async () => (await cycles()).filter(({ status }) => status === 'PAID').map(({ fromDate }) => fromDate);

async function mailsAbout(subject: string): Promise<string> {
  const { db } = the().portal.portal;
  const rows = db.selectFrom('mails').selectAll().where('customer_id', '=', the().customerId);
  return JSON.stringify((await rows.execute()).filter((mail) => mail.subject.startsWith(subject)));
}

test.each<[Gift, number]>([
  ['extension', 1],
  ['extension', 3],
  ['grant', 30],
])('a debit at the bank pays for the period after given days (%s of %i), as the preview says', async (gift, days) => {
  const { portal } = the();
  await sentToBank();
  const { end, until, preview } = await give(gift, days);
  expect(preview).toMatchObject({ renewal: 'moves', renewsFrom: until, debitAmount: 1499 });
  expect(await renewal()).toMatchObject({
    whyNot: null,
    next: { fromDate: until, toDate: addDays(until, 30), amount: 1499 },
  });
  expect((await renewal()).next?.waitsUntil).not.toBeNull();
  expect(await mailsAbout('We granted you')).toContain('That debit pays for the period from');
  await runRounds(portal.portal);
  await move(1.5);
  await untilDebits('PAID');
  expect(await paidFrom()).toEqual(expect.arrayContaining([until]));
  const [listed] = await readAsOperator(portal.portal, 'owner', 'listMandates', { customerId: the().customerId });
  expect(listed).toMatchObject({ debits: [{ firstDay: until, state: 'PAID' }] });
  const zip = await readProviderPack(portal.portal, monthOf(today()), today());
  const csv = Buffer.from(unzipSync(Buffer.concat(await zip.toArray()))['renewals.csv'] ?? []).toString();
  const { id } = await mandate();
  const line = csv.split('\r\n').find((each) => each.includes(id) && each.includes('PAID'));
  expect(line).toContain(`,${until},1499,`);
  expect(line).not.toContain(`,${end},1499,`);
  await passDays(days + 2);
  expect(await states()).toEqual(['PAID']);
  expect(await counted('Renews soon')).toBe(1);
  expect(await counted('Won’t renew')).toBe(0);
  expect(await counted('Your plan ends')).toBe(0);
});

test.each<[Gift, number, number]>([
  ['extension', 1, 5],
  ['extension', 1, 3],
  ['extension', 3, 4],
  ['grant', 10, 4],
])(
  'given days (%s of %i, %i before the end) move what was announced: told, announced anew in its own time, and debited',
  async (gift, days, before) => {
    const { portal } = the();
    await goBefore(5);
    // What is due on the day itself has not been asked for yet.
    while (today() < addDays((await running())?.toDate ?? '', -before)) await move(1);
    const { end, until, preview } = await give(gift, days);
    expect(preview).toMatchObject({ renewal: 'moves', renewsFrom: until, debitAmount: null });
    expect(await mandate()).toMatchObject({ announced_for: null, withheld_for: end, withheld_reason: 'given_days' });
    expect(await counted('Renews later')).toBe(1);
    expect((await renewal()).next).toMatchObject({ fromDate: until });
    await runRounds(portal.portal);
    while (today() < addDays(until, -2)) await passDays(1);
    await untilDebits('SENT');
    expect(await debits().execute()).toMatchObject([{ first_day: until, attempt: 1 }]);
    await move(1.5);
    await untilDebits('PAID');
    expect(await paidFrom()).toContain(until);
    expect(await counted('Renews soon')).toBe(2);
    expect(await counted('Won’t renew')).toBe(0);
    expect(await mailsAbout('Renews soon')).not.toContain('Starter');
  },
);

test('a skip moves behind days that are given, and back when they are taken away', async () => {
  const { portal, token } = the();
  await goBefore(5);
  await portal.ask(skipRenewal, { ...params(), body: { isSkipped: true } }, token);
  const { end, until, preview, cycleId } = await give('extension', 3);
  expect(preview).toMatchObject({ renewal: null, renewsFrom: null, debitAmount: null });
  expect(await mandate()).toMatchObject({ skipped_for: until });
  expect(await renewal()).toMatchObject({ whyNot: 'skipped' });
  await actAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(await mandate()).toMatchObject({ skipped_for: end });
  await passDays(5);
  expect(await states()).toEqual([]);
});

test('taken away before they begin, days give the debit at the bank its period back, and skip nothing', async () => {
  const { portal } = the();
  await sentToBank();
  const { end, cycleId } = await give('extension', 3);
  const withdrawn = await previewAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(withdrawn).toMatchObject({ renewal: 'moves', renewsFrom: end, debitAmount: 1499 });
  await actAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(await mandate()).toMatchObject({ state: 'IN_FORCE', skipped_for: null });
  await move(1.5);
  await untilDebits('PAID');
  expect(await paidFrom()).toContain(end);
});

test('taken away on the same day, days bring back the debit that was announced, with a mail', async () => {
  const { portal } = the();
  await goBefore(5);
  const { end, cycleId } = await give('extension', 30);
  expect(await counted('Renews later')).toBe(1);
  await actAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(await mailsAbout('We ended the granted plan')).toContain('renews automatically from');
  await runRounds(portal.portal);
  expect(await mandate()).toMatchObject({ announced_for: end });
  expect(await counted('Renews soon')).toBe(2);
  await goBefore(3);
  await untilDebits('SENT');
});

test('the customer who cancels given days is told what becomes of the debit', async () => {
  const { portal, token, activationId } = the();
  await sentToBank();
  const { end, cycleId } = await give('extension', 3);
  const given = { params: { activationId, billingCycleId: cycleId } };
  expect(await portal.ask(previewEndCycle, given, token)).toMatchObject({
    renewal: 'moves',
    renewsFrom: end,
    debitAmount: 1499,
  });
  await portal.ask(endCycle, given, token);
  await move(1.5);
  await untilDebits('PAID');
  expect(await paidFrom()).toContain(end);
});

test('taken away while they run, days end the renewal, and a debit at the bank is refunded, as the preview says', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  await sentToBank();
  const { cycleId } = await give('extension', 10);
  await passDays(4);
  const [debit] = await debits().execute();
  const preview = await previewAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(preview).toMatchObject({ renewal: 'ends', renewsFrom: null });
  await actAsOperator(portal.portal, 'owner', 'withdrawPlan', { cycleId }, cause);
  expect(await mandate()).toMatchObject({ state: 'ENDED', ended_by: 'PLAN' });
  await portal.standin('POST', `/standin/payments/${debit?.payment_id}/authorize`, {});
  await untilDebits('FAILED');
  const refunds = portal.portal.db
    .selectFrom('refunds')
    .select('reason')
    .where('payment_id', '=', debit?.payment_id ?? '');
  expect(await refunds.execute()).toMatchObject([{ reason: 'The plan that it renews has ended' }]);
});

test('a debit that fails after days were given is not tried again, and the period after them is announced and debited anew', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await sentToBank();
  const { until } = await give('extension', 3);
  await move(1.1);
  await untilDebits('FAILED');
  await expect.poll(() => mailsAbout('Renewal not paid')).toContain('We write to you again');
  while (today() < addDays(until, -2)) await passDays(1);
  expect(await counted('Renews soon')).toBe(2);
  await untilDebits('FAILED', 'SENT');
  await move(1.5);
  await untilDebits('FAILED', 'PAID');
  expect(await paidFrom()).toContain(until);
  // One and the same subscription.
  expect(new Set((await debits().execute()).map(({ cycle_id: id }) => id)).size).toBe(1);
});

test('a debit without a result holds the next one back for three days, and pays once when it comes after all', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  await sentToBank();
  const { until } = await give('extension', 5);
  await passDays(2);
  expect(await counted('Renews soon')).toBe(1);
  await passDays(2);
  expect(await counted('Renews soon')).toBe(2);
  while (today() < addDays(until, -2)) await passDays(1);
  // The provider makes no second debit beside one without a result.
  await untilDebits('SENT', 'FAILED');
  const [first] = await debits().execute();
  await portal.standin('POST', `/standin/payments/${first?.payment_id}/authorize`, {});
  await untilDebits('PAID', 'FAILED');
  expect((await paidFrom()).filter((day) => day >= until)).toEqual([until]);
  await passDays(3);
  expect(await states()).toEqual(['PAID', 'FAILED']);
});

test('a debit that its payer skips at the bank skips the period that it would have paid for', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await portal.behave({ mandates: { nextDebits: ['payment_cancelled'] } });
  await sentToBank();
  const { until } = await give('extension', 3);
  await move(1.1);
  await untilDebits('FAILED');
  expect(await mandate()).toMatchObject({ skipped_for: until });
});

test('removing the moved period skips it, and its debit is refunded', async () => {
  const { portal, token, activationId } = the();
  await sentToBank();
  const { until } = await give('extension', 3);
  const [debit] = await debits().execute();
  const next = { params: { activationId, billingCycleId: debit?.cycle_id ?? '' } };
  expect(await portal.ask(previewEndCycle, next, token)).toMatchObject({ renewal: 'skips', debitAmount: 1499 });
  await portal.ask(endCycle, next, token);
  expect(await mandate()).toMatchObject({ skipped_for: until });
  await move(1.5);
  await untilDebits('FAILED');
  expect(await renewal()).toMatchObject({ whyNot: 'given_up' });
  await passDays(3);
  expect(await states()).toEqual(['FAILED']);
});

test('the database refuses a second debit for a moved period, and moves an unpaid one only with given days', async () => {
  const { portal, activationId } = the();
  await sentToBank();
  const { until } = await give('extension', 3);
  const { db } = portal.owner;
  const [debit] = await debits().execute();
  if (!debit) throw new Error('there is no debit');
  await expect(
    db
      .updateTable('cycles')
      .set({ from_date: debit.first_day ?? '' })
      .where('id', '=', debit.cycle_id)
      .execute(),
  ).rejects.toThrow("dates can't change");
  await expect(
    sql`update cycles set from_date = from_date + 1, to_date = to_date + 1 where id = ${debit.cycle_id}`.execute(db),
  ).rejects.toThrow("dates can't change");
  await sql`update mandates set announced_for = ${until}, announced_on = ${debit.first_day} where activation_id = ${activationId}`.execute(
    db,
  );
  const again = sql`insert into mandate_debits (order_id, mandate_id, cycle_id, activation_id, customer_id, first_day, attempt, amount_paise, state, asked_at, next_try_at)
    select order_id || 'X', mandate_id, cycle_id, activation_id, customer_id, ${until}, 1, amount_paise, 'ASKED', asked_at, now() from mandate_debits where order_id = ${debit.order_id}`;
  await expect(again.execute(db)).rejects.toMatchObject({ constraint: 'mandate_debits_one_under_way' });
});
