import { expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { buyPack } from '#shared/contract/cycles.ts';
import { makePayLink, orderByPayLink } from '#shared/contract/pay-links.ts';
import { endRecharge } from '#shared/contract/recharges.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { rechargeDue } from './recharges.ts';
import { useRecharges } from './test-recharges.ts';

const {
  the,
  params,
  renewal,
  recharge,
  agree,
  running,
  useOn,
  packDebits,
  shortages,
  untilTold,
  untilSent,
  untilDebits,
  debits,
  move,
  goBefore,
  passDays,
  counted,
  today,
  mandate,
  add,
  payWithConsent,
  cycles,
} = useRecharges();

const db = () => the().portal.portal.db;
const faults = async () => (await verifyLedgerOf(db())).faults;
const buy = async (packId: string) =>
  (await the().portal.ask(buyPack, { ...params(), params: { ...params().params, packId } }, the().token))
    .billingCycleId ?? '';
const noRecharge = 'Units run out, no automatic recharge';

/** A day passes in which a tenth is used; only recharges are looked at. */
async function lookAfterDay(units: number, portal = the().portal.portal): Promise<void> {
  await move(1);
  await useUnits(db(), (await running()).id, today(), units);
  await rechargeDue(portal, unrecorded);
}

test('a pack that the bank never answers about does not end the plan silently: its customer is told in time, and pays by the link', async () => {
  const { portal } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  await untilSent();
  await passDays(1);
  expect(await recharge()).toMatchObject({ underWay: { amount: 99 }, whyNot: null });
  expect(await counted('No answer from your bank')).toBe(0);
  await passDays(2);
  expect(await recharge()).toMatchObject({ underWay: null, whyNot: 'no_answer' });
  expect(await counted('No answer from your bank')).toBe(1);
  await goBefore(5);
  expect(await renewal()).toMatchObject({ next: { amount: 1499 }, isBehindRecharge: false });
  await goBefore(4);
  expect(await renewal()).toMatchObject({ next: { amount: 1499 }, whyNot: null, isBehindRecharge: true });
  await goBefore(2);
  expect(await counted('Won’t renew automatically')).toBe(0);
  await move(0.5);
  await runRounds(portal.portal);
  await runRounds(portal.portal);
  expect(await renewal()).toMatchObject({ next: null, whyNot: 'not_in_time', isBehindRecharge: true });
  expect(await counted('Won’t renew automatically')).toBe(1);
  // The bank was not asked for what the provider would have refused.
  await untilDebits('SENT');
  const mail = await db()
    .selectFrom('mails')
    .select('body_text')
    .where('customer_id', '=', the().customerId)
    .where('subject', 'like', 'Won’t renew%')
    .executeTakeFirstOrThrow();
  expect(mail.body_text).toContain('has not answered about the pack');
  const link = /\/pay#(\S+)/.exec(mail.body_text)?.[1] ?? '';
  const { orderId } = await portal.ask(orderByPayLink, { body: { link } });
  await portal.pay(orderId);
  await expect.poll(async () => (await cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  await passDays(3);
  expect(await counted('Won’t renew automatically')).toBe(1);
  expect(await faults()).toEqual([]);
});

test('a renewal that waits for a pack is asked for as soon as the bank has answered about that', async () => {
  const { portal } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  const { order_id: orderId } = await untilSent();
  await goBefore(5);
  await goBefore(3);
  await untilDebits('SENT');
  const { payment_id: paymentId } = (await packDebits()).find(({ order_id: id }) => id === orderId) ?? {};
  await portal.standin('POST', `/standin/payments/${paymentId}/fail`, {});
  await untilDebits('FAILED');
  await runRounds(portal.portal);
  await untilDebits('FAILED', 'SENT');
  await move(1.2);
  await untilDebits('FAILED', 'PAID');
  expect(await renewal()).toMatchObject({ whyNot: null, isBehindRecharge: false });
});

test('while the bank has not answered about a pack, what runs short later is told and not asked for', async () => {
  const { portal, token } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['pending'] } });
  await untilSent();
  await passDays(3);
  expect((await portal.buy(token, await buy('extra'))).status).toBe('success');
  await useOn(5, 10_000);
  await untilDebits('SENT');
  expect((await shortages()).at(-1)).toMatchObject({ state: 'WITHHELD', reason: 'too_soon' });
  expect(await counted(noRecharge)).toBe(1);
  expect(await faults()).toEqual([]);
});

test('from four days before the end of the plan on, its renewal goes first, and a recharge that it keeps waiting is told', async () => {
  await agree();
  await goBefore(9);
  const { id, monthlyQuota } = await running();
  await useUnits(db(), id, today(), Math.floor(monthlyQuota * 0.3));
  await useOn(7, Math.floor(monthlyQuota * 0.1));
  expect((await debits().execute()).map(({ first_day: day }) => day !== null)).toEqual([true]);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'renewal_first' }]);
  expect(await counted(noRecharge)).toBe(1);
});

test('a notice ends when recharges are turned off: what is agreed to again is told again', async () => {
  await agree();
  const tenth = await untilTold();
  await the().portal.ask(endRecharge, params(), the().token);
  await lookAfterDay(tenth);
  await agree();
  expect((await recharge())?.next).toBe(null);
  await rechargeDue(the().portal.portal, unrecorded);
  expect(await packDebits()).toEqual([]);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'too_soon' }]);
});

test('a notice is of one mandate', async () => {
  const { portal, token } = the();
  await agree();
  const tenth = await untilTold();
  await portal.ask(endRenewal, params(), token);
  await payWithConsent([await add((await running()).toDate)]);
  await expect.poll(async () => (await renewal()).mandate?.state).toBe('IN_FORCE');
  await agree();
  expect((await recharge())?.next).toBe(null);
  await lookAfterDay(tenth);
  expect(await packDebits()).toEqual([]);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'too_soon' }]);
});

test('a notice is of one pack', async () => {
  await agree(250, 'extra');
  const tenth = await untilTold();
  await agree(250, 'twin');
  await rechargeDue(the().portal.portal, unrecorded);
  expect(await shortages()).toMatchObject([{ state: 'ANNOUNCED', pack_id: 'twin' }]);
  expect(await counted('Recharges soon')).toBe(2);
  await lookAfterDay(tenth);
  await untilDebits('SENT');
  expect((await running()).packs).toMatchObject([{ name: 'Twin' }]);
});

test('a notice is of so many units, and so is the debit in the database', async () => {
  const { portal } = the();
  await agree();
  const tenth = await untilTold();
  const catalog = readCatalog(
    changedCatalog({
      'tax-lookup-api': {
        'plans.growth.dailyQuota': '100000',
        'plans.growth.packs': JSON.stringify([{ id: 'extra', name: 'Extra 30000', units: 300, price: 99 }]),
      },
    }),
  );
  await lookAfterDay(tenth, { ...portal.portal, catalog });
  expect(await packDebits()).toEqual([]);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'too_soon' }]);
});

test('a change of the ceiling alone leaves the notice and a debit at the bank as they are', async () => {
  await agree();
  const tenth = await untilTold();
  await agree(300);
  expect((await recharge())?.next).toMatchObject({ amount: 99 });
  await lookAfterDay(tenth);
  await untilDebits('SENT');
  await agree(200);
  await move(1.2);
  await untilDebits('PAID');
  expect(await counted('Recharges soon')).toBe(1);
});

test.each([
  ['turned off and on again', 'Recharges were turned off', 'extra'],
  ['changed to another pack', 'Another pack was agreed to', 'twin'],
] as const)(
  'a debit that the bank takes after recharges were %s is refunded, and told',
  async (how, reason, packId) => {
    await agree();
    await untilSent();
    if (packId === 'extra') await the().portal.ask(endRecharge, params(), the().token);
    await agree(250, packId);
    await move(1.2);
    await untilDebits('FAILED');
    const refunds = await db()
      .selectFrom('refunds')
      .select(['amount_paise', 'reason'])
      .where('customer_id', '=', the().customerId)
      .execute();
    expect(refunds, how).toEqual([{ amount_paise: 9900, reason }]);
    expect(await counted(noRecharge)).toBe(1);
    expect(await recharge()).toMatchObject({ whyNot: 'replaced', underWay: null });
    expect(await faults()).toEqual([]);
  },
);

test('a pack for which the customer means to make a bank transfer stays, and recharges wait for it with a word', async () => {
  const { portal, token } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  await agree();
  const id = await buy('huge');
  await portal.ask(payByTransfer, { ...params(), body: { billingCycleIds: [id] } }, token);
  const tenth = await untilTold();
  await useOn(1, tenth);
  expect((await running()).packs).toMatchObject([{ id, status: 'PAYMENT_PENDING' }]);
  expect(await packDebits()).toEqual([]);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'by_transfer' }]);
  expect(await counted(noRecharge)).toBe(1);
});

test('who holds a pay link to a pack stops no recharge', async () => {
  const { portal, token } = the();
  await agree();
  const id = await buy('extra');
  const body = { billingCycleIds: [id], endsEarlier: false };
  const { url } = await portal.ask(makePayLink, { ...params(), body }, token);
  const tenth = await untilTold();
  await move(1);
  await useUnits(db(), (await running()).id, today(), tenth);
  await portal.behave({ nextPayments: ['pending'] });
  const { orderId } = await portal.ask(orderByPayLink, { body: { link: new URL(url).hash.slice(1) } });
  await portal.pay(orderId).catch(() => undefined);
  await runRounds(portal.portal);
  await untilDebits('SENT');
  expect(await packDebits()).toHaveLength(1);
});

test('a debit that was never sent is told, and the page says why', async () => {
  const { portal } = the();
  await agree();
  const tenth = await untilTold();
  await portal.behave({ webhooks: { enabled: false } });
  const { token_id: tokenId } = await mandate();
  await portal.standin('POST', `/standin/tokens/${tokenId}/pause`, {});
  await useOn(1, tenth);
  await untilDebits('DROPPED');
  await expect.poll(() => counted(noRecharge)).toBe(1);
  expect(await shortages()).toMatchObject([{ state: 'ASKED', reason: 'paused' }]);
  expect((await recharge())?.whyNot).toBe('paused');
});

test('a debit that is refunded for a pack that was ordered and not paid is told', async () => {
  await agree();
  await untilSent();
  await buy('extra');
  await move(1.2);
  await untilDebits('FAILED');
  expect(await counted(noRecharge)).toBe(1);
  expect((await recharge())?.whyNot).toBe('replaced');
  expect(await faults()).toEqual([]);
});
