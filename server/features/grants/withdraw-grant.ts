import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { dayOf } from '#shared/domain/day.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { type CycleRecord, endForCause, findPaidPack, listCycleRecords } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import { renewalEffect, renewsFromOf } from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A granted plan that is about to end early; what `withdrawPlan` replies. */
type Withdrawal = OperatorReply<'withdrawPlan'>;

/** What ending a granted plan would do; throws OperatorRefusal when it can't be ended. */
export async function previewWithdrawal(context: OperatorContext, cycleId: string): Promise<Withdrawal> {
  return (await prepare(context, context.db, cycleId)).preview;
}

/** Ends a granted plan before its days are over (product §4.25). Every gateway refuses its calls when this returns. */
export async function withdrawGrant(
  context: OperatorContext,
  cycleId: string,
  cause: OperatorCause,
): Promise<Withdrawal> {
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const today = dayOf(context.clock());
    const { preview: before } = await prepare(context, tx, cycleId);
    const { customerId, activationId } = before;
    const owner = { customerId };
    await lockActivation(owner, tx, activationId);
    const { preview, cycle } = await prepare(context, tx, cycleId);
    const { fromDate, toDate } = preview;
    await endForCause(context, owner, change, cycle, 'deactivated');
    const effect = { activationId, productId: preview.productId, fromDate, toDate, endedOn: today };
    await recordAction(tx, { ...cause, action: 'plans.withdraw', target: preview.cycleId, customerId, effect });
    await happened(context, owner, tx, {
      type: 'plan.withdrawn',
      cycleId: preview.cycleId,
      dates: { fromDate, toDate },
      reason: cause.reason,
      ...renewsFromOf(preview),
    });
    return preview;
  });
  return { ...result, effectiveBy };
}

async function prepare(
  { clock }: OperatorContext,
  db: Db | Tx,
  cycleId: string,
): Promise<{ preview: Withdrawal; cycle: CycleRecord }> {
  const today = dayOf(clock());
  const id = cycleId.trim();
  const found = await db
    .selectFrom('cycles')
    .select(['customer_id', 'activation_id', 'granted_reason'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found)
    throw new OperatorRefusal(`There is no plan ${cycleId}. Find it with: octroi customers show`, 'not_found');
  const { customer_id: customerId, activation_id: activationId, granted_reason: granted } = found;
  if (granted === null)
    throw new OperatorRefusal(`${id} was not granted. A plan that was paid for ends by: octroi refund ${id}`);
  const cycle = (await listCycleRecords({ customerId }, db, activationId)).find((each) => each.id === id);
  const phase = cycle && phaseOf({ fromDate: cycle.from_date, toDate: cycle.to_date }, today);
  if (!cycle || !grantsAccess(cycle.status) || phase === 'over')
    throw new OperatorRefusal(`${id} has ended already.`, 'nothing_to_change');
  const pack = findPaidPack(cycle);
  if (pack !== undefined)
    throw new OperatorRefusal(`The customer paid for its pack ${pack}: octroi refund ${pack} first.`);
  return {
    preview: {
      cycleId: id,
      customerId,
      activationId,
      productId: cycle.service_id,
      planName: cycle.plan.name,
      fromDate: cycle.from_date,
      toDate: cycle.to_date,
      isRunning: phase === 'running',
      granted,
      ...(await renewalEffect({ customerId }, db, activationId, [cycle], clock())),
      effectiveBy: null,
    },
    cycle,
  };
}
