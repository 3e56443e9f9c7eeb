import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses, grantsAccess } from '#shared/domain/cycle.ts';
import { dayOf } from '#shared/domain/day.ts';
import { renewsStill } from '#shared/domain/mandate.ts';
import { priceChanged } from '#shared/domain/payment.ts';
import type { NoRecharge } from '#shared/domain/recharge.ts';
import { happened } from '#server/features/events/events.ts';
import { readStanding } from '#server/features/ownership/ownership.ts';
import type { Portal } from '#server/portal.ts';
import { factsOfRecharge, isWithinMonth, type RechargeRow, selectRecharge, updateRecharge } from './recharge-rows.ts';
import { selectDebit } from './debits.ts';
import { type DebitRow, type MandateRow, selectLiveMandate } from './store.ts';
import { isMandateDisputed } from './under-way.ts';

/** Why nothing comes of a debit; `reason`: of what was given back. */
type GivenUp = { is: 'never_sent' | 'no_answer' } | { is: 'refunded'; reason: string | null };

/**
 * Nothing comes of the debit of a pack that was asked for: the customer is told once that their units run out, unless they have more units by now. While
 * recharges are off or the account is blocked it is not told, and later by `rechargeDue`. Requires the activation's lock.
 */
export async function tellRechargeGivenUp(
  portal: Portal,
  tx: Tx,
  debit: DebitRow,
  what: GivenUp,
  /** Of now; otherwise as the customer was told. */
  now?: { endsAt: Date },
): Promise<void> {
  const owner = { customerId: debit.customer_id };
  const recharge = await selectRecharge(tx, { order_id: debit.order_id });
  const mandate = await selectLiveMandate(owner, tx, debit.activation_id);
  if (!recharge || recharge.reason !== null || !mandate || !renewsStill(mandate.state)) return;
  if (mandate.recharge_pack_id === null) return;
  const { isDeleted, isBlocked } = await readStanding(tx, debit.activation_id);
  if (isDeleted || isBlocked || (await hasMoreUnits(portal, tx, debit))) return;
  const reason = await reasonOf(portal, tx, debit, mandate, what);
  await updateRecharge(tx, recharge, { reason });
  const about = await factsOfRecharge(portal, tx, debit, recharge);
  const { endsAt } = now ?? { endsAt: recharge.ends_at };
  await happened(portal, owner, tx, { type: 'recharge.withheld', ...about, reason, endsAt });
}

/** Says the same of a debit that is over, once nothing holds a recharge any more. Requires the activation's lock. */
export async function tellRechargeGivenUpLate(portal: Portal, tx: Tx, orderId: string, endsAt: Date): Promise<void> {
  const debit = await selectDebit(tx, orderId);
  if (!debit) return;
  const { state, reason } = debit;
  const what: GivenUp = state === 'DROPPED' ? { is: 'never_sent' } : { is: 'refunded', reason };
  await tellRechargeGivenUp(portal, tx, debit, what, { endsAt });
}

/** Is the debit of a pack over, without units and without a word to the customer? */
export async function isUntold(db: Db | Tx, { state, reason, order_id: orderId }: RechargeRow): Promise<boolean> {
  if (state !== 'ASKED' || reason !== null) return false;
  const over = await db
    .selectFrom('mandate_debits')
    .innerJoin('cycles', 'cycles.id', 'mandate_debits.cycle_id')
    .select('mandate_debits.order_id')
    .where('mandate_debits.order_id', '=', orderId)
    .where((debit) =>
      debit.or([
        debit('mandate_debits.state', 'in', ['DROPPED', 'FAILED']),
        debit.and([debit('mandate_debits.state', '=', 'PAID'), debit('cycles.status', 'not in', accessStatuses)]),
      ]),
    )
    .executeTakeFirst();
  return over !== undefined;
}

/** Was another pack paid since, or has the plan ended that it was for? */
export async function hasMoreUnits({ clock }: Pick<Portal, 'clock'>, tx: Tx, debit: DebitRow): Promise<boolean> {
  const { adds_to: planId } = await selectPack(tx, debit);
  if (planId === null) return true;
  const plan = await tx
    .selectFrom('cycles')
    .select(['status', 'to_date'])
    .where('id', '=', planId)
    .executeTakeFirstOrThrow();
  const other = await tx
    .selectFrom('cycles')
    .select('id')
    .where('adds_to', '=', planId)
    .where('status', '=', 'PAID')
    .where('paid_at', '>=', debit.asked_at)
    .limit(1)
    .executeTakeFirst();
  return !grantsAccess(plan.status) || plan.to_date <= dayOf(clock()) || other !== undefined;
}

const selectPack = (tx: Tx, { cycle_id: id }: DebitRow) =>
  tx.selectFrom('cycles').select(['adds_to', 'status', 'plan']).where('id', '=', id).executeTakeFirstOrThrow();

async function reasonOf(
  portal: Portal,
  tx: Tx,
  debit: DebitRow,
  mandate: MandateRow,
  what: GivenUp,
): Promise<NoRecharge> {
  if (what.is === 'no_answer') return what.is;
  if (debit.state === 'PAID') return 'asked_before';
  const { status, plan } = await selectPack(tx, debit);
  const agreedAt = mandate.recharge_agreed_at;
  const isOther =
    mandate.id !== debit.mandate_id ||
    plan.planId !== mandate.recharge_pack_id ||
    (agreedAt !== null && agreedAt > debit.asked_at);
  if (isOther || status !== 'PAYMENT_PENDING') return 'replaced';
  if (!(await isWithinMonth(tx, mandate, debit, portal.clock()))) return 'monthly_ceiling';
  if (mandate.state === 'PAUSED') return 'paused';
  if (await isMandateDisputed(tx, mandate)) return 'disputed';
  if (what.is === 'refunded') return what.reason === priceChanged ? 'changed' : 'asked_before';
  return portal.settings.renewals ? 'not_in_time' : 'suspended';
}
