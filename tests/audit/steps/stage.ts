import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { createOrder, createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { giveProfile, type PortalCustomer, signInCustomer } from '#ship/demo/portal-customer.ts';
import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import type { Buyer, Scenario as AnyScenario, Step as AnyStep } from '#tests/audit/sums/scenario.ts';
import type { World } from '#tests/audit/world/world.ts';

/** A subscription that the customer ordered, and the payments made for it, oldest first. */
interface Bought {
  cycleId: string;
  orderId: string;
  payments: { id: string; signature: string | undefined }[];
}

/** A customer in a world, with everything that the steps have done so far. */
export interface Stage {
  world: World;
  customer: PortalCustomer;
  activationId: string;
  /** In the order in which they were ordered. */
  bought: Bought[];
}

export type Step = AnyStep<Stage>;
export type Scenario = AnyScenario<Stage>;

const productId = 'invoicing-system';

/** Signs a customer in, with the business profile of a buyer and an activation without a plan. */
export async function openStage(world: World, buyer: Buyer): Promise<Stage> {
  const claims = { sub: 'audit-1', name: 'Kaveri Traders', email: 'kaveri@example.com' };
  const customer = await signInCustomer(world.place, { claims });
  await giveProfile(customer, buyer.profile);
  return { world, customer, bought: [], activationId: await activate(customer) };
}

/** Activates the product and ends the trial, which would cover the days that the steps buy. */
async function activate(customer: PortalCustomer): Promise<string> {
  const started = await customer.send(activateProduct, { params: { id: productId } });
  const { activationId, billingCycleId = '' } = started;
  await customer.send(endCycle, { params: { activationId, billingCycleId } });
  return activationId;
}

/** Orders a subscription without paying for it. */
export async function order(stage: Stage, planId: string, inDays: number): Promise<Bought> {
  const { world, customer, activationId } = stage;
  const startDate = daysAfter(await world.today(), inDays);
  const added = await customer.send(addCycle, { params: { activationId, planId }, body: { startDate } });
  const one: Bought = { cycleId: added.billingCycleId ?? '', orderId: '', payments: [] };
  stage.bought.push(one);
  return one;
}

/** Orders several periods of a plan that follow one another, and opens one checkout for all of them. */
export async function orderPeriods(stage: Stage, planId: string, periods: number): Promise<void> {
  const { world, customer, activationId } = stage;
  const body = { startDate: await world.today(), periods };
  const { billingCycleIds = [] } = await customer.send(addCycle, { params: { activationId, planId }, body });
  const { orderId } = await customer.send(createOrderOfPeriods, {
    params: { activationId },
    body: { billingCycleIds },
  });
  stage.bought.push(...billingCycleIds.map((cycleId) => ({ cycleId, orderId, payments: [] })));
}

/** Creates the payment order, or gets the one that exists. */
export async function prepare(stage: Stage, one: Bought): Promise<void> {
  one.orderId = (await stage.customer.send(createOrder, { params: { id: one.cycleId } })).orderId;
}

const paidSchema = z.object({ razorpay_payment_id: z.string(), razorpay_signature: z.string().optional() });
const failedSchema = z.object({ error: z.object({ metadata: z.object({ payment_id: z.string() }) }) });

/** Pays an order at Razorpay; the portal is not told. */
export async function payAtRazorpay(stage: Stage, one: Bought, how: Record<string, unknown> = {}): Promise<void> {
  const response = await stage.customer.payOrder(one.orderId, how);
  const body: unknown = await response.json();
  const failed = failedSchema.safeParse(body);
  if (failed.success) one.payments.push({ id: failed.data.error.metadata.payment_id, signature: undefined });
  else {
    const paid = paidSchema.parse(body);
    one.payments.push({ id: paid.razorpay_payment_id, signature: paid.razorpay_signature });
  }
}

/** Reports the latest payment to the portal, as the browser does after the checkout. */
export async function report(stage: Stage, one: Bought): Promise<void> {
  const payment = one.payments.at(-1);
  if (payment?.signature === undefined) throw new Error(`no payment of ${one.cycleId} succeeded`);
  const body = { paymentId: payment.id, orderId: one.orderId, signature: payment.signature };
  await stage.customer.send(verifyPayment, { body });
}

export function boughtAt(stage: Stage, index: number): Bought {
  const one = stage.bought.at(index);
  if (one === undefined) throw new Error(`the scenario has bought no subscription number ${index}`);
  return one;
}

/** The id of a payment of a subscription; the latest one unless told otherwise. */
export function paymentOf(stage: Stage, index: number, which = -1): string {
  const payment = boughtAt(stage, index).payments.at(which);
  if (payment === undefined) throw new Error(`subscription number ${index} has no payment`);
  return payment.id;
}

const countRow = z.object({ waiting: z.number() });
/** Everything that the portal does soon by itself: webhooks that it received, refunds that it can still make, first questions about orders. */
const waitingWork = `
  select (select count(*) from webhook_inbox where next_try_at is not null)::int
       + (select count(*) from refunds where status <> 'PROCESSED' and next_try_at < now() + interval '3 seconds')::int
       + (select count(*) from payment_orders where status <> 'PAID' and checks = 0 and next_check_at is not null)::int as waiting`;
const deliverySchema = z.array(z.object({ status: z.string(), lastAnswer: z.string().nullable() }));

/** A webhook with a wrong signature is refused however often Razorpay repeats it. */
const isDone = ({ status, lastAnswer }: { status: string; lastAnswer: string | null }) =>
  status !== 'pending' || lastAnswer === '401';

/** Waits until Razorpay has delivered its webhooks and the portal has acted on them. */
export async function settle({ world }: Stage, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  let quiet = 0;
  while (quiet < 3) {
    if (Date.now() > deadline) throw new Error('the portal did not finish its work');
    const deliveries = deliverySchema.parse(await world.razorpay('GET', '/standin/webhooks'));
    const [row] = await world.rows(countRow, waitingWork);
    const isQuiet = row?.waiting === 0 && deliveries.every(isDone);
    quiet = isQuiet ? quiet + 1 : 0;
    await sleep(100);
  }
}
