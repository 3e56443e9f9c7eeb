import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { addCycle, endCycle, previewEndCycle } from '#shared/contract/cycles.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleLetter } from '#server/test/portal.ts';
import { type Asking, price, tan, tenth, transfersAt } from './test-transfers.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

const cause = { actor: 'asha', reason: 'The accounts department wrote' };

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const { settle, declare, newAsking, balanceOf, receivableOf, noFaults } = transfersAt(() => money);

/** An upcoming plan, paid less the tax that was declared. */
async function paidLess(): Promise<Asking & { paymentId: string }> {
  const one = await newAsking();
  await declare(one);
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId: one.cycleId } }, one.token);
  const body = { startDate: addDays(dayOf(money.portal.clock()), 30) };
  const params = { activationId: one.activationId, planId: 'growth' };
  const { billingCycleId = '' } = await money.ask(addCycle, { params, body }, one.token);
  await one.askFor(billingCycleId);
  const { id } = await one.credit(price - tenth);
  await settle();
  return { ...one, cycleId: billingCycleId, paymentId: String(id) };
}

/** What went back in cash. */
const cashOf = async (one: Asking) =>
  (await one.refunds())
    .filter(({ payout }) => payout !== 'WITHHELD')
    .reduce((sum, row) => sum + row.amount_paise - row.withheld_paise, 0);

const papersOf = ({ cycleId }: Asking) =>
  money.portal.db
    .selectFrom('documents')
    .select(['kind', 'number', 'taxable_paise', 'total_paise', 'content'])
    .where('cycle_id', '=', cycleId)
    .execute();

const mailOf = ({ customerId }: Asking, subject: string) =>
  money.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('customer_id', '=', customerId)
    .where('subject', 'like', `${subject}%`)
    .execute();

test('tax that nobody proved is not paid out: a cancelled plan gives back what came, and the rest is receivable no more', async () => {
  const before = await balanceOf('tds-receivable');
  const one = await paidLess();
  const params = { activationId: one.activationId, billingCycleId: one.cycleId };
  expect(await money.ask(previewEndCycle, { params }, one.token)).toMatchObject({
    refundAmount: 1372,
    withheldAmount: 127,
    transferAmount: 0,
  });
  await money.ask(endCycle, { params }, one.token);
  await settle();
  expect(await cashOf(one)).toBe(price - tenth);
  expect(await balanceOf('tds-receivable')).toBe(before);
  expect(await receivableOf(one)).toEqual([]);
  const papers = await papersOf(one);
  expect(papers.find(({ kind }) => kind === 'REFUND_VOUCHER')).toMatchObject({
    total_paise: price,
    content: { withheldPaise: tenth },
  });
  const [mail] = await mailOf(one, 'Refund started: ₹1,372');
  expect(mail?.body_text).toContain('₹127 more, which you had deducted from your bank transfer as tax (TDS)');
  expect(await mailOf(one, 'Refund completed: ₹1,372')).toHaveLength(1);
  const { entries } = await money.ask(listAllHistory, {}, one.token);
  expect(entries.map(({ refund }) => refund?.amount)).toContain(1372);
  await noFaults();
});

test('an operator gives back a price less tax, in parts and then all: the preview says what never came', async () => {
  const one = await paidLess();
  const all = { of: one.paymentId };
  expect(await previewAsOperator(money.portal, 'owner', 'refundPayment', all, cause)).toMatchObject({
    amount: 1372,
    cycles: [{ amount: 1499, withheld: 127, payout: 'PROVIDER' }],
  });
  await actAsOperator(money.portal, 'owner', 'refundPayment', { ...all, amount: 1000 }, cause);
  await actAsOperator(money.portal, 'owner', 'refundPayment', all, { ...cause, reason: 'All of it' });
  await settle();
  expect(await cashOf(one)).toBe(price - tenth);
  expect(await receivableOf(one)).toEqual([]);
  await noFaults();
});

test('what is refunded on the dashboard ends the plan with the tax that never came', async () => {
  const one = await paidLess();
  await money.standin('POST', `/standin/payments/${one.paymentId}/refund`, {});
  await money.deliver('refund.processed', { refund: { entity: { id: 'rfnd_y', payment_id: one.paymentId } } });
  await money.handleWebhooks();
  await settle();
  expect(await cashOf(one)).toBe(price - tenth);
  expect((await one.cycles()).find(({ id }) => id === one.cycleId)).toMatchObject({ status: 'REFUNDED' });
  expect(await receivableOf(one)).toEqual([]);
  await noFaults();
});

test('a certificate that is accepted after the refund pays out what never came, once; before it, all goes back', async () => {
  for (const isBefore of [true, false]) {
    const one = await newAsking();
    await declare(one);
    await one.credit(price - tenth);
    await settle();
    const params = { billingCycleId: one.cycleId };
    const quarter = quarterOf(dayOf(money.portal.clock()));
    const body = { tan, amount: 127, quarter, name: 'form-16a.pdf', certificate: sampleLetter };
    const refund = () => actAsOperator(money.portal, 'owner', 'refundPayment', { of: one.cycleId }, cause);
    if (!isBefore) await refund();
    const { claim } = await money.ask(declareTds, { params, body }, one.token);
    const claimId = claim?.id ?? '';
    const payout = isBefore ? 'WITHHELD' : 'TRANSFER';
    expect(await previewAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, cause)).toMatchObject({ payout });
    await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, cause);
    if (isBefore) await refund();
    await settle();
    expect(await cashOf(one)).toBe(price);
    expect(await receivableOf(one)).toMatchObject([{ amount: 127, unproved: 0 }]);
    await noFaults();
  }
});

test('the database lets no more cash go back than came', async () => {
  const one = await paidLess();
  await money.ask(endCycle, { params: { activationId: one.activationId, billingCycleId: one.cycleId } }, one.token);
  await settle();
  const run = (text: string) => money.owner.pool.query(text, [one.paymentId]);
  await expect(
    run(`update refunds set withheld_paise = 0 where payment_id = $1 and withheld_paise > 0`),
  ).rejects.toThrow(/can't change/);
  const other = await paidLess();
  await expect(
    money.owner.pool.query(
      `insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, origin, created_at)
      select 'RFD-COPY', payment_id, cycle_id, customer_id, ${price}, 'more', 'STARTED', 'PORTAL', now()
      from refunds where payment_id = $1 and payout = 'WITHHELD'`,
      [other.paymentId],
    ),
  ).rejects.toThrow(/within_what_came/);
  await noFaults();
});

/** What is receivable once the certificate of what was withheld is accepted. */
async function receivableOnceProved(one: Asking, quarter: string) {
  const params = { billingCycleId: one.cycleId };
  const body = { tan, amount: 127, quarter, name: 'form-16a.pdf', certificate: sampleLetter };
  const { claim, maxAmount } = await money.ask(declareTds, { params, body }, one.token);
  expect(maxAmount).toBe(127);
  await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId: claim?.id ?? '' }, cause);
  await noFaults();
  return receivableOf(one);
}

const proved = [{ amount: 127, unproved: 0 }];

test('what was withheld is proved also of an invoice that was corrected to a buyer without a GSTIN', async () => {
  const one = await newAsking();
  await declare(one);
  await one.credit(price - tenth);
  await settle();
  await actAsOperator(money.portal, 'owner', 'changeGstin', { customerId: one.customerId, gstin: null }, cause);
  const [invoice] = await papersOf(one);
  await actAsOperator(money.portal, 'owner', 'correctInvoice', { number: invoice?.number ?? '' }, cause);
  const quarter = quarterOf(dayOf(money.portal.clock()));
  expect(await receivableOnceProved(one, quarter)).toMatchObject(proved);
});

test('what was withheld of an advance is proved also once the rate of GST has risen, and the value on the invoice is less', async () => {
  const one = await paidLess();
  const paidIn = quarterOf(dayOf(money.portal.clock()));
  const soon = addDays(dayOf(money.portal.clock()), 10);
  const rates = [
    { from: '2017-07-01', percent: 18 },
    { from: soon, percent: 28 },
  ];
  const { catalog } = money.portal;
  money.portal.catalog = readCatalog(changedCatalog({ 'tax-lookup-api': { gstRatePercent: JSON.stringify(rates) } }));
  money.moveClock(30 * dayMs + 3_600_000);
  await runRounds(money.portal);
  await settle();
  const papers = await papersOf(one);
  expect(papers.find(({ kind }) => kind === 'INVOICE')).toMatchObject({ taxable_paise: 117_109, total_paise: price });
  expect(await receivableOnceProved(one, paidIn)).toMatchObject(proved);
  money.portal.catalog = catalog;
});

test('what Razorpay had refunded for the tax before a restore is named for itself: paper and mail name no more tax than was deducted', async () => {
  const one = await paidLess();
  const before = { amount: 6_350, notes: { cycle: one.cycleId, cause: 'TDS' } };
  await money.standin('POST', `/standin/payments/${one.paymentId}/refund`, before);
  await bookRefundsOf(money.portal, one.paymentId);
  await actAsOperator(money.portal, 'owner', 'refundPayment', { of: one.paymentId, amount: 500 }, cause);
  const all = { ...cause, reason: 'All of it' };
  await actAsOperator(money.portal, 'owner', 'refundPayment', { of: one.paymentId }, all);
  await settle();
  expect(await cashOf(one)).toBe(price - tenth);
  const papers = (await papersOf(one)).filter(({ kind }) => kind === 'REFUND_VOUCHER').map(({ content }) => content);
  const sumOf = (part: 'withheldPaise' | 'taxPaidBeforePaise') =>
    papers.reduce((sum, content) => sum + (content[part] ?? 0), 0);
  expect([papers.length, sumOf('withheldPaise'), sumOf('taxPaidBeforePaise')]).toEqual([2, tenth, 6_350]);
  const texts = (await mailOf(one, 'Refund started')).map(({ body_text: text }) => text).join('');
  expect(texts).toContain('It counts ₹63.50 that we had refunded to you before as tax (TDS)');
  await noFaults();
});
