import { z } from 'zod';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import type { Call, CallInput } from '#shared/contract/call.ts';
import type { Db } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf, daysBetween } from '#shared/domain/day.ts';
import { checkMandate } from '#server/features/mandates/mandates.ts';
import { workOnRefund } from '#server/features/payments/money-back.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import { sendDebit } from '#server/features/payments/send-debit.ts';
import { reconcileAccount } from '#server/features/payments/transfers.ts';
import { rechargeDue } from '#server/features/recharges/recharges.ts';
import { renewDue } from '#server/features/renewals/renewals.ts';
import type { Portal } from '#server/portal.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { mortalPortal } from './mortal-portal.ts';
import { browserReport, dayMs, type Money, type TestCustomer } from './test-money.ts';
import { businessProfile } from './test-tds.ts';

export const product = 'tax-lookup-api';

const packs = [
  { id: 'extra', name: 'Extra 30000', units: 30_000, price: 99 },
  { id: 'twin', name: 'Twin', units: 20_000, price: 120 },
];
/** A catalogue whose plan Growth has packs, and no day that is too short for what the model uses. */
export const catalogWithRecharges = (fields: Record<string, string> = {}): string =>
  changedCatalog({
    [product]: { 'plans.growth.dailyQuota': '100000', 'plans.growth.packs': JSON.stringify(packs), ...fields },
  });

/** One thing that happens in the life of a plan that renews. What is not possible then is refused, or does nothing. */
export interface Act {
  name: string;
  run: (life: Life) => Promise<unknown>;
}
export const act = (name: string, run: Act['run']): Act => ({ name, run });

export const cause = { actor: 'asha', reason: 'By the model' };

/** What an operator does; a refusal is an answer. */
export async function byOperator(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof OperatorRefusal)) throw error;
  });
}

/** What the model keeps of a customer whose plan renews: the system itself is asked for the rest. */
export interface Life {
  money: Money;
  /** A second process on the same database. */
  other: Portal;
  customer: TestCustomer;
  activationId: string;
  /** First days of periods that the customer has skipped, or removed, by an act of their own. */
  givenUp: Set<Day>;
  /** Days on which a worker looked at what is to be renewed. */
  lookedOn: Set<Day>;
  /** Days on which one looked at units that run out. */
  rechargedOn: Set<Day>;
  /** The packs that the customer agreed to, oldest first. */
  recharges: RechargeConsent[];
  /** The texts of the pay links that were given out. A restore takes none of them back. */
  links: string[];
  /** What a restore brings back. */
  backup?: Backup;
  isRestored?: boolean;
}

/** The pack of one activation, and the most for a month that was ever agreed to with it. */
interface RechargeConsent {
  activationId: string;
  packId: string;
  mostPaise: number;
  from: number;
  until?: number;
}

interface Backup extends Pick<Life, 'activationId' | 'givenUp' | 'lookedOn' | 'rechargedOn' | 'recharges'> {
  database: Awaited<ReturnType<Money['owner']['backUp']>>;
}

export const today = ({ money }: Life): Day => dayOf(money.portal.clock());

/** Both clocks: that of the product, and that of the payment provider. */
export async function move({ money }: Life, days: number): Promise<void> {
  const advanceMs = Math.round(days * dayMs);
  if (advanceMs <= 0) return;
  money.moveClock(advanceMs);
  await money.standin('POST', '/standin/clock', { advanceMs });
}

/** What the model knows of the database. */
const knownOf = ({ activationId, givenUp, lookedOn, rechargedOn, recharges }: Omit<Backup, 'database'>) => ({
  activationId,
  givenUp: new Set(givenUp),
  lookedOn: new Set(lookedOn),
  rechargedOn: new Set(rechargedOn),
  recharges: structuredClone(recharges),
});

/** Of everything at this moment, in place of an earlier one. */
export async function backUp(life: Life): Promise<void> {
  await life.backup?.database.remove();
  life.backup = { ...knownOf(life), database: await life.money.owner.backUp() };
}

/** The provider and time don't go back. */
export async function restore(life: Life): Promise<void> {
  if (!life.backup) return;
  await life.backup.database.restore();
  Object.assign(life, { ...knownOf(life.backup), isRestored: true });
}

/** A call of the customer: done, or refused with a reason. */
export async function attempt<C extends Call>({ money, customer }: Life, call: C, input: CallInput<C>) {
  const response = await money.send(call, input, customer.token);
  if (response.status >= 500) throw new Error(`${call.name} responded with ${response.status}: ${response.text}`);
  return response;
}

export const cyclesOf = ({ money, activationId }: Life) =>
  money.portal.db
    .selectFrom('cycles')
    .selectAll()
    .where('activation_id', '=', activationId)
    .where('adds_to', 'is', null)
    .orderBy('from_date')
    .orderBy('id')
    .execute();

/** The day after which no plan gives access. */
export async function endOf(life: Life): Promise<Day | undefined> {
  const cycles = await cyclesOf(life);
  return cycles
    .filter(({ status }) => accessStatuses.includes(status))
    .map(({ to_date: to }) => to)
    .toSorted()
    .at(-1);
}

export const paymentsOf = ({ money, customer }: Life) =>
  money.portal.db
    .selectFrom('payments')
    .selectAll()
    .where('customer_id', '=', customer.customerId)
    .orderBy('created_at')
    .orderBy('provider_payment_id')
    .execute();

const orderedSchema = z.object({ orderId: z.string(), mandate: z.object({ customerId: z.string() }).nullable() });
export const paidSchema = z.object({ razorpay_payment_id: z.string() });

/** The customer pays for unpaid periods in the checkout; the payment is reported by the page, or only known to the provider. */
export async function payInCheckout(
  life: Life,
  cycleIds: string[],
  how: { consents: boolean; outcome: 'success' | 'pending' | 'failed'; reports: boolean },
  activationId = life.activationId,
): Promise<void> {
  const { money, customer } = life;
  const body = { billingCycleIds: cycleIds, ...(how.consents && { renewal: { pinEachTime: false } }) };
  const response = await attempt(life, createOrderOfPeriods, { params: { activationId }, body });
  if (response.status !== 200) return;
  const { orderId, mandate } = orderedSchema.parse(response.body);
  const consent = mandate && { customer_id: mandate.customerId };
  const paid = paidSchema.safeParse(await money.pay(orderId, { method: 'upi', outcome: how.outcome, ...consent }));
  if (!paid.success || !how.reports) return;
  await money.send(verifyPayment, { body: browserReport(orderId, paid.data.razorpay_payment_id) }, customer.token);
}

const nothingYet = (): Pick<Life, 'givenUp' | 'lookedOn' | 'rechargedOn' | 'recharges'> => ({
  givenUp: new Set(),
  lookedOn: new Set(),
  rechargedOn: new Set(),
  recharges: [],
});

/** A customer whose paid plan renews by a mandate that is in force. */
export async function beginLife(money: Money, other: Portal): Promise<Life> {
  const customer = await money.newCustomer(businessProfile);
  const plan = { params: { id: product, planId: 'growth' } };
  const { activationId, billingCycleId } = await money.ask(activatePlan, plan, customer.token);
  const life: Life = { money, other, customer, activationId, links: [], ...nothingYet() };
  await payInCheckout(life, [billingCycleId ?? ''], { consents: true, outcome: 'success', reports: true });
  await runStep(life, 'mandates', 'once');
  return life;
}

/** In their order: what the bank has answered is known before somebody is told that it has not. */
export const everyStep = [
  'renewals',
  'mandates',
  'orders',
  'recharges',
  'debits',
  'account',
  'refunds',
  'lists',
] as const;
export type StepName = (typeof everyStep)[number];

/** Whose work it is; which rows there are is read by a process that lives on. */
export interface WorkFor {
  db: Db;
  customerId: string;
}

/** What a worker does for a customer, one kind of work at a time. */
export const steps: Record<StepName, (portal: Portal, of: WorkFor) => Promise<void>> = {
  renewals: (portal) => renewDue(portal, unrecorded),
  recharges: (portal) => rechargeDue(portal, unrecorded),
  debits: async (portal, { db, customerId }) => {
    const rows = db
      .selectFrom('mandate_debits')
      .select('order_id')
      .where('customer_id', '=', customerId)
      .where('next_try_at', 'is not', null);
    for (const { order_id: id } of await rows.execute()) await sendDebit(portal, id);
  },
  mandates: async (portal, { db, customerId }) => {
    const rows = db
      .selectFrom('mandates')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('next_check_at', 'is not', null);
    for (const { id } of await rows.execute()) await checkMandate(portal, id);
  },
  orders: async (portal, { db, customerId }) => {
    const rows = db
      .selectFrom('payment_orders')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('next_check_at', 'is not', null);
    for (const { id } of await rows.execute()) await reconcileOrder(portal, id);
  },
  account: async (portal, { db, customerId }) => {
    const rows = db.selectFrom('virtual_accounts').select('id').where('customer_id', '=', customerId);
    for (const { id } of await rows.execute()) await reconcileAccount(portal, id);
  },
  refunds: async (portal, { db, customerId }) => {
    const rows = db
      .selectFrom('refunds')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('status', '<>', 'PROCESSED');
    for (const { id } of await rows.execute()) await workOnRefund(portal, id);
  },
  lists: async (portal) => {
    await pollList(portal, 'refunds');
    await pollList(portal, 'disputes');
  },
};

/** Due work that fails for a reason of the provider's is tried again. */
const isPassing = (error: unknown): boolean => error instanceof ProviderRefusal || error instanceof ProviderUnavailable;

async function tryStep(name: StepName, portal: Portal, { money, customer }: Life): Promise<void> {
  try {
    await steps[name](portal, { db: money.portal.db, customerId: customer.customerId });
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
}

export type Run = 'once' | 'in two processes' | number;

/** A number: killed before its nth statement or request. */
export async function runStep(life: Life, name: StepName, run: Run): Promise<void> {
  if (name === 'renewals' && typeof run !== 'number') life.lookedOn.add(today(life));
  if (name === 'recharges' && typeof run !== 'number') life.rechargedOn.add(today(life));
  await runIn(life, run, (by) => tryStep(name, by, life));
}

/** Work of a portal, as a run says. */
export async function runIn(life: Life, run: Run, work: (by: Portal) => Promise<unknown>): Promise<void> {
  const { portal } = life.money;
  if (run === 'once') return void (await work(portal));
  if (run === 'in two processes') return void (await Promise.all([work(portal), work(life.other)]));
  const mortal = mortalPortal(portal, run);
  try {
    await work(mortal.portal);
  } catch (error) {
    if (!mortal.isDead()) throw error;
  }
}

export const daysTo = (life: Life, day: Day): number => daysBetween(today(life), day);
