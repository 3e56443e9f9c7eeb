import { DatabaseError } from 'pg';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { unitsTaken } from '#shared/database/cycle-sums.ts';
import { condition } from '#shared/database/expressions.ts';
import { sqlState } from '#shared/database/transaction.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { dayOf, daysBetween } from '#shared/domain/day.ts';
import { pricingPlan, usableUnits, worthOf } from '#shared/domain/listed-worth.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { maxRaise, raisedQuotas } from '#shared/domain/raised-quota.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A cycle whose quota is changed by some units; what `setQuota` replies. */
type QuotaChange = OperatorReply<'setQuota'>;

const checkViolation = '23514';

/** What changing the quota of a cycle by some units would do. */
export function previewQuota(context: OperatorContext, cycleId: string, units: number): Promise<QuotaChange> {
  return readQuota(context, context.db, cycleId, units);
}

/**
 * Adds units to the quota of one cycle and of each of its days (product §7.11); fewer than none takes back what was added before, never below
 * what is used. Every gateway knows it when this returns. What was sold stays as it is.
 */
export async function setQuota(
  context: OperatorContext,
  cycleId: string,
  units: number,
  cause: OperatorCause,
): Promise<QuotaChange> {
  const reason = cause.reason.trim();
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const now = new Date(context.clock());
    const { customerId, activationId } = await readQuota(context, tx, cycleId, units);
    const owner = { customerId };
    await lockActivation(owner, tx, activationId);
    const preview = await readQuota(context, tx, cycleId, units);
    const { raised } = preview;
    const raiseId = await insertRaise(tx, preview, reason, now);
    change.announce(activationId);
    const { daily, monthly } = preview;
    const effect = { raiseId, units, raised, daily, monthly };
    const entry = { action: 'quota.set', target: preview.cycleId, customerId, effect } as const;
    await recordAction(tx, { ...cause, reason, ...entry, paise: toPaise(preview.worth) });
    await happened(context, owner, tx, {
      type: 'quota.raised',
      cycleId: preview.cycleId,
      raiseId,
      units,
      raised,
      reason,
    });
    return preview;
  });
  return { ...result, effectiveBy };
}

async function insertRaise(tx: Tx, preview: QuotaChange, reason: string, now: Date): Promise<string> {
  const { cycleId: cycle_id, customerId: customer_id, units } = preview;
  try {
    const { id } = await tx
      .insertInto('quota_raises')
      .values({ cycle_id, customer_id, units, reason, made_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return String(id);
  } catch (error) {
    // The trigger's refusal, unlike a constraint's, names none.
    if (sqlState(error) !== checkViolation || !(error instanceof DatabaseError) || error.constraint !== undefined)
      throw error;
    throw isUsed(units);
  }
}

const isUsed = (units: number): OperatorRefusal =>
  new OperatorRefusal(
    `The quota can't be lowered by ${-units}: more than that is used, of the plan or of one of its days. Nothing was changed.`,
  );

/** As the trigger of `quota_raises`, which alone is sure: calls are counted meanwhile. */
async function requireUnused(db: Db | Tx, cycleId: string, units: number): Promise<void> {
  const used = db.selectFrom('cycles').select('id').where('id', '=', cycleId);
  const beyond = condition`units_beyond(cycles, pack_units(cycles.id) + ${units}::integer) > 0`;
  if (await used.where(beyond).executeTakeFirst()) throw isUsed(units);
}

async function readQuota(
  { catalog, clock }: OperatorContext,
  db: Db | Tx,
  cycleId: string,
  units: number,
): Promise<QuotaChange> {
  const cycle = await db
    .selectFrom('cycles')
    .select([
      'cycles.id',
      'customer_id',
      'activation_id',
      'service_id',
      'plan',
      'from_date',
      'to_date',
      'status',
      'adds_to',
    ])
    .select(['daily_quota', 'monthly_quota'])
    .select((of) => [
      of.fn<number>('pack_units', ['cycles.id']).as('added'),
      of.fn<number>('raised_units', ['cycles.id']).as('raised'),
      unitsTaken(of),
    ])
    .where('cycles.id', '=', cycleId.trim())
    .executeTakeFirst();
  if (!cycle)
    throw new OperatorRefusal(`There is no plan ${cycleId}. Find it with: octroi customers show`, 'not_found');
  if (cycle.adds_to !== null) throw new OperatorRefusal(`${cycle.id} is a pack of ${cycle.adds_to}: name that plan.`);
  if (!accessStatuses.includes(cycle.status) || cycle.to_date <= dayOf(clock()))
    throw new OperatorRefusal(`${cycle.id} gives no access: it is ${cycle.status} and ends before ${cycle.to_date}.`);
  const sold = { ...cycle.plan, dailyQuota: cycle.daily_quota, monthlyQuota: cycle.monthly_quota };
  const before = { dailyQuota: sold.dailyQuota + cycle.added, monthlyQuota: sold.monthlyQuota + cycle.added };
  const made = raisedQuotas({
    daily: before.dailyQuota,
    monthly: before.monthlyQuota,
    raised: cycle.raised,
    units,
  });
  if (made === undefined)
    throw new OperatorRefusal(
      units < 0
        ? `Only what operators added can be taken back, and that is ${cycle.raised}. Nothing was changed.`
        : cycle.raised === maxRaise
          ? `No more units can be added: operators have added ${maxRaise}, the most. Nothing was changed.`
          : `Between 1 and ${maxRaise - cycle.raised} units can be added. Nothing was changed.`,
    );
  if (units < 0) await requireUnused(db, cycle.id, units);
  const days = daysBetween(cycle.from_date, cycle.to_date);
  const after = { dailyQuota: made.daily, monthlyQuota: made.monthly };
  const added = usableUnits(after, days) - usableUnits(before, days);
  const priced = pricingPlan(sold, catalog.find(cycle.service_id)?.plans ?? []);
  return {
    cycleId: cycle.id,
    customerId: cycle.customer_id,
    activationId: cycle.activation_id,
    planName: cycle.plan.name,
    fromDate: cycle.from_date,
    toDate: cycle.to_date,
    units,
    raisedBefore: cycle.raised,
    worth: rupees(worthOf(added, priced)),
    dailyBefore: before.dailyQuota,
    monthlyBefore: before.monthlyQuota,
    taken: cycle.units_taken,
    ...made,
    effectiveBy: null,
  };
}
