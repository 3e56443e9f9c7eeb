import { findPlan, type Product, termsOf } from '#catalog/catalog.ts';
import type { PlanSwitchPreview } from '#shared/contract/cycles.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type CycleDates, cycleFrom, grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { offsetOfEnd, refundOfEnd, transferOfEnd, withheldOfEnd } from '#shared/domain/cycle-end.ts';
import { type Day, dayOf, laterDay, daysBetween } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { costsNothing, type PlanTerms } from '#shared/domain/plan.ts';
import { type Price, priceOf } from '#shared/domain/price.ts';
import { planSwitch } from '#shared/domain/switch-plan.ts';
import { happened } from '#server/features/events/events.ts';
import { type Issuer, readBuyer } from '#server/features/documents/documents.ts';
import { isDebitInTheWay, switchEffect } from '#server/features/mandates/mandates.ts';
import { lockActivation, requireActivation } from '#server/features/ownership/ownership.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { productFor } from './offered-plans.ts';
import { isUnderWay } from './describe-cycle.ts';
import { endForCause, previewEnd } from './end-cycle.ts';
import { type CycleRecord, type CycleRow, insertCycle, selectCycles } from './store.ts';
import { returnUnusedUnits } from './unused-units.ts';
import { selectTrialUsed } from './used-plans.ts';

/** What a switch would do today, or the refusal that says why it cannot be made. */
interface Asked {
  running: CycleRecord;
  plan: PlanTerms;
  price: Price;
  /** An earlier switch of this plan that was not paid; a new one takes its place. */
  earlier: CycleRecord | undefined;
  today: Day;
}

/** What a switch to a plan would end, lose, refund and cost today (product §4.21). */
export async function readSwitch(
  portal: Portal,
  owner: Owner,
  activationId: string,
  planId: string,
): Promise<PlanSwitchPreview> {
  await requireActivation(owner, portal.db, activationId);
  await returnUnusedUnits(portal.db, owner, activationId);
  const { running, plan, price, today } = await readAsked(portal, owner, portal.db, activationId, planId);
  const ended = previewEnd(running, today);
  if (!ended) throw refuse('no_plan_running');
  return {
    replaces: { billingCycleId: running.id, planName: running.plan.name, toDate: running.to_date },
    unusedDays: ended.unusedDays,
    unusedAmount: rupees(ended.unusedPaise),
    refundAmount: rupees(refundOfEnd(ended)),
    transferAmount: rupees(transferOfEnd(ended)),
    offsetAmount: rupees(offsetOfEnd(ended)),
    withheldAmount: rupees(withheldOfEnd(ended)),
    planName: plan.name,
    ...cycleFrom(today, plan.maxDays),
    total: rupees(price.totalPaise),
    taxableValue: rupees(price.taxablePaise),
    gst: rupees(price.gstPaise),
    ...(await switchEffect(owner, portal.db, running, { ...cycleFrom(today, plan.maxDays), planId: plan.planId })),
  };
}

/**
 * Switches to another plan (product §4.21). A free one starts at once; another waits for its payment, and until then the
 * running plan stays as it is.
 */
export async function switchPlan(portal: Portal, owner: Owner, activationId: string, planId: string) {
  await returnUnusedUnits(portal.db, owner, activationId);
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      if (!(await lockActivation(owner, change.tx, activationId))) throw refuse('not_found');
      const catalog = await catalogForSale(portal, change.tx);
      const asked = await readAsked({ ...portal, catalog }, owner, change.tx, activationId, planId);
      return makeSwitch(portal, owner, change, asked);
    }),
  );
  return { ...result, activationId, effectiveBy };
}

async function readAsked(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  planId: string,
): Promise<Asked> {
  const today = dayOf(portal.clock());
  const records = await selectCycles(owner, db, activationId);
  const granting = records.filter(({ status }) => grantsAccess(status));
  const running = granting.find((record) => phaseOf(datesOf(record), today) === 'running');
  if (!running) throw refuse('no_plan_running');
  const product = portal.catalog.find(running.service_id);
  const found = product && findPlan(await productFor(db, owner, product), planId);
  if (!product || !found) throw refuse('not_found');
  const plan = termsOf(found, today);
  // A free plan has nothing to renew: its quota belongs to customer and product (product §7.3).
  if (costsNothing(plan) && running.plan.planId === plan.planId) throw refuse('plan_runs_already');
  await refuseUsedTrial(owner, db, product, plan);
  const others = granting.filter((record) => record.id !== running.id).map(datesOf);
  const replaced = { ...datesOf(running), status: running.status };
  if (!planSwitch(plan.maxDays, replaced, others, today)) throw refuse('prepaid_in_the_way');
  // A debit that the bank may pay would be stored behind the new plan.
  if (await isDebitInTheWay(db, activationId, [cycleFrom(today, plan.maxDays)], portal.clock()))
    throw refuse('payment_under_way');
  const earlier = records.find(({ replaces, status }) => replaces === running.id && status === 'PAYMENT_PENDING');
  // Its payment may still arrive, and would then be refunded.
  if (earlier?.payments.some(isUnderWay)) throw refuse('payment_under_way');
  return {
    running,
    plan,
    price: priceOf(plan, (await readBuyer(portal, owner, db)).isZeroRatedOn(today)),
    earlier,
    today,
  };
}

async function refuseUsedTrial(owner: Owner, db: Db | Tx, product: Product, plan: PlanTerms): Promise<void> {
  if (plan.tenure === 'TRIAL' && (await selectTrialUsed(owner, db, product.id))) throw refuse('trial_used');
}

/** Requires the activation's lock. */
async function makeSwitch(portal: Portal, owner: Owner, change: AccessChange, asked: Asked) {
  const { running, plan, price, earlier, today } = asked;
  const { tx } = change;
  const now = new Date(portal.clock());
  const free = costsNothing(plan);
  if (earlier) await endForCause(portal, owner, change, earlier, 'replaced', now);
  if (free) await endForCause(portal, owner, change, running, 'replaced', now);
  const billingCycleId = await insertCycle(owner, change, {
    activationId: running.activation_id,
    serviceId: running.service_id,
    status: free ? 'NO_PAYMENT_REQUIRED' : 'PAYMENT_PENDING',
    dates: cycleFrom(today, plan.maxDays),
    plan,
    pricePaise: price.totalPaise,
    replaces: running.id,
    now,
  });
  if (free) await happened(portal, owner, tx, { type: 'cycle.activated', cycleId: billingCycleId });
  return { status: free ? ('success' as const) : ('pending' as const), billingCycleId };
}

const datesOf = ({ from_date: fromDate, to_date: toDate }: CycleRow) => ({ fromDate, toDate });

/** What the payment of a switch does today; undefined when another plan covers its days. Requires the activation's lock. */
async function paidSwitch(portal: Issuer, owner: Owner, tx: Tx, cycle: SwitchingCycle) {
  const records = await selectCycles(owner, tx, cycle.activation_id);
  const replaced = records.find(({ id }) => id === cycle.replaces);
  if (!replaced) throw new Error(`cycle ${cycle.id} replaces ${cycle.replaces}, which is not there`);
  const others = records.filter(({ id, status }) => id !== replaced.id && grantsAccess(status)).map(datesOf);
  const facts = { ...datesOf(replaced), status: replaced.status };
  // Its first day is that of its order: should the clock have gone back since, it still does not start before.
  const today = laterDay(dayOf(portal.clock()), cycle.from_date);
  const made = planSwitch(daysBetween(cycle.from_date, cycle.to_date), facts, others, today);
  return made && { ...made, replaced };
}

/** A cycle as its payment finds it. */
export type SwitchingCycle = Pick<CycleRow, 'id' | 'activation_id' | 'from_date' | 'to_date' | 'replaces'>;

/** Is this a switch that cannot start today, so that its payment is refunded? */
export async function isSwitchBlocked(portal: Issuer, owner: Owner, tx: Tx, cycle: SwitchingCycle): Promise<boolean> {
  return cycle.replaces !== null && (await paidSwitch(portal, owner, tx, cycle)) === undefined;
}

/** Ends the plan that a paid switch replaces, and returns the days of the new one. Requires the activation's lock. */
export async function endForSwitch(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  cycle: SwitchingCycle,
  now: Date,
): Promise<CycleDates> {
  const made = await paidSwitch(portal, owner, change.tx, cycle);
  if (!made) throw new Error(`the switch ${cycle.id} was paid although its days are taken`);
  if (made.endsReplaced) await endForCause(portal, owner, change, made.replaced, 'replaced', now);
  return made.dates;
}
