import { expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { payLater } from '#shared/contract/credit.ts';
import { buyPack } from '#shared/contract/cycles.ts';
import { listMemberActions } from '#shared/contract/member-log.ts';
import { endRecharge, setRecharge } from '#shared/contract/recharges.ts';
import { isPlanStopped } from '#server/features/credit/credit.ts';
import { blockCustomer, unblockCustomer } from '#server/features/customers/blocks.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { testMembers } from '#server/test/members.ts';
import { selectShort } from './store.ts';
import { useRecharges } from './test-recharges.ts';

const {
  the,
  params,
  recharge,
  agree,
  running,
  useOn,
  packDebits,
  shortages,
  untilTold,
  untilSent,
  untilDebits,
  refundsOf,
  move,
  goBefore,
  counted,
  today,
  add,
} = useRecharges();

const db = () => the().portal.portal.db;
const faults = async () => (await verifyLedgerOf(db())).faults;
const cause = { actor: 'asha', reason: 'A test' };
const noRecharge = 'Units run out, no automatic recharge';

const mailed = async (beginning: string) =>
  (
    await db()
      .selectFrom('mails')
      .select('body_text')
      .where('customer_id', '=', the().customerId)
      .where('subject', 'like', `${beginning}%`)
      .executeTakeFirstOrThrow()
  ).body_text;

const block = () => blockCustomer(the().portal.portal, the().customerId, cause);
const unblock = () => unblockCustomer(the().portal.portal, the().customerId, cause);
const turnOff = () => the().portal.ask(endRecharge, params(), the().token);

/** What the bank took for a pack came back. */
async function untilRefunded(): Promise<void> {
  await move(1.2);
  await untilDebits('FAILED');
}

/** Nothing came of a debit while something `held`; then nothing does. */
interface Fate {
  held: () => Promise<unknown>;
  free: () => Promise<unknown>;
  reason: string;
}

test.each<[string, Fate]>([
  [
    'was never sent, as the customer was blocked',
    {
      held: async () => {
        await the().portal.behave({ recurringCreate: 'fail-500' });
        await useOn(1, await untilTold());
        await expect.poll(async () => (await packDebits())[0]?.sent_at ?? null).not.toBeNull();
        await block();
        await db()
          .updateTable('mandate_debits')
          .set({ next_try_at: new Date() })
          .where('state', '=', 'ASKED')
          .where('activation_id', '=', the().activationId)
          .execute();
        await untilDebits('DROPPED');
        await the().portal.behave({});
      },
      free: unblock,
      reason: 'not_in_time',
    },
  ],
  [
    'was refunded, as the customer was blocked',
    {
      held: async () => {
        await untilSent();
        await block();
        await untilRefunded();
      },
      free: unblock,
      reason: 'asked_before',
    },
  ],
  [
    'was refunded, as recharges were off',
    {
      held: async () => {
        await untilSent();
        await turnOff();
        await untilRefunded();
      },
      free: () => agree(),
      reason: 'replaced',
    },
  ],
  [
    'had paid, and its pack was given back',
    {
      held: async () => {
        await untilSent();
        await move(1.2);
        await untilDebits('PAID');
      },
      free: async () => {
        const [debit] = await packDebits();
        const of = debit?.payment_id ?? '';
        await makeRefund(the().portal.portal, { of, reason: 'A gesture', amountPaise: undefined }, 'asha');
      },
      reason: 'asked_before',
    },
  ],
])(
  'a debit of a pack that %s is told of once, when nothing holds a recharge any more',
  async (_what, { held, free, reason }) => {
    await agree();
    await held();
    await runRounds(the().portal.portal);
    expect(await counted(noRecharge)).toBe(0);
    await free();
    await useUnits(db(), (await running()).id, today(), 10_000);
    await runRounds(the().portal.portal);
    await runRounds(the().portal.portal);
    await useOn(1, 1);
    expect(await shortages()).toMatchObject([{ state: 'ASKED', reason }]);
    expect(await recharge()).toMatchObject({ whyNot: reason, next: null, underWay: null });
    expect(await counted(noRecharge)).toBe(1);
    expect(await faults()).toEqual([]);
  },
);

test('a debit of a pack that the bank takes in the last day of the plan is refunded', async () => {
  const { portal } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const { payment_id: paymentId, order_id: orderId } = await untilSent();
  await goBefore(1);
  await move(0.7);
  const ended = new Date(portal.portal.clock());
  const paid = db().updateTable('mandate_debits').set({ state: 'PAID', ended_at: ended, next_try_at: null });
  await expect(paid.where('order_id', '=', orderId).execute()).rejects.toThrow(/less than a day of its plan/);
  await portal.standin('POST', `/standin/payments/${paymentId}/authorize`, {});
  await expect.poll(async () => (await packDebits())[0]?.state).toBe('FAILED');
  expect(await refundsOf(paymentId)).toEqual([
    { amount_paise: 9900, reason: 'Less than a day of the plan is left for its pack' },
  ]);
  expect((await running()).packs.filter(({ status }) => status === 'PAID')).toEqual([]);
  expect(await faults()).toEqual([]);
});

test('a debit that fails after its customer has bought another pack asks for nothing', async () => {
  const { portal, token } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const { payment_id: paymentId } = await untilSent();
  const { billingCycleId } = await portal.ask(
    buyPack,
    { ...params(), params: { ...params().params, packId: 'twin' } },
    token,
  );
  expect((await portal.buy(token, billingCycleId)).status).toBe('success');
  await portal.standin('POST', `/standin/payments/${paymentId}/fail`, {});
  await untilDebits('FAILED');
  const text = await mailed('Recharge not paid');
  expect(text).toContain('There is nothing to do');
  expect(text).not.toContain('/pay#');
});

test('a debit that fails after the plan has ended asks for nothing', async () => {
  const { portal } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const { payment_id: paymentId } = await untilSent();
  await goBefore(-1);
  await portal.standin('POST', `/standin/payments/${paymentId}/fail`, {});
  await expect.poll(async () => (await packDebits())[0]?.state).toBe('FAILED');
  expect(await mailed('Recharge not paid')).toContain('There is nothing to do');
});

test('while a debit of all that was agreed to for the month is at the bank, the page does not say that nothing is debited', async () => {
  await agree(99);
  await untilSent();
  expect(await recharge()).toMatchObject({ underWay: { amount: 99 }, left: 0, whyNot: null });
});

test('what would be asked for when the renewal is, is told at once as that, and not announced', async () => {
  await agree();
  await goBefore(9);
  const { id, monthlyQuota } = await running();
  await useUnits(db(), id, today(), Math.floor(monthlyQuota * 0.4));
  await useOn(4, Math.floor(monthlyQuota * 0.08));
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'renewal_first' }]);
  expect(await recharge()).toMatchObject({ next: null, whyNot: 'renewal_first' });
  await useOn(3, Math.floor(monthlyQuota * 0.08));
  expect([await counted(noRecharge), await counted('Recharges soon')]).toEqual([1, 0]);
  expect(await packDebits()).toEqual([]);
});

test('the mail about what was agreed to, and the log of the members, say who did', async () => {
  const { portal, token } = the();
  const { token: accountant } = await testMembers(portal).join(token, 'books@gmail.com', 'accountant');
  await portal.ask(setRecharge, { ...params(), body: { packId: 'extra', monthlyCeiling: 5000 } }, accountant);
  expect(await mailed('Recharges automatically')).toContain('(books@gmail.com)');
  const { entries } = await portal.ask(listMemberActions, { query: {} }, token);
  expect(entries[0]).toMatchObject({ action: 'setRecharge', member: { email: 'books@gmail.com' } });
});

test('a plan that an overdue bill has stopped is not recharged', async () => {
  const { portal, token, customerId, activationId } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  await agree();
  const terms = { customerId, limit: 5000, days: 5, stopAfterDays: 2 };
  await actAsOperator(portal.portal, 'finance', 'setCreditTerms', terms, cause);
  const { toDate: end } = await running();
  const next = await add(end);
  await portal.ask(payLater, { params: { activationId }, body: { billingCycleId: next } }, token);
  while (today() <= end) await move(1);
  await useOn(9, 10_000);
  expect((await running()).id).toBe(next);
  expect(await isPlanStopped(db(), next, today())).toBe(true);
  expect([await shortages(), await packDebits()]).toEqual([[], []]);
  // The bill alone kept it from being looked at.
  await portal.buy(token, next);
  await useOn(1, 1);
  expect(await shortages()).toHaveLength(1);
});

const looked = async () =>
  (await selectShort(db(), the().portal.portal.clock())).filter(({ id }) => id === the().activationId).length;

test('a round looks at the few whose units may run short', async () => {
  await agree();
  await useOn(4, 1000);
  expect(await looked()).toBe(0);
  await useOn(1, 50_000);
  expect(await looked()).toBe(1);
});
