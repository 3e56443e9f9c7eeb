import { noRenewalEffect, type RenewalEffect } from '#shared/contract/renewal-effect.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses, type CycleDates } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import type { Owner } from '#server/portal.ts';
import { selectLiveMandate } from './store.ts';
import { debitUnderWay } from './under-way.ts';

/** The last day after which no plan of an activation gives access, without those of some ids. */
export async function accessUntil(
  db: Db | Tx,
  activationId: string,
  without: readonly string[] = [],
): Promise<Day | undefined> {
  const row = await db
    .selectFrom('cycles')
    .select('to_date')
    .where('activation_id', '=', activationId)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .where((cycle) => cycle.not(cycle('id', '=', cycle.fn.any(cycle.val([...without])))))
    .orderBy('to_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.to_date;
}

/** What ending cycles today does to the renewal of their activation, to be said before it is done. */
export async function renewalEffect(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  cycles: readonly { id: string; from_date: Day; plan: { planId: string }; granted_reason: string | null }[],
  nowMs: number,
): Promise<RenewalEffect> {
  const mandate = await selectLiveMandate(owner, db, activationId);
  const debit = await debitUnderWay(db, activationId, nowMs);
  const before = await accessUntil(db, activationId);
  const until = await accessUntil(
    db,
    activationId,
    cycles.map(({ id }) => id),
  );
  const isOver = (until ?? '') <= dayOf(nowMs);
  const sold = cycles.filter(({ granted_reason: granted }) => granted === null);
  const isGiven = mandate?.token_id != null;
  // What the provider gave is taken away: what is renewed goes back to where it was.
  const isMoved = !isOver && sold.length === 0 && until !== before;
  if (isMoved && until !== undefined && (debit || (isGiven && mandate.skipped_for !== before)))
    return { renewal: 'moves', renewsFrom: until, debitAmount: debit ? rupees(debit.amountPaise) : null };
  const isSkipped = sold.some(({ from_date: from, plan }) => from === until && plan.planId === mandate?.plan_id);
  const isRefunded = isOver || cycles.some(({ id }) => id === debit?.cycleId);
  return {
    renewal: !isGiven ? null : isOver ? 'ends' : isSkipped ? 'skips' : null,
    renewsFrom: null,
    debitAmount: debit && isRefunded ? rupees(debit.amountPaise) : null,
  };
}

/** The same of days that the provider gives: they move what is renewed, and never cost it. */
export async function givenDaysEffect(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  { toDate }: CycleDates,
  nowMs: number,
): Promise<RenewalEffect> {
  const mandate = await selectLiveMandate(owner, db, activationId);
  const debit = await debitUnderWay(db, activationId, nowMs);
  const until = await accessUntil(db, activationId);
  const renews = mandate?.token_id != null && mandate.skipped_for !== until && (await isRenewed(db, mandate));
  if (until === undefined || toDate <= until || !(renews || debit)) return noRenewalEffect;
  return { renewal: 'moves', renewsFrom: toDate, debitAmount: debit ? rupees(debit.amountPaise) : null };
}

/** The same of a switch of plans: a mandate is for one plan. While the bank may pay a debit, nothing is switched. */
export async function switchEffect(
  owner: Owner,
  db: Db | Tx,
  running: { activation_id: string; plan: { planId: string } },
  { planId, toDate }: { planId: string } & CycleDates,
): Promise<RenewalEffect> {
  const mandate = await selectLiveMandate(owner, db, running.activation_id);
  if (mandate?.token_id == null) return noRenewalEffect;
  if (planId === mandate.plan_id) return { renewal: 'moves', renewsFrom: toDate, debitAmount: null };
  return running.plan.planId === mandate.plan_id ? { ...noRenewalEffect, renewal: 'ends' } : noRenewalEffect;
}

/** What the customer reads of it. */
export const renewsFromOf = ({ renewsFrom, debitAmount }: RenewalEffect) =>
  renewsFrom === null ? {} : { renewsFrom, debitPaise: debitAmount === null ? null : toPaise(debitAmount) };

/** Is the plan of a mandate the one that was sold last? What an operator gives is not renewed. */
async function isRenewed(db: Db | Tx, mandate: { activation_id: string; plan_id: string }): Promise<boolean> {
  const row = await db
    .selectFrom('cycles')
    .select('plan')
    .where('activation_id', '=', mandate.activation_id)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .where('granted_reason', 'is', null)
    .orderBy('to_date', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.plan.planId === mandate.plan_id;
}
