import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { leftOfMonth, type NoRecharge, type RechargeDebit } from '#shared/domain/recharge.ts';
import type { EventContext, Owner } from '#server/portal.ts';
import { type DebitRow, mandateFacts, type MandateRow } from './store.ts';

export type RechargeRow = Selectable<Tables['recharges']>;

/** A shortage: the plan that runs out of units, and what that could use in all. */
export interface Shortage {
  cycle_id: string;
  quota_units: number;
}

/** Longer than a debit without a result may count in a month. */
const countedMs = 100 * 86_400_000;

/** Debits of packs of an activation that may count in a month from `nowMs` on, without one. */
export async function selectCountedRecharges(
  db: Db | Tx,
  activationId: string,
  nowMs: number,
  but = '',
): Promise<RechargeDebit[]> {
  const rows = await db
    .selectFrom('mandate_debits')
    .select(['amount_paise', 'asked_at', 'ended_at'])
    .where('activation_id', '=', activationId)
    .where('first_day', 'is', null)
    .where('state', 'in', ['ASKED', 'SENT', 'PAID'])
    .where('order_id', '<>', but)
    .where('asked_at', '>', new Date(nowMs - countedMs))
    .execute();
  return rows.map(({ amount_paise: paise, asked_at: at, ended_at: ended }) => ({
    paise,
    askedAt: at.getTime(),
    endedAt: ended?.getTime() ?? null,
  }));
}

/** Do the debits of packs stay within what the customer agreed to for a month, when this one is taken? `endedAt`: now; null: it waits. */
export async function isWithinMonth(
  tx: Tx,
  mandate: MandateRow,
  debit: DebitRow,
  endedAt: number | null,
): Promise<boolean> {
  const askedAt = debit.asked_at.getTime();
  const others = await selectCountedRecharges(tx, debit.activation_id, askedAt, debit.order_id);
  return leftOfMonth(mandate.recharge_monthly_paise ?? 0, others, { askedAt, endedAt }) >= debit.amount_paise;
}

export function selectRecharge(db: Db | Tx, of: Shortage | { order_id: string }): Promise<RechargeRow | undefined> {
  const query = db.selectFrom('recharges').selectAll();
  return (
    'order_id' in of
      ? query.where('order_id', '=', of.order_id)
      : query.where('cycle_id', '=', of.cycle_id).where('quota_units', '=', of.quota_units)
  ).executeTakeFirst();
}

/** What becomes of a shortage; one that was skipped or asked for stays so. */
export async function upsertRecharge(
  owner: Owner,
  tx: Tx,
  recharge: Omit<RechargeRow, 'customer_id' | 'order_id'>,
): Promise<void> {
  const { cycle_id: _cycle, quota_units: _units, activation_id: _activation, ...told } = recharge;
  await tx
    .insertInto('recharges')
    .values({ ...recharge, customer_id: owner.customerId, order_id: null })
    .onConflict((conflict) => conflict.columns(['cycle_id', 'quota_units']).doUpdateSet(told))
    .execute();
}

/** What the customer or a debit made of a shortage; `reason`: why nothing came of the debit that was asked for. */
export async function updateRecharge(
  tx: Tx,
  { cycle_id: cycleId, quota_units: units }: Shortage,
  to: { state: 'SKIPPED'; reason: null } | { state: 'ASKED'; reason: null; order_id: string } | { reason: NoRecharge },
): Promise<void> {
  await tx.updateTable('recharges').set(to).where('cycle_id', '=', cycleId).where('quota_units', '=', units).execute();
}

/** What events say of the shortage that a debit was asked for. */
export async function factsOfRecharge(portal: EventContext, tx: Tx, debit: DebitRow, recharge: RechargeRow) {
  const mandate = await tx
    .selectFrom('mandates')
    .selectAll()
    .where('id', '=', debit.mandate_id)
    .executeTakeFirstOrThrow();
  const { plan } = await tx
    .selectFrom('cycles')
    .select('plan')
    .where('id', '=', debit.cycle_id)
    .executeTakeFirstOrThrow();
  const at = new Date(portal.clock());
  const facts = { ...(await mandateFacts(tx, mandate, at)), cycleId: recharge.cycle_id };
  return { ...facts, packName: plan.name, quotaUnits: recharge.quota_units, at };
}
