import type { Tx } from '#shared/database/connect.ts';
import { grantsAccess } from '#shared/domain/cycle.ts';
import { renewsStill } from '#shared/domain/mandate.ts';
import type { NoRecharge } from '#shared/domain/recharge.ts';
import { happened } from '#server/features/events/events.ts';
import { readStanding } from '#server/features/ownership/ownership.ts';
import type { Portal } from '#server/portal.ts';
import { isWithinMonth, rechargeOf, selectRecharge, updateRechargeGivenUp } from './recharge-rows.ts';
import { type DebitRow, type MandateRow, selectMandate } from './store.ts';
import { isMandateDisputed } from './under-way.ts';

/**
 * Nothing comes of the debit of a pack that was asked for: the customer is told once that their units run out, unless they know it, or have more units by
 * now. Requires the activation's lock.
 */
export async function tellRechargeGivenUp(
  portal: Portal,
  tx: Tx,
  debit: DebitRow,
  what: 'never_sent' | 'refunded' | 'no_answer',
): Promise<void> {
  const recharge = await selectRecharge(tx, { order_id: debit.order_id });
  const mandate = await selectMandate(tx, { id: debit.mandate_id });
  if (!recharge || recharge.reason !== null || !mandate || !renewsStill(mandate.state)) return;
  if (mandate.recharge_pack_id === null) return;
  const { isDeleted, isBlocked } = await readStanding(tx, debit.activation_id);
  if (isDeleted || isBlocked || (await hasMoreUnits(tx, debit))) return;
  const reason = what === 'no_answer' ? what : await reasonOf(portal, tx, debit, mandate, what);
  await updateRechargeGivenUp(tx, recharge, reason);
  const told = await rechargeOf(portal, tx, debit);
  if (!told) return;
  const { endsAt, about } = told;
  const owner = { customerId: debit.customer_id };
  await happened(portal, owner, tx, { type: 'recharge.withheld', ...about, reason, endsAt });
}

/** Was another pack paid since, or has the plan ended that it was for? */
async function hasMoreUnits(tx: Tx, debit: DebitRow): Promise<boolean> {
  const { adds_to: planId } = await selectPack(tx, debit);
  if (planId === null) return true;
  const plan = await tx.selectFrom('cycles').select(['status']).where('id', '=', planId).executeTakeFirstOrThrow();
  const other = await tx
    .selectFrom('cycles')
    .select('id')
    .where('adds_to', '=', planId)
    .where('status', '=', 'PAID')
    .where('paid_at', '>=', debit.asked_at)
    .limit(1)
    .executeTakeFirst();
  return !grantsAccess(plan.status) || other !== undefined;
}

const selectPack = (tx: Tx, { cycle_id: id }: DebitRow) =>
  tx.selectFrom('cycles').select(['adds_to', 'status', 'plan']).where('id', '=', id).executeTakeFirstOrThrow();

async function reasonOf(
  portal: Portal,
  tx: Tx,
  debit: DebitRow,
  mandate: MandateRow,
  what: 'never_sent' | 'refunded',
): Promise<NoRecharge> {
  const { status, plan } = await selectPack(tx, debit);
  const agreedAt = mandate.recharge_agreed_at;
  const isOther = plan.planId !== mandate.recharge_pack_id || (agreedAt !== null && agreedAt > debit.asked_at);
  if (isOther || status !== 'PAYMENT_PENDING') return 'replaced';
  if (!(await isWithinMonth(tx, mandate, debit, portal.clock()))) return 'monthly_ceiling';
  if (mandate.state === 'PAUSED') return 'paused';
  if (await isMandateDisputed(tx, mandate)) return 'disputed';
  return what === 'never_sent' && !portal.settings.renewals ? 'suspended' : 'not_in_time';
}
