import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** An activation whose calls per second are changed. */
type RateChange = OperatorReply<'overrideCallsPerSecond'>;

/** What another limit would replace. */
export function previewRate(
  { db, clock }: OperatorContext,
  activationId: string,
  callsPerSecond: number | null,
): Promise<RateChange> {
  return readRate(db, activationId, callsPerSecond, dayOf(clock()));
}

/**
 * Sets the calls per second of an activation, whatever its plans say (product §7.12), until it is taken back with null. Every gateway obeys when
 * this returns. What was sold stays as it is.
 */
export async function overrideRate(
  context: OperatorContext,
  sought: string,
  callsPerSecond: number | null,
  cause: OperatorCause,
): Promise<RateChange> {
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const at = new Date(context.clock());
    const today = dayOf(at.getTime());
    const { customerId, activationId } = await readRate(tx, sought, callsPerSecond, today);
    const owner = { customerId };
    await lockActivation(owner, tx, activationId);
    const rate = await readRate(tx, activationId, callsPerSecond, today);
    const { before, productId } = rate;
    await tx
      .updateTable('activations')
      .set({ calls_per_second: callsPerSecond })
      .where('id', '=', activationId)
      .where('customer_id', '=', customerId)
      .execute();
    change.announce(activationId);
    const effect = { productId, before, callsPerSecond };
    await recordAction(tx, { ...cause, action: 'rate.set', target: activationId, customerId, effect });
    await happened(context, owner, tx, {
      type: 'rate.set',
      activationId,
      productId,
      callsPerSecond,
      reason: cause.reason,
      at,
    });
    return rate;
  });
  return { ...result, effectiveBy };
}

async function readRate(db: Db | Tx, sought: string, callsPerSecond: number | null, today: Day): Promise<RateChange> {
  const activation = await db
    .selectFrom('activations')
    .select(['id', 'customer_id', 'service_id', 'deleted_at', 'calls_per_second'])
    .where('id', '=', sought.trim())
    .executeTakeFirst();
  if (!activation)
    throw new OperatorRefusal(`There is no activation ${sought}. Find it with: octroi customers show`, 'not_found');
  const { id: activationId, customer_id: customerId, service_id: productId, calls_per_second: before } = activation;
  if (activation.deleted_at !== null)
    throw new OperatorRefusal(`${activationId} was deleted: no key of it is accepted.`);
  if (before === callsPerSecond)
    throw new OperatorRefusal(
      before === null
        ? `${activationId} has the calls per second of its plans already.`
        : `${activationId} has ${before} calls per second already.`,
      'nothing_to_change',
    );
  const cycle = await db
    .selectFrom('cycles')
    .select(['id', 'plan', 'rps'])
    .where('activation_id', '=', activationId)
    .where('adds_to', 'is', null)
    .where('status', 'in', accessStatuses)
    .where('from_date', '<=', today)
    .where('to_date', '>', today)
    .executeTakeFirst();
  const plan = cycle ? { cycleId: cycle.id, name: cycle.plan.name, callsPerSecond: cycle.rps } : null;
  return { activationId, customerId, productId, plan, before, callsPerSecond, effectiveBy: null };
}
