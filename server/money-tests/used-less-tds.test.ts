import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endCycle, previewEndCycle, previewSwitch, switchPlan } from '#shared/contract/cycles.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { sampleLetter } from '#server/test/portal.ts';
import { type Asking, price, tan, tenth, transfersAt } from './test-transfers.ts';
import { catalogThatRefunds, dayMs, type Money, startMoney } from './test-money.ts';

/** What is used of a price less TDS is paid in cash (decision 075), with plans that refund what is unused. */
let money: Money;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
});
afterAll(() => money.close());

const { settle, declare, newAsking, receivableOf, noFaults } = transfersAt(() => money);
const cause = { actor: 'asha', reason: 'The accounts department wrote' };

/** A running plan, paid less the tax that was declared. */
async function running(): Promise<Asking & { paymentId: string }> {
  const one = await newAsking();
  await declare(one);
  const { id } = await one.credit(price - tenth);
  await settle();
  return { ...one, paymentId: String(id) };
}

/** 29 of 30 days are unused; as much of them came in cash as of the whole price, and a part of a paisa didn't. */
const unused = 144_903;
const unusedTax = 12_277;

const paramsOf = (one: Asking) => ({ activationId: one.activationId, billingCycleId: one.cycleId });
const endOf = (one: Asking) => money.ask(endCycle, { params: paramsOf(one) }, one.token);

const cashOf = async (one: Asking) =>
  (await one.refunds())
    .filter(({ payout }) => payout !== 'WITHHELD')
    .reduce((sum, row) => sum + row.amount_paise - row.withheld_paise, 0);

/** What of its price. */
const backOf = async (one: Asking) =>
  (await one.refunds()).filter(({ payout }) => payout !== 'WITHHELD').reduce((sum, row) => sum + row.amount_paise, 0);

const statusOf = async (one: Asking) => (await one.cycles()).find(({ id }) => id === one.cycleId)?.status;

async function claimOf(one: Asking): Promise<{ claimId: string }> {
  const quarter = quarterOf(dayOf(money.portal.clock()));
  const body = { tan, amount: 127, quarter, name: 'form-16a.pdf', certificate: sampleLetter };
  const { claim } = await money.ask(declareTds, { params: { billingCycleId: one.cycleId }, body }, one.token);
  return { claimId: claim?.id ?? '' };
}

const prove = async (one: Asking) => actAsOperator(money.portal, 'finance', 'acceptTds', await claimOf(one), cause);

const byOperator = (one: { paymentId: string }, rupees?: number) =>
  actAsOperator(
    money.portal,
    'owner',
    'refundPayment',
    { of: one.paymentId, ...(rupees !== undefined && { amount: rupees }) },
    { ...cause, reason: `Agreed on ${rupees ?? 'all'}` },
  );

async function onDashboard({ paymentId }: { paymentId: string }, paise: number): Promise<void> {
  const { id } = await money.standin('POST', `/standin/payments/${paymentId}/refund`, { amount: paise });
  await money.deliver('refund.processed', { refund: { entity: { id, payment_id: paymentId } } });
  await money.handleWebhooks();
}

test.each<['never' | 'before' | 'after']>([['never'], ['before'], ['after']])(
  'what is used is paid in cash: unused days give back as much of it as came of the price; the certificate comes %s',
  async (proof) => {
    const one = await running();
    const isProved = proof !== 'never';
    if (proof === 'before') await prove(one);
    const tax = proof === 'before' ? 0 : unusedTax;
    expect(await money.ask(previewEndCycle, { params: paramsOf(one) }, one.token)).toMatchObject({
      unusedAmount: unused / 100,
      refundAmount: (unused - tax) / 100,
      withheldAmount: tax / 100,
      // Razorpay has less than that once the certificate is accepted.
      transferAmount: proof === 'before' ? unused / 100 : 0,
    });
    await endOf(one);
    await settle();
    expect(await cashOf(one)).toBe(unused - tax);
    if (proof === 'after') await prove(one);
    await settle();
    expect(await cashOf(one)).toBe(isProved ? unused : unused - unusedTax);
    const amount = isProved ? 127 : (tenth - unusedTax) / 100;
    expect(await receivableOf(one)).toMatchObject([{ amount, unproved: isProved ? 0 : 1 }]);
    const note = await money.portal.db
      .selectFrom('documents')
      .select(['total_paise', 'content'])
      .where('cycle_id', '=', one.cycleId)
      .where('kind', '=', 'CREDIT_NOTE')
      .executeTakeFirstOrThrow();
    expect(note.total_paise).toBe(unused);
    expect(note.content.withheldPaise ?? 0).toBe(tax);
    await noFaults();
  },
);

test('a plan that is switched gives back its unused days in the same proportion', async () => {
  const one = await running();
  const params = { activationId: one.activationId, planId: 'starter' };
  const back = { refundAmount: (unused - unusedTax) / 100, withheldAmount: unusedTax / 100 };
  expect(await money.ask(previewSwitch, { params }, one.token)).toMatchObject(back);
  const { billingCycleId: id = '' } = await money.ask(switchPlan, { params }, one.token);
  const { orderId } = await money.ask(createOrder, { params: { id } }, one.token);
  await money.ask(verifyPayment, { body: await money.checkOut(orderId) }, one.token);
  await settle();
  expect(await cashOf(one)).toBe(unused - unusedTax);
  await noFaults();
});

test('parts that an operator, the dashboard and the plan’s end give back are in proportion, in any order, and Razorpay pays each', async () => {
  const parts = [
    (one: { paymentId: string }) => byOperator(one, 300),
    (one: { paymentId: string }) => onDashboard(one, 20_000),
    (one: { paymentId: string }) => byOperator(one, 100.01),
  ];
  for (const order of [parts, parts.toReversed()]) {
    const one = await running();
    for (const part of order) {
      await part(one);
      await settle();
    }
    expect(await cashOf(one)).toBe(60_001);
    const givenBefore = await backOf(one);
    money.moveClock(20 * dayMs);
    await settle();
    await endOf(one);
    await settle();
    const refunds = (await one.refunds()).filter(({ payout }) => payout !== 'WITHHELD');
    expect(refunds.every(({ payout, status }) => payout === 'PROVIDER' && status === 'PROCESSED')).toBe(true);
    const back = await backOf(one);
    const proportion = (back * (price - tenth)) / price;
    // 9 of 30 days.
    expect(back - givenBefore).toBe(44_970);
    expect(await cashOf(one)).toBeLessThanOrEqual(proportion);
    expect(await cashOf(one)).toBeGreaterThan(proportion - refunds.length);
    await noFaults();
  }
});

test('an operator who refunds all that came ends the plan with the tax that never came, at once or in two parts', async () => {
  for (const rupees of [[1372], [686, 686]]) {
    const one = await running();
    for (const [at, each] of rupees.entries()) {
      expect(await statusOf(one)).toBe('PAID');
      const order = { of: one.paymentId, amount: each };
      const why = { ...cause, reason: `Part ${at}` };
      const isLast = at === rupees.length - 1;
      expect(await previewAsOperator(money.portal, 'owner', 'refundPayment', order, why)).toMatchObject({
        amount: each,
        cycles: [{ payout: 'PROVIDER', effect: isLast ? 'ends' : 'goes on', left: isLast ? 0 : 749.5 }],
      });
      const made = await actAsOperator(money.portal, 'owner', 'refundPayment', order, why);
      expect(await actAsOperator(money.portal, 'owner', 'refundPayment', order, why)).toMatchObject({
        already: true,
        refundIds: 'refundIds' in made ? made.refundIds : [],
      });
      await settle();
    }
    expect(await statusOf(one)).toBe('REFUNDED');
    expect(await cashOf(one)).toBe(price - tenth);
    expect(await receivableOf(one)).toEqual([]);
    await noFaults();
  }
});

test('a part that would leave less than ₹1 of what came is refused, and so is a certificate that would take all that is left', async () => {
  const one = await running();
  await expect(byOperator(one, 1371.5)).rejects.toThrow('Between ₹1 and ₹1,371 can be refunded, or all of ₹1,372');
  await byOperator(one, 1300);
  await noFaults();
  const claim = await claimOf(one);
  await expect(actAsOperator(money.portal, 'finance', 'acceptTds', claim, cause)).rejects.toThrow(
    'Only ₹72 of this payment is left',
  );
  await byOperator(one);
  await actAsOperator(money.portal, 'finance', 'acceptTds', claim, cause);
  await settle();
  expect(await cashOf(one)).toBe(price);
  await noFaults();
});

test('what came to the own account goes back in the same proportion, by transfer', async () => {
  const one = await newAsking();
  const on = dayOf(money.portal.clock());
  const transfer = { of: one.cycleId, utr: 'SBIN326015126001', amount: 1372, on };
  await actAsOperator(money.portal, 'owner', 'recordReceivedTransfer', transfer, cause);
  await endOf(one);
  expect(await cashOf(one)).toBe(unused - unusedTax);
  expect((await one.refunds()).map(({ payout }) => payout)).toEqual(['WITHHELD', 'TRANSFER']);
  await noFaults();
});

test('the database gives no greater part of a price back in cash than came of it', async () => {
  const one = await running();
  const half = (tax: number) =>
    money.owner.db.transaction().execute(async (tx) => {
      await sql`insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, origin, created_at, withheld_paise, covered_paise)
        select 'RFD-COPY', payment_id, cycle_id, customer_id, 74950, 'half', 'STARTED', 'OPERATOR', now(), ${tax}, ${tax}
        from refunds where payment_id = ${one.paymentId} and payout = 'WITHHELD'`.execute(tx);
      await sql`set constraints refunds_are_due immediate`.execute(tx);
    });
  await expect(half(6349)).rejects.toThrow(/cash_in_proportion/);
  await expect(half(6350)).rejects.toThrow(/is not in the ledger/);
});

/** A part of the price went back, and the certificate was accepted, so that Razorpay paid half of the tax too; of that acceptance only Razorpay knows. */
async function restored(rupees = 686) {
  const one = await running();
  if (rupees > 0) await byOperator(one, rupees);
  await settle();
  const claim = await claimOf(one);
  const notes = { cycle: one.cycleId, cause: 'TDS' };
  await money.standin('POST', `/standin/payments/${one.paymentId}/refund`, { amount: tenth / 2, notes });
  await bookRefundsOf(money.portal, one.paymentId);
  await noFaults();
  const accept = () => actAsOperator(money.portal, 'finance', 'acceptTds', claim, cause);
  return { one, claim, accept };
}

test('a certificate whose acceptance a restore lost is accepted again, and what Razorpay paid for it is paid once', async () => {
  const { one, claim, accept } = await restored();
  expect(await previewAsOperator(money.portal, 'finance', 'acceptTds', claim, cause)).toMatchObject({
    payout: 'PROVIDER',
    refund: 63.5,
  });
  expect(await accept()).toMatchObject({ payout: 'PROVIDER', refund: 63.5 });
  await settle();
  expect(await cashOf(one)).toBe(price / 2);
  expect(await receivableOf(one)).toMatchObject([{ amount: 127, unproved: 0 }]);
  await noFaults();
  await byOperator(one);
  await settle();
  expect(await cashOf(one)).toBe(price);
  await noFaults();
});

test.each<[string, (one: Asking & { paymentId: string }) => Promise<unknown>]>([
  ['the customer ends the plan', endOf],
  ['an operator refunds the rest', (one) => byOperator(one)],
  ['an operator refunds a part', (one) => byOperator(one, 300)],
])('before that, %s: no more than came goes back, and the certificate is accepted then', async (_, giveBack) => {
  const { one, accept } = await restored();
  await giveBack(one);
  await settle();
  expect(await cashOf(one)).toBeLessThanOrEqual(price - tenth);
  await noFaults();
  const ofPrice = (await backOf(one)) - tenth / 2;
  await accept();
  await settle();
  expect(await cashOf(one)).toBe(ofPrice);
  expect(await receivableOf(one)).toMatchObject([{ amount: 127, unproved: 0 }]);
  await noFaults();
});

test('a certificate whose refund of the price was lost too is accepted once that was refunded', async () => {
  const { one, accept } = await restored(0);
  await expect(accept()).rejects.toThrow('Razorpay has refunded ₹63.50 of the tax that was withheld from this payment');
  await byOperator(one, 686);
  await settle();
  const ofPrice = (await backOf(one)) - tenth / 2;
  await accept();
  await settle();
  expect(await cashOf(one)).toBe(ofPrice);
  expect(await receivableOf(one)).toMatchObject([{ amount: 127, unproved: 0 }]);
  await noFaults();
});
