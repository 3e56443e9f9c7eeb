import { findPlan, type Product, termsOf } from '#catalog/catalog.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type CycleDates, cycleFrom, datesWhenPaid, overlaps, periodsFrom } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { maxUnpaid } from '#shared/domain/payment.ts';
import { costsNothing } from '#shared/domain/plan.ts';
import { priceOf } from '#shared/domain/price.ts';
import { happened } from '#server/features/events/events.ts';
import { type Issuer, readBuyer } from '#server/features/documents/documents.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { describeCycle, inReadingOrder, readShown } from './describe-cycle.ts';
import { productFor } from './offered-plans.ts';
import { type PackCycle, packDates } from './packs.ts';
import { endForSwitch, type SwitchingCycle } from './switch-plan.ts';
import { countUnpaid, insertCycle, selectCycles, selectTakenDays, updateCyclePaid } from './store.ts';
import { selectPlanUsed, selectTrialUsed } from './used-plans.ts';

export { endCycle, endCyclesOf, endForCause, previewEnd, readEnding } from './end-cycle.ts';
export { endingPlans } from './ending-plans.ts';
export { type GrantPlan, grantCycle, planGrant } from './grant-cycle.ts';
export { type NextPlan, nextPlan, selectLastCycles, selectUnpaidOn, selectUnpaidOver } from './next-plan.ts';
export { productFor } from './offered-plans.ts';
export { removeLatePacks } from './late-packs.ts';
export { findPaidPack, givenBackOf, type PackEnd, packsEnding } from './paid-packs.ts';
export { buyPack, isPackLate, isPackOfStopped, isPaymentUnderWay, orderPack, packsFor, waitingPack } from './packs.ts';
export { isSwitchBlocked, readSwitch, switchPlan } from './switch-plan.ts';
export { returnUnitsBeforeSwitch, returnUnusedUnits } from './unused-units.ts';
export { describeCycle, isUnderWay, readShown } from './describe-cycle.ts';
export { isOnSale, requireOnSale } from './on-sale.ts';
export { priceDue, priceFor, splitFor } from './price-due.ts';
export {
  type CycleRecord,
  type CycleRow,
  selectCycle,
  selectCycles as listCycleRecords,
  selectCyclesAndPacks as listCyclesAndPacks,
  selectTakenDays,
  updateCyclePrice,
} from './store.ts';

/** The result of adding a plan: its cycle, and whether it must be paid first. */
export interface NewCycle {
  billingCycleId: string;
  status: 'pending' | 'success';
}

/** The cycles of one activation or of all activations of a customer, in reading order. */
export async function listCycles(
  portal: Portal,
  owner: Owner,
  today: Day,
  activationId?: string,
): Promise<Map<string, Cycle[]>> {
  const shown = await readShown(portal, owner, today);
  const records = inReadingOrder(await selectCycles(owner, portal.db, activationId), today);
  const byActivation = groupBy(records, (record) => record.activation_id);
  return new Map([...byActivation].map(([id, list]) => [id, list.map((record) => describeCycle(shown, record))]));
}

/** Adds a cycle that starts on a day: a free one gives access, others wait for their payment (product §4.4). Requires the activation's lock. */
export async function createCycle(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  asked: { activationId: string; product: Product; planId: string; startDate: Day },
): Promise<NewCycle> {
  const { tx } = change;
  const now = portal.clock();
  const found = findPlan(await productFor(tx, owner, asked.product), asked.planId);
  if (!found) throw refuse('not_found');
  const plan = termsOf(found, asked.startDate);
  if (asked.startDate < dayOf(now)) throw refuse('start_date_past');
  const dates = cycleFrom(asked.startDate, plan.maxDays);
  const taken = await selectTakenDays(owner, tx, asked.activationId);
  if (taken.some((cycle) => overlaps(cycle, dates))) throw refuse('days_taken');
  if (plan.tenure === 'TRIAL' && (await selectTrialUsed(owner, tx, asked.product.id))) throw refuse('trial_used');
  const free = costsNothing(plan);
  if (!free && (await countUnpaid(owner, tx, asked.activationId)) >= maxUnpaid) throw refuse('too_many_unpaid');
  const billingCycleId = await insertCycle(owner, change, {
    activationId: asked.activationId,
    serviceId: asked.product.id,
    status: free ? 'NO_PAYMENT_REQUIRED' : 'PAYMENT_PENDING',
    dates,
    plan,
    pricePaise: priceOf(plan, (await readBuyer(portal, owner, tx)).isZeroRatedOn(asked.startDate)).totalPaise,
    now: new Date(now),
  });
  if (free && dates.fromDate === dayOf(now)) {
    await happened(portal, owner, tx, { type: 'cycle.activated', cycleId: billingCycleId });
  }
  return { billingCycleId, status: free ? 'success' : 'pending' };
}

/** Adds a plan to an existing activation (product §4.8, Add Subscription). */
export async function addCycle(
  portal: Portal,
  owner: Owner,
  activationId: string,
  planId: string,
  startDate: Day,
): Promise<NewCycle & { effectiveBy: string | null }> {
  const { billingCycleIds: _one, ...added } = await addCycles(portal, owner, {
    activationId,
    planId,
    startDate,
    periods: 1,
  });
  return added;
}

/** The same for several periods that follow one another: all of them or none (product §4.18). */
export async function addCycles(
  portal: Portal,
  owner: Owner,
  asked: { activationId: string; planId: string; startDate: Day; periods: number },
): Promise<NewCycle & { billingCycleIds: string[]; effectiveBy: string | null }> {
  const { activationId, planId, periods } = asked;
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const activation = await lockActivation(owner, change.tx, activationId);
      const product = activation && (await catalogForSale(portal, change.tx)).find(activation.service_id);
      const plan = product && findPlan(await productFor(change.tx, owner, product), planId);
      if (!product || !plan) throw refuse('not_found');
      if (periods > 1 && costsNothing(plan)) throw refuse('one_period_only');
      const first = await createCycle(portal, owner, change, { ...asked, product });
      const billingCycleIds = [first.billingCycleId];
      for (const { fromDate: startDate } of periodsFrom(asked.startDate, plan.maxDays, periods).slice(1)) {
        const next = await createCycle(portal, owner, change, { activationId, product, planId, startDate });
        billingCycleIds.push(next.billingCycleId);
      }
      return { ...first, billingCycleIds };
    }),
  );
  return { ...result, effectiveBy };
}

/** The plan for 'Activate Now': the first that the customer has not used, trial before free (product §4.4). */
export async function firstFreePlan(owner: Owner, tx: Db | Tx, product: Product): Promise<string | undefined> {
  const free = (await productFor(tx, owner, product)).plans.filter(costsNothing);
  for (const plan of [
    ...free.filter((each) => each.tenure === 'TRIAL'),
    ...free.filter((each) => each.tenure !== 'TRIAL'),
  ]) {
    const used =
      plan.tenure === 'TRIAL'
        ? await selectTrialUsed(owner, tx, product.id)
        : await selectPlanUsed(owner, tx, product.id, plan.planId);
    if (!used) return plan.planId;
  }
  return undefined;
}

/**
 * Marks a cycle as paid, on its own days if they are free and not past, else on the next free days (product §4.14); a pack starts
 * today and ends with its cycle (product §4.23); a switch
 * starts today and ends the plan that it replaces (product §4.21). Requires the activation's lock. Returns the days that it covers.
 */
export async function markCyclePaid(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  cycle: SwitchingCycle & PackCycle,
): Promise<CycleDates> {
  const now = portal.clock();
  if (cycle.adds_to !== null) {
    const dates = await packDates(portal, owner, change.tx, cycle);
    if (!dates) throw new Error(`the pack ${cycle.id} was paid although its cycle has ended`);
    await updateCyclePaid(owner, change, cycle, dates, new Date(now));
    return dates;
  }
  if (cycle.replaces !== null) {
    const dates = await endForSwitch(portal, owner, change, cycle, new Date(now));
    await updateCyclePaid(owner, change, cycle, dates, new Date(now));
    return dates;
  }
  const taken = await selectTakenDays(owner, change.tx, cycle.activation_id);
  const dates = datesWhenPaid({ fromDate: cycle.from_date, toDate: cycle.to_date }, dayOf(now), taken);
  await updateCyclePaid(owner, change, cycle, dates, new Date(now));
  return dates;
}
