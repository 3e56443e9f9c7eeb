import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { dayOf } from '#shared/domain/day.ts';
import { grantedTerms } from '#shared/domain/granted-plan.ts';
import { pricingPlan, usableUnits, worthOf } from '#shared/domain/listed-worth.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { type GrantPlan, grantCycle, listCycleRecords, planGrant } from '#server/features/cycles/cycles.ts';
import { givenDaysEffect } from '#server/features/mandates/mandates.ts';
import { lockActivation, lockCustomer } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { requireGrantable } from './grants.ts';

/** Days that are added to a plan; what `extendCycle` replies. */
type Extension = OperatorReply<'extendCycle'>;

/** What extending a plan would do; throws OperatorRefusal when it can't be extended. */
export async function previewExtension(context: OperatorContext, cycleId: string, days: number): Promise<Extension> {
  return (await prepare(context, context.db, cycleId, days)).preview;
}

/**
 * Gives a plan some days more (product §4.27). What was sold never changes, so they are a granted plan with the same terms that begins where it
 * ends: no price, no document, no revenue, and the quota of the terms for themselves. Every gateway knows it when this returns.
 */
export async function extendCycle(
  context: OperatorContext,
  sought: string,
  days: number,
  cause: OperatorCause,
): Promise<Extension> {
  const reason = cause.reason.trim();
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const now = new Date(context.clock());
    const today = dayOf(now.getTime());
    const { preview: before } = await prepare(context, tx, sought, days);
    const { customerId, activationId, productId: serviceId } = before;
    const owner = { customerId };
    // In the order of grants.
    await lockActivation(owner, tx, activationId);
    await lockCustomer(owner, tx);
    const { preview, terms, made } = await prepare(context, tx, sought, days);
    const grant = { activationId, serviceId, terms, made, reason, today, now };
    const extensionId = await grantCycle(context, owner, change, grant);
    const { cycleId, fromDate, toDate, dailyQuota, monthlyQuota } = preview;
    const effect = { extends: cycleId, activationId, fromDate, toDate, dailyQuota, monthlyQuota };
    const paise = toPaise(preview.worth);
    await recordAction(tx, {
      ...cause,
      reason,
      action: 'plans.extend',
      target: extensionId,
      customerId,
      effect,
      paise,
    });
    return { ...preview, extensionId };
  });
  return { ...result, effectiveBy };
}

interface Ready {
  preview: Extension;
  terms: PlanTerms;
  made: GrantPlan;
}

async function prepare({ catalog, clock }: OperatorContext, db: Db | Tx, sought: string, days: number): Promise<Ready> {
  const today = dayOf(clock());
  const id = sought.trim();
  const found = await db
    .selectFrom('cycles')
    .select(['customer_id', 'activation_id', 'adds_to'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw new OperatorRefusal(`There is no plan ${sought}. Find it with: octroi customers show`, 'not_found');
  if (found.adds_to !== null) throw new OperatorRefusal(`${id} is a pack of ${found.adds_to}: name that plan.`);
  const { customer_id: customerId, activation_id: activationId } = found;
  await requireGrantable(db, customerId, days);
  const owner = { customerId };
  const cycle = (await listCycleRecords(owner, db, activationId)).find((each) => each.id === id);
  if (!cycle) throw new Error(`${id} is not among the plans of ${activationId}`);
  const from = cycle.to_date;
  if (cycle.status === 'PAYMENT_PENDING') throw new OperatorRefusal(`${id} is not paid: nothing of it can go on.`);
  if (!grantsAccess(cycle.status) || phaseOf({ fromDate: cycle.from_date, toDate: from }, today) === 'over')
    throw new OperatorRefusal(`${id} has ended. Grant its plan again: octroi grant ${customerId}`);
  const made = await planGrant(owner, db, activationId, { from, days, today });
  if (made.inTheWay)
    throw new OperatorRefusal(
      `${made.inTheWay.plan.name} (${made.inTheWay.id}) follows from ${made.inTheWay.from_date} on, and what was sold never moves. Extend that one: octroi extend ${made.inTheWay.id}`,
    );
  // What was sold with it, also where its terms are of before they named that.
  const { daily_quota: dailyQuota, monthly_quota: monthlyQuota, rps } = cycle;
  const terms = grantedTerms({ ...cycle.plan, dailyQuota, monthlyQuota, rps }, days);
  const { service_id: productId } = cycle;
  const sold = { ...cycle.plan, dailyQuota, monthlyQuota };
  const priced = pricingPlan(sold, catalog.find(productId)?.plans ?? []);
  const worth = rupees(worthOf(usableUnits(sold, days), priced));
  const quotas = { dailyQuota, monthlyQuota, rps, worth };
  const ids = { cycleId: id, customerId, activationId, productId, planName: cycle.plan.name };
  const effect = await givenDaysEffect(owner, db, activationId, made.dates, clock());
  return {
    preview: { ...ids, ...made.dates, ...quotas, ...effect, extensionId: null, effectiveBy: null },
    terms,
    made,
  };
}
