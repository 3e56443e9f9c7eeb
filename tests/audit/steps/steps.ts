import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { deleteActivation } from '#shared/contract/activations.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { correctInvoice, listDocuments } from '#shared/contract/documents.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { paise } from '#tests/audit/sums/arithmetic.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import {
  boughtAt,
  order,
  payAtRazorpay,
  paymentOf,
  prepare,
  report,
  settle,
  type Stage,
  type Step,
  orderPeriods,
} from './stage.ts';

const step = (name: string, act: Step['act']): Step => ({ name, act });
const dayMs = 86_400_000;

/** Buys a subscription that starts in some days, and pays for it in the checkout. */
export const buy = (plan: string, { inDays = 0, how = {} }: { inDays?: number; how?: Record<string, unknown> } = {}) =>
  step(`buy ${plan}`, async (stage) => {
    const one = await order(stage, plan, inDays);
    await prepare(stage, one);
    await payAtRazorpay(stage, one, how);
    await report(stage, one);
  });

/** Orders a subscription and opens its checkout, without paying. */
export const orderOnly = (plan: string, inDays = 0) =>
  step(`order ${plan}`, async (stage) => prepare(stage, await order(stage, plan, inDays)));

/** Orders several periods at once and pays for all of them; the last period stands for the payment. */
export const buyPeriods = (plan: string, count: number) =>
  step(`buy ${count} periods of ${plan}`, async (stage) => {
    await orderPeriods(stage, plan, count);
    const one = boughtAt(stage, -1);
    await payAtRazorpay(stage, one);
    await report(stage, one);
  });

/** Adds a plan that costs nothing. */
export const takeFree = (plan: string, inDays = 0) =>
  step(`take ${plan}`, async (stage) => {
    await order(stage, plan, inDays);
    // It costs nothing, so the books do not show it.
    stage.bought.pop();
  });

/** Opens the checkout of an ordered subscription again. */
export const reopen = (which = -1) =>
  step('open the checkout again', (stage) => prepare(stage, boughtAt(stage, which)));

/** Pays at Razorpay; the browser never returns to the portal. */
export const payAway = (how: Record<string, unknown> = {}, which = -1) =>
  step('pay, and never return', (stage) => payAtRazorpay(stage, boughtAt(stage, which), how));

/** The browser returns from the checkout. */
export const returnToPortal = (which = -1, times = 1) =>
  step('return to the portal', async (stage) => {
    for (let time = 0; time < times; time += 1) await report(stage, boughtAt(stage, which));
  });

export const settled = step('wait until everything is settled', (stage) => settle(stage));

/** Lets days pass. */
export const days = (count: number) =>
  step(`${count} days pass`, async (stage) => {
    await settle(stage);
    await stage.world.advance(count * dayMs);
    await settle(stage);
  });
export const minutes = (count: number) => step(`${count} minutes pass`, ({ world }) => world.advance(count * 60_000));

/** Deactivates, cancels or removes a subscription. */
export const end = (which = -1) =>
  step('end the subscription', async (stage) => {
    const { activationId, customer } = stage;
    await customer.send(endCycle, { params: { activationId, billingCycleId: boughtAt(stage, which).cycleId } });
  });

export const deleteAll = step('delete the activation', async ({ customer, activationId }) => {
  await customer.send(deleteActivation, { params: { activationId } });
});

/** The customer changes the business profile. */
export const become = (buyer: Buyer) =>
  step('change the business profile', ({ customer }) => giveProfile(customer, buyer.profile));

/** Corrects the newest invoice to the current business profile. */
export const correct = step('correct the invoice', async ({ customer }) => {
  const { documents } = await customer.send(listDocuments, {});
  const invoice = documents.find(({ kind }) => kind === 'INVOICE');
  if (invoice === undefined) throw new Error('there is no invoice to correct');
  await customer.send(correctInvoice, { params: { documentId: invoice.id } });
});

/** A step that must be refused with an error code. */
export const refused = (code: string, inner: Step) =>
  step(`${inner.name}: refused`, async (stage) => {
    const failure = await inner.act(stage).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failure === undefined) throw new Error(`"${inner.name}" was not refused`);
    if (!failure.includes(`"${code}"`)) throw new Error(`"${inner.name}" was refused with another error: ${failure}`);
  });

/** Sets how the stand-in for Razorpay behaves; what is left out works normally. */
export const razorpayIs = (behaviour: object) =>
  step('Razorpay changes', async ({ world }) => void (await world.razorpay('PUT', '/standin/behaviour', behaviour)));
/** Sets how the stand-in for the GST systems behaves. */
export const gstnIs = (behaviour: object) =>
  step('the GST systems change', async ({ world }) => void (await world.gstn('PUT', '/standin/behaviour', behaviour)));

const post =
  (path: (stage: Stage) => string, body: object = {}) =>
  (stage: Stage) =>
    stage.world.razorpay('POST', path(stage), body);

/** The bank authorises a payment late, by default the latest one, and Razorpay captures it. */
export const authorizeLate = (which = -1, payment = -1) =>
  step('the bank authorises late', async (stage) => {
    await post((on) => `/standin/payments/${paymentOf(on, which, payment)}/authorize`)(stage);
  });

/** A refund on Razorpay's dashboard, of an amount in rupees or of all that is left. */
export const refundAtRazorpay = (rupees?: number, which = -1) =>
  step('refund at Razorpay', async (stage) => {
    const body = rupees === undefined ? {} : { amount: paise(rupees) };
    await post((on) => `/standin/payments/${paymentOf(on, which)}/refund`, body)(stage);
  });

const withId = z.object({ id: z.string() });
const disputes = z.object({ items: z.array(withId) });

/** The customer's bank disputes the payment. */
export const dispute = (rupees?: number, which = -1) =>
  step('open a dispute', async (stage) => {
    const body = rupees === undefined ? {} : { amount: paise(rupees) };
    await post((on) => `/standin/payments/${paymentOf(on, which)}/dispute`, body)(stage);
  });

/** The newest dispute moves on. */
export const disputeIs = (status: 'under_review' | 'won' | 'lost' | 'closed') =>
  step(`the dispute is ${status}`, async ({ world }) => {
    const { id, secret } = world.razorpayKeys;
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const found = await fetch(`${world.place.razorpayUrl}/v1/disputes`, { headers: { authorization } });
    const [newest] = disputes.parse(await found.json()).items;
    await world.razorpay('POST', `/standin/disputes/${newest?.id ?? ''}/${status}`, {});
  });

/** Completes or fails the newest refund that is pending at Razorpay. */
export const refundIs = (outcome: 'process' | 'fail') =>
  step(`the refund: ${outcome}`, async ({ world }) => {
    const about = z.object({ refunds: z.array(withId.extend({ status: z.string() })) });
    const { refunds } = about.parse(await world.razorpay('GET', '/standin/about'));
    const pending = refunds.findLast(({ status }) => status === 'pending');
    await world.razorpay('POST', `/standin/refunds/${pending?.id ?? ''}/${outcome}`, {});
  });

/** Razorpay delivers its webhooks again. */
export const replay = (options: object) =>
  step(
    'webhooks come again',
    async ({ world }) => void (await world.razorpay('POST', '/standin/webhooks/replay', options)),
  );

/** A day at the machine's own pace, in which the portal polls Razorpay's lists of refunds and disputes. */
export const pollLists = step('the portal reads Razorpay’s lists', async (stage) => {
  await stage.world.rows(z.unknown(), 'update provider_looks set next_look_at = now()');
  await sleep(1500);
  await settle(stage);
});

export const killPortal = step('kill -9 the portal', ({ world }) => world.killPortal());
export const restartDatabase = step('PostgreSQL crashes and restarts', ({ world }) => world.restartDatabase());

/** Steps at the same time. */
export const together = (...steps: Step[]) =>
  step(steps.map(({ name }) => name).join(' and '), async (stage) => {
    await Promise.allSettled(steps.map((one) => one.act(stage)));
  });
