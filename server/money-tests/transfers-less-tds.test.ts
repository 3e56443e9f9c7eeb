import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { actAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { sampleLetter, sampleProfile } from '#server/test/portal.ts';
import { type Asking, price, tan, tenth, transfersAt } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

/** At 2 % of the value without GST, in whole rupees. */
const fiftieth = 2_500;
const cause = { actor: 'asha', reason: 'The accounts department wrote' };

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { settle, declare, newAsking, balanceOf, receivableOf, noFaults } = transfersAt(() => money);
const held = async ({ customerId }: Asking) =>
  (await readAsOperator(money.portal, 'read-only', 'listHeldTransfers', {})).filter(
    (each) => each.customerId === customerId,
  );

test('what is due less the tax that was declared pays, the tax is receivable, and the paper says both', async () => {
  const one = await newAsking();
  expect(one.asked).toMatchObject({
    amount: 1499,
    declared: null,
    deductions: [
      { percent: 2, tds: 25, amount: 1474 },
      { percent: 10, tds: 127, amount: 1372 },
    ],
  });
  await declare(one);
  expect(await one.askFor(one.cycleId)).toMatchObject({ declared: { tan, percent: 10 } });
  const before = await balanceOf('tds-receivable');
  await one.credit(price - tenth, { utr: 'HDFCR52026112800101' });
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID', refund: null, returned: null }]);
  expect(await one.refunds()).toMatchObject([{ amount_paise: tenth, status: 'PROCESSED', payout: 'WITHHELD' }]);
  expect((await balanceOf('tds-receivable')) - before).toBe(tenth);
  const { content, total_paise: total } = await money.portal.db
    .selectFrom('documents')
    .select(['content', 'total_paise'])
    .where('cycle_id', '=', one.cycleId)
    .executeTakeFirstOrThrow();
  expect(content).toMatchObject({ utr: 'HDFCR52026112800101', withheldPaise: tenth });
  expect(total).toBe(price);
  expect(await receivableOf(one)).toMatchObject([{ tan, amount: 127, taxableValue: 1270.34, claims: 1, unproved: 1 }]);
  const mail = await money.portal.db
    .selectFrom('mails')
    .select('body_text')
    .where('customer_id', '=', one.customerId)
    .where('subject', 'like', 'Payment received%')
    .executeTakeFirstOrThrow();
  expect(mail.body_text).toContain('You deducted ₹127 as tax (TDS)');
  await noFaults();
});

test('the certificate is declared as any other, over exactly what was withheld, and nothing is refunded for it', async () => {
  const one = await newAsking();
  await declare(one);
  await one.credit(price - tenth);
  await settle();
  const body = {
    tan,
    amount: 127,
    quarter: quarterOf(dayOf(money.portal.clock())),
    name: 'form-16a.pdf',
    certificate: sampleLetter,
  };
  const params = { billingCycleId: one.cycleId };
  const other = await money.send(declareTds, { params, body: { ...body, amount: 100 } }, one.token);
  expect(other.body).toMatchObject({ code: 'tds_too_much' });
  const { claim } = await money.ask(declareTds, { params, body }, one.token);
  const claimId = claim?.id ?? '';
  expect(await previewAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, cause)).toMatchObject({
    payout: 'WITHHELD',
  });
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, cause);
  await settle();
  expect(await one.refunds()).toHaveLength(1);
  const { entries } = await money.ask(listAllHistory, {}, one.token);
  expect(entries).toMatchObject([{ tds: { isWithheld: true, claim: { status: 'ACCEPTED' } }, refund: null }]);
  expect(await receivableOf(one)).toMatchObject([{ amount: 127, claims: 1, unproved: 0 }]);
  await noFaults();
});

test('a plan that ends gives back what came of its price, and what was withheld is reversed', async () => {
  const one = await newAsking();
  await declare(one);
  const later = { params: { activationId: one.activationId, planId: 'growth' } };
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId: one.cycleId } }, one.token);
  const body = { startDate: addDays(dayOf(money.portal.clock()), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { ...later, body }, one.token);
  await one.askFor(billingCycleId);
  await one.credit(price - tenth);
  await settle();
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId } }, one.token);
  await settle();
  const refunds = await one.refunds();
  expect(refunds).toHaveLength(2);
  expect(refunds).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ payout: 'WITHHELD', amount_paise: tenth }),
      expect.objectContaining({ payout: 'PROVIDER', amount_paise: price, withheld_paise: tenth, status: 'PROCESSED' }),
    ]),
  );
  await noFaults();
});

test('several plans in one transfer have each their own tax, and a buyer without a GSTIN deducts nothing', async () => {
  const one = await newAsking();
  await declare(one);
  const params = { activationId: one.activationId, planId: 'growth' };
  const body = { startDate: addDays(dayOf(money.portal.clock()), 30) };
  const { billingCycleIds: more = [] } = await money.ask(addCycle, { params, body }, one.token);
  expect(await one.askFor(one.cycleId, ...more)).toMatchObject({ amount: (2 * price) / 100 });
  await one.credit(2 * (price - tenth));
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }]);
  expect(await one.refunds()).toMatchObject([{ amount_paise: tenth }, { amount_paise: tenth }]);
  const consumer = await newAsking();
  await declare(consumer);
  await money.ask(updateProfile, { body: sampleProfile }, consumer.token);
  await consumer.credit(price - tenth);
  await settle();
  expect(await consumer.refunds()).toMatchObject([{ reason: 'The amount differs from the order' }]);
  await noFaults();
});

test.each<[string, { tan: string; percent: 2 | 10 } | null, number, number]>([
  ['nothing was declared', null, tenth, 10],
  ['another percentage was declared', { tan, percent: 10 }, fiftieth, 2],
])(
  'a transfer less tax is held where %s: in the books, in the list, and an answer pays',
  async (_, said, less, percent) => {
    const one = await newAsking();
    await declare(one, said);
    const before = await balanceOf('held-transfers');
    const { id: paymentId } = await one.credit(price - less, { utr: `SBIN${percent}26112800102` });
    await settle();
    expect(await one.cycles()).toMatchObject([{ status: 'PENDING' }]);
    expect(await one.refunds()).toEqual([]);
    expect((await balanceOf('held-transfers')) - before).toBe(less - price);
    expect(await held(one)).toMatchObject([{ paymentId, amount: (price - less) / 100, tds: less / 100, percent }]);
    const { kinds } = await readAsOperator(money.portal, 'read-only', 'listWaiting', {
      kind: 'HELD_TRANSFER',
      limit: 99,
    });
    expect(kinds[0]?.waiting.map(({ command }) => command)).toContain(`transfers settle ${String(paymentId)}`);
    await noFaults();
    money.moveClock(dayMs);
    const asked = { paymentId: String(paymentId) };
    expect(await previewAsOperator(money.portal, 'finance', 'settleTransfer', asked, cause)).toMatchObject(asked);
    expect(await one.cycles()).toMatchObject([{ status: 'PENDING' }]);
    await actAsOperator(money.portal, 'finance', 'settleTransfer', asked, cause);
    expect(await one.cycles()).toMatchObject([{ status: 'PAID', payments: [{ status: 'captured' }] }]);
    expect(await balanceOf('held-transfers')).toBe(before);
    expect(await receivableOf(one)).toMatchObject([{ tan: '', amount: less / 100, unproved: 1 }]);
    const again = actAsOperator(money.portal, 'finance', 'settleTransfer', asked, cause);
    await expect(again).rejects.toThrow('is not held');
    await settle();
    await noFaults();
  },
);

test('two transfers less tax that nobody declared, for two bills of one amount, are held for one bill each, and both pay', async () => {
  const one = await newAsking();
  const params = { activationId: one.activationId, planId: 'growth' };
  const body = { startDate: addDays(dayOf(money.portal.clock()), 30) };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  await one.credit(price - tenth);
  await one.credit(price - tenth);
  await settle();
  const both = await held(one);
  expect(new Set(both.map(({ orderId }) => orderId)).size).toBe(2);
  for (const { paymentId } of both)
    await actAsOperator(money.portal, 'finance', 'settleTransfer', { paymentId }, cause);
  expect((await one.cycles()).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  await noFaults();
});

test('a held transfer goes back on an answer, once, and by itself when its plan was paid otherwise before it came', async () => {
  const [one, paid] = [await newAsking(), await newAsking()];
  const { id: paymentId } = await one.credit(price - tenth);
  const { orderId } = await money.ask(createOrder, { params: { id: paid.cycleId } }, paid.token);
  await money.ask(verifyPayment, { body: await money.checkOut(orderId) }, paid.token);
  await paid.credit(price - tenth);
  await settle();
  const asked = { paymentId: String(paymentId) };
  const month = monthOf(dayOf(money.portal.clock()));
  const { steps } = await readAsOperator(money.portal, 'finance', 'readMonthEnd', { month });
  expect(steps.find(({ step }) => step === 'HELD_TRANSFERS')).toMatchObject({
    state: 'TO_DO',
    findings: expect.arrayContaining([expect.stringContaining(asked.paymentId)]),
  });
  const both = await Promise.allSettled([
    actAsOperator(money.portal, 'finance', 'refundTransfer', asked, cause),
    actAsOperator(money.anotherPortal(), 'finance', 'refundTransfer', asked, cause),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await settle();
  expect(await one.refunds()).toMatchObject([{ amount_paise: price - tenth, status: 'PROCESSED' }]);
  expect(await one.cycles()).toMatchObject([{ status: 'PAYMENT_PENDING' }]);
  expect(await paid.refunds()).toMatchObject([{ amount_paise: price - tenth, status: 'PROCESSED' }]);
  await one.credit(price);
  await one.askFor(one.cycleId);
  await settle();
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  await noFaults();
});

test('a held transfer whose plan was removed or paid since can only go back', async () => {
  const [removed, paid] = [await newAsking(), await newAsking()];
  const [first, second] = [await removed.credit(price - tenth), await paid.credit(price - tenth)];
  await settle();
  const params = { activationId: removed.activationId, billingCycleId: removed.cycleId };
  await money.ask(endCycle, { params }, removed.token);
  await paid.credit(price);
  const soon = money.portal.db.updateTable('virtual_accounts').set({ next_check_at: new Date(0) });
  await soon.where('id', '=', paid.accountId).execute();
  await settle();
  expect(await paid.cycles()).toMatchObject([{ status: 'PAID' }]);
  for (const [{ id }, why] of [
    [first, 'The subscription was removed'],
    [second, 'The subscription was paid already'],
  ] as const) {
    const asked = { paymentId: String(id) };
    const trial = previewAsOperator(money.portal, 'finance', 'settleTransfer', asked, cause);
    await expect(trial).rejects.toThrow(`It can’t pay any more: ${why}`);
    await expect(actAsOperator(money.portal, 'finance', 'settleTransfer', asked, cause)).rejects.toThrow(why);
    await actAsOperator(money.portal, 'finance', 'refundTransfer', asked, cause);
  }
  await settle();
  for (const one of [removed, paid]) expect(await one.refunds()).toMatchObject([{ amount_paise: price - tenth }]);
  await noFaults();
});

test('a held transfer that is refunded on the dashboard is held no longer', async () => {
  const one = await newAsking();
  const { id } = await one.credit(price - tenth);
  await settle();
  await money.standin('POST', `/standin/payments/${String(id)}/refund`, {});
  await money.deliver('payment.captured', { payment: { entity: { id, status: 'captured', order_id: null } } });
  await money.deliver('refund.processed', { refund: { entity: { id: 'rfnd_x', payment_id: id } } });
  await money.handleWebhooks();
  await settle();
  expect(await held(one)).toEqual([]);
  await noFaults();
});

test('the database lets nobody answer without the audit log, and takes no answer back', async () => {
  const one = await newAsking();
  const { id } = await one.credit(price - tenth);
  await settle();
  const run = (text: string) => money.owner.pool.query(text, [id]);
  const cycle = `update payments set use = 'CYCLE' where provider_payment_id = $1`;
  await expect(run(cycle)).rejects.toThrow(/does not pay for cycle|has no|is not in the/);
  await expect(run(`update payments set use = 'REFUND' where provider_payment_id = $1`)).rejects.toThrow(
    /has to be refunded and is not|is not in the/,
  );
  await expect(run(`update bank_transfers set tds_tan = 'MUMA12345B' where payment_id = $1`)).rejects.toThrow(/never/);
  await actAsOperator(money.portal, 'finance', 'refundTransfer', { paymentId: String(id) }, cause);
  await expect(run(`update payments set use = 'HELD' where provider_payment_id = $1`)).rejects.toThrow(/cannot go/);
  await settle();
  await noFaults();
});
