import { z } from 'zod';
import { endCycle } from '#shared/contract/cycles.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { skipRenewal } from '#shared/contract/renewals.ts';
import { boughtAt, order, payAtRazorpay, prepare, report, settle, type Stage, type Step } from './stage.ts';
import { razorpayIs } from './steps.ts';

const step = (name: string, act: Step['act']): Step => ({ name, act });
const hourMs = 3_600_000;

const countRow = z.object({ waiting: z.number() });
/** What the portal does soon by itself with mandates and debits. */
const waitingWork = `
  select (select count(*) from mandates where next_check_at < now() + interval '3 seconds' or state = 'ASKED')::int
       + (select count(*) from mandate_debits where next_try_at < now() + interval '3 seconds')::int as waiting`;

/** Waits until nothing of a renewal is due. */
async function rest(stage: Stage): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let waiting = 1; waiting > 0;) {
    if (Date.now() > deadline) throw new Error('the portal did not finish its work on mandates');
    await settle(stage);
    waiting = (await stage.world.rows(countRow, waitingWork))[0]?.waiting ?? 0;
  }
}

/** Time passes, and what is due is done before and after. */
export async function pass(stage: Stage, hours: number): Promise<void> {
  await rest(stage);
  await stage.world.advance(hours * hourMs);
  await rest(stage);
}

/** Buys a plan by UPI that renews from then on. */
export const buyRenewing = (plan: string) =>
  step(`buy ${plan}, which renews`, async (stage) => {
    const one = await order(stage, plan, 0);
    const body = { billingCycleIds: [one.cycleId], renewal: { pinEachTime: false } };
    const params = { activationId: stage.activationId };
    const { orderId, mandate } = await stage.customer.send(createOrderOfPeriods, { params, body });
    one.orderId = orderId;
    await payAtRazorpay(stage, one, { method: 'upi', customer_id: mandate?.customerId });
    await report(stage, one);
    await rest(stage);
  });

/** Until a day on which something of a renewal may happen, counted from the purchase: each day by itself from the fifth before the end on. */
export const untilDay = (day: number, of = 30) =>
  step(`until day ${day}`, async (stage) => {
    const { from } = await startOf(stage);
    for (;;) {
      const passed = (Date.parse(await stage.world.today()) - Date.parse(from)) / (24 * hourMs);
      if (passed >= day) return;
      await pass(stage, 24 * Math.max(1, Math.min(day, of - 6) - passed));
    }
  });

const startRow = z.object({ from: z.string() });
async function startOf({ world, bought }: Stage) {
  const text = `select to_char(from_date, 'YYYY-MM-DD') as from from cycles where id = $1`;
  const [row] = await world.rows(startRow, text, [bought[0]?.cycleId]);
  if (!row) throw new Error('nothing was bought');
  return row;
}

/** The bank answers 25 hours after it was asked. */
export const bankAnswers = step('the bank answers', async (stage) => {
  await pass(stage, 24);
  await pass(stage, 2);
});

export const debitsWill = (...nextDebits: string[]) => razorpayIs({ mandates: { nextDebits, retries: 0 } });

/** The customer skips the next debit. */
export const skip = step('skip the next debit', async ({ customer, activationId }) => {
  await customer.send(skipRenewal, { params: { activationId }, body: { isSkipped: true } });
});

const tokensSchema = z.array(z.object({ id: z.string() }));
/** In the UPI app. */
export const endInApp = step('end the mandate in the UPI app', async (stage) => {
  const [token] = tokensSchema.parse(await stage.world.razorpay('GET', '/standin/tokens'));
  await stage.world.razorpay('POST', `/standin/tokens/${token?.id ?? ''}/cancel`, {});
  await rest(stage);
});

const debitsSchema = z.array(z.object({ id: z.string() }));
/** The newest debit, which the bank was asked for, is taken after all. */
export const bankPaysLate = step('the bank pays after all', async (stage) => {
  const text = `select payment_id as id from mandate_debits where payment_id is not null order by asked_at desc limit 1`;
  const [debit] = debitsSchema.parse(await stage.world.rows(z.unknown(), text));
  await stage.world.razorpay('POST', `/standin/payments/${debit?.id ?? ''}/authorize`, {});
  await rest(stage);
});

const cycleRow = z.object({ id: z.string() });
/** The customer pays in the checkout for the period that the bank was to pay for. */
export const payByHand = step('pay for the next period by hand', async (stage) => {
  const text = `select id from cycles where activation_id = $1 and status = 'PAYMENT_PENDING'`;
  const [next] = await stage.world.rows(cycleRow, text, [stage.activationId]);
  stage.bought.push({ cycleId: next?.id ?? '', orderId: '', payments: [] });
  const one = boughtAt(stage, -1);
  await prepare(stage, one);
  await payAtRazorpay(stage, one);
  await report(stage, one);
});

/** The customer cancels the period that a debit has paid, before it begins. */
export const cancelNext = step('cancel the next period', async (stage) => {
  const { activationId, customer, world } = stage;
  const text = `select id from cycles where activation_id = $1 and status = 'PAID' order by from_date desc limit 1`;
  const [next] = await world.rows(cycleRow, text, [activationId]);
  await customer.send(endCycle, { params: { activationId, billingCycleId: next?.id ?? '' } });
});
