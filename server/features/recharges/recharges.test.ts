import { expect, test } from 'vitest';
import { buyPack } from '#shared/contract/cycles.ts';
import { endRecharge, setRecharge, skipRecharge } from '#shared/contract/recharges.ts';
import { endRenewal } from '#shared/contract/renewals.ts';
import { monthOf } from '#shared/domain/month.ts';
import { renewalsCsv } from '#server/features/mandates/mandates.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { runRounds } from '#server/start-rounds.ts';
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
  move,
  mails,
  counted,
  refundsOf,
  today,
} = useRecharges();

const faults = async () => (await verifyLedgerOf(the().portal.portal.db)).faults;

test('units that end too early are told, debited a day later, and added; what is bought has its invoice and the month its list', async () => {
  const { portal } = the();
  expect(await recharge()).toMatchObject({ agreed: null, packs: [{ id: 'extra', total: 99 }, { id: 'twin' }] });
  await agree();
  expect(await recharge()).toMatchObject({ agreed: { packId: 'extra', monthlyCeiling: 250 }, left: 250, whyNot: null });
  const sold = (await running()).monthlyQuota;
  const tenth = await untilTold();
  expect(await shortages()).toMatchObject([{ quota_units: sold, state: 'ANNOUNCED', amount_paise: 9900 }]);
  expect(await recharge()).toMatchObject({ next: { amount: 99, quotaUnits: sold }, whyNot: null });
  expect(await counted('Recharges soon: ₹99')).toBe(1);
  expect(await packDebits()).toEqual([]);
  // Within the day nothing is asked for.
  await runRounds(portal.portal);
  expect(await packDebits()).toEqual([]);
  await useOn(1, tenth);
  await untilDebits('SENT');
  expect(await recharge()).toMatchObject({ next: null, underWay: { amount: 99 }, left: 151 });
  await Promise.all([runRounds(portal.portal), runRounds(portal.portal)]);
  await move(1.2);
  await untilDebits('PAID');
  const after = await running();
  expect(after).toMatchObject({ monthlyQuota: sold + 30_000, packs: [{ units: 30_000, price: 99, status: 'PAID' }] });
  await portal.standin('POST', '/standin/webhooks/replay', {});
  await runRounds(portal.portal);
  expect(await packDebits()).toHaveLength(1);
  const [debit] = await packDebits();
  const csv = await renewalsCsv(portal.portal.db, monthOf(today()));
  expect(csv).toMatch(new RegExp(`,Growth,Recharge,MAN-[^,]+,.*,${debit?.order_id},1,.*,PAID,`));
  expect(await faults()).toEqual([]);
});

test('a skip from the mail is for good for these units; the next ones are told of again', async () => {
  const { portal, token } = the();
  await agree();
  const tenth = await untilTold();
  const { monthlyQuota: quotaUnits } = await running();
  const other = { ...params(), body: { quotaUnits: quotaUnits + 1 } };
  expect((await portal.send(skipRecharge, other, token)).body).toMatchObject({ code: 'not_found' });
  const skipped = await portal.ask(skipRecharge, { ...params(), body: { quotaUnits } }, token);
  expect(skipped.recharge).toMatchObject({ next: null, whyNot: 'skipped' });
  await useOn(1, tenth);
  expect(await packDebits()).toEqual([]);
  expect((await shortages()).map(({ state }) => state)).toEqual(['SKIPPED']);
  const bought = await portal.ask(buyPack, { ...params(), params: { ...params().params, packId: 'extra' } }, token);
  expect((await portal.buy(token, bought.billingCycleId)).status).toBe('success');
  expect((await recharge())?.whyNot).toBe(null);
  await useOn(2, tenth);
  expect((await shortages()).map(({ state }) => state)).toEqual(['SKIPPED', 'ANNOUNCED']);
});

test('turned off between the notice and the debit, nothing is asked for', async () => {
  await agree();
  const tenth = await untilTold();
  const off = await the().portal.ask(endRecharge, params(), the().token);
  expect(off.recharge).toMatchObject({ agreed: null, next: null, whyNot: null });
  await useOn(3, tenth);
  expect(await packDebits()).toEqual([]);
  expect(await mails()).toContain('No longer recharges automatically: Growth plan');
});

test.each([
  ['recharges', endRecharge],
  ['the renewal', endRenewal],
] as const)('a debit that the bank takes after %s was turned off is refunded', async (_what, call) => {
  await agree();
  const debit = await untilSent();
  await the().portal.ask(call, params(), the().token);
  await move(1.2);
  await untilDebits('FAILED');
  const paid = (await running()).packs;
  expect(paid.filter(({ status }) => status === 'PAID')).toEqual([]);
  const [payment] = await the()
    .portal.portal.db.selectFrom('payments')
    .selectAll()
    .where('order_id', '=', debit.order_id)
    .execute();
  expect(payment === undefined || payment.status === 'failed' || payment.use === 'REFUND').toBe(true);
  expect(await refundsOf(payment?.status === 'captured' ? payment.provider_payment_id : null)).toEqual(
    payment?.status === 'captured' ? [{ amount_paise: 9900, reason: 'Recharges were turned off' }] : [],
  );
  expect(await faults()).toEqual([]);
});

test('a debit that fails is told once with a link that pays at once, and is not asked for again', async () => {
  const { portal, token } = the();
  await agree();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await untilSent();
  await move(1.2);
  await untilDebits('FAILED');
  expect(await counted('Recharge not paid')).toBe(1);
  expect(await recharge()).toMatchObject({ failed: { amount: 99 }, underWay: null });
  const pack = (await running()).packs[0];
  expect(pack).toMatchObject({ status: 'PAYMENT_PENDING' });
  expect((await portal.buy(token, pack?.id ?? '')).status).toBe('success');
  await useOn(1, 1);
  expect(await packDebits()).toHaveLength(1);
  expect(await faults()).toEqual([]);
});

test('whoever buys a pack while the debit is at the bank has its units at once, and gets the debit back', async () => {
  const { portal, token } = the();
  await agree();
  const debit = await untilSent();
  const sold = (await running()).monthlyQuota;
  const bought = await portal.ask(buyPack, { ...params(), params: { ...params().params, packId: 'extra' } }, token);
  expect((await portal.buy(token, bought.billingCycleId)).status).toBe('success');
  await move(1.2);
  await untilDebits('FAILED');
  expect((await running()).monthlyQuota).toBe(sold + 30_000);
  const payment = await portal.portal.db
    .selectFrom('payments')
    .select(['provider_payment_id', 'use'])
    .where('order_id', '=', debit.order_id)
    .executeTakeFirstOrThrow();
  expect(payment.use).toBe('REFUND');
  expect(await refundsOf(payment.provider_payment_id)).toMatchObject([{ amount_paise: 9900 }]);
  expect(await faults()).toEqual([]);
});

test('a burst that ends the units before the bank could answer is told at once, and nothing is debited', async () => {
  await agree();
  const { monthlyQuota } = await running();
  await useOn(4, Math.floor(monthlyQuota / 40));
  await useOn(1, Math.floor(monthlyQuota * 0.7));
  expect(await counted('Units run out, no automatic recharge')).toBe(1);
  expect(await shortages()).toMatchObject([{ state: 'WITHHELD', reason: 'too_soon' }]);
  expect(await recharge()).toMatchObject({ whyNot: 'too_soon', next: null });
  await runRounds(the().portal.portal);
  await useOn(1, 1);
  expect(await counted('Units run out, no automatic recharge')).toBe(1);
  expect(await packDebits()).toEqual([]);
});

test('only a pack that one debit of the mandate may take is agreed to, for at least its price', async () => {
  const { portal, token } = the();
  const ask = async (packId: string, monthlyCeiling: number) =>
    (await portal.send(setRecharge, { ...params(), body: { packId, monthlyCeiling } }, token)).body;
  expect(await ask('huge', 20_000)).toMatchObject({ code: 'invalid_request' });
  expect(await ask('extra', 98)).toMatchObject({ code: 'invalid_request' });
  expect(await ask('other', 500)).toMatchObject({ code: 'not_found' });
  await portal.ask(endRenewal, params(), token);
  expect(await ask('extra', 500)).toMatchObject({ code: 'not_renewing' });
});
