import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses, type CycleDates, overlaps } from '#shared/domain/cycle.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs, type DebitFacts, type MandateTerms, renewsStill } from '#shared/domain/mandate.ts';
import { isTransferAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import { isPlanStopped } from '#server/features/credit/credit.ts';
import { readStanding } from '#server/features/ownership/ownership.ts';
import type { Portal } from '#server/portal.ts';
import { selectDebit } from './debits.ts';
import { isWithinMonth, selectRecharge } from './recharge-rows.ts';
import { type DebitRow, type MandateRow, selectMandate } from './store.ts';

/** The debit of a period of an activation that the bank may pay: it was sent, and has no result yet. Also when its period was removed. */
export async function sentDebit(db: Db | Tx, activationId: string) {
  const debit = await db
    .selectFrom('mandate_debits')
    .innerJoin('cycles', 'cycles.id', 'mandate_debits.cycle_id')
    .select(['mandate_debits.cycle_id', 'mandate_debits.amount_paise', 'mandate_debits.asked_at'])
    .select(['cycles.from_date', 'cycles.to_date', 'cycles.status'])
    .where('mandate_debits.activation_id', '=', activationId)
    .where('mandate_debits.state', 'in', ['ASKED', 'SENT'])
    .where('mandate_debits.sent_at', 'is not', null)
    .where('mandate_debits.first_day', 'is not', null)
    .orderBy('mandate_debits.asked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!debit) return undefined;
  const { cycle_id: cycleId, amount_paise: amountPaise, from_date: fromDate, to_date: toDate, asked_at: at } = debit;
  return {
    cycleId,
    amountPaise,
    dates: { fromDate, toDate },
    askedOn: dayOf(at.getTime()),
    waitsUntilMs: at.getTime() + debitAnsweredWithinMs,
    isRemoved: debit.status !== 'PAYMENT_PENDING',
  };
}

/** The same while nobody else can pay for its days. */
export async function debitUnderWay(db: Db | Tx, activationId: string, nowMs: number) {
  const debit = await sentDebit(db, activationId);
  return debit && nowMs < debit.waitsUntilMs ? debit : undefined;
}

/** May such a debit pay for some of these days? Nothing else may be paid for them meanwhile. */
export async function isDebitInTheWay(
  db: Db | Tx,
  activationId: string,
  days: readonly CycleDates[],
  nowMs: number,
): Promise<boolean> {
  const debit = await debitUnderWay(db, activationId, nowMs);
  return debit !== undefined && days.some((each) => overlaps(each, debit.dates));
}

/** Does the bank dispute the payment that gave a mandate or a debit of it, or has it taken one of them back? */
export async function isMandateDisputed(
  db: Db | Tx,
  { id, order_id: orderId }: Pick<MandateRow, 'id' | 'order_id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.provider_payment_id', 'disputes.payment_id')
    .leftJoin('mandate_debits', 'mandate_debits.order_id', 'payments.order_id')
    .select('disputes.provider_dispute_id')
    .where((of) => of.or([of('mandate_debits.mandate_id', '=', id), of('payments.order_id', '=', orderId)]))
    .where('disputes.status', 'in', ['open', 'under_review', 'lost'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What holds every debit of an activation. */
export async function readDebitFacts(
  portal: Pick<Portal, 'settings'>,
  db: Db | Tx,
  activationId: string,
  mandate: MandateRow | undefined,
): Promise<DebitFacts> {
  return {
    ...(await readStanding(db, activationId)),
    isSuspended: !portal.settings.renewals,
    isDisputed: mandate !== undefined && (await isMandateDisputed(db, mandate)),
  };
}

export const termsOf = (mandate: MandateRow): MandateTerms => ({
  state: mandate.state,
  planId: mandate.plan_id,
  ceilingPaise: mandate.ceiling_paise,
  expiresOn: mandate.expires_on,
});

/** Has a debit of this mandate no result? The provider refuses another one until then, however long that takes. `of`: only those of packs. */
export async function hasLiveDebit(db: Db | Tx, mandateId: string, of: 'all' | 'packs'): Promise<boolean> {
  let query = db
    .selectFrom('mandate_debits')
    .select('order_id')
    .where('mandate_id', '=', mandateId)
    .where('state', 'in', ['ASKED', 'SENT'])
    .limit(1);
  if (of === 'packs') query = query.where('first_day', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The mandate of a debit, if that may still be asked for, or asked for once more, after what has come since it was made. Requires the activation's lock. */
export async function selectDebitable(portal: Portal, tx: Tx, debit: DebitRow): Promise<MandateRow | undefined> {
  const { order_id: orderId, mandate_id: id, activation_id: activationId } = debit;
  const cycle = await tx
    .selectFrom('cycles')
    .select(['status', 'from_date', 'to_date', 'plan', 'adds_to'])
    .where('id', '=', debit.cycle_id)
    .executeTakeFirstOrThrow();
  const mandate = await selectMandate(tx, { id });
  if (mandate?.state !== 'IN_FORCE' || !portal.settings.renewals) return undefined;
  const [isPack, today] = [debit.first_day === null, dayOf(portal.clock())];
  if (isPack ? cycle.plan.planId !== mandate.recharge_pack_id : mandate.skipped_for === cycle.from_date)
    return undefined;
  const { isDeleted, isBlocked } = await readStanding(tx, activationId);
  if (
    isDeleted ||
    isBlocked ||
    cycle.status !== 'PAYMENT_PENDING' ||
    (await isMandateDisputed(tx, mandate)) ||
    (isPack
      ? cycle.to_date <= today || (cycle.adds_to !== null && (await isPlanStopped(tx, cycle.adds_to, today)))
      : await isTransferAsked(tx, activationId, cycle.from_date, today)) ||
    (await whyDebitIsVoid(portal, tx, orderId))
  )
    return undefined;
  return mandate;
}

/** Why a debit of a pack that was captured pays for nothing: a pack that is paid can't be given back, so what was turned off meanwhile is refunded. */
async function whyRechargeIsVoid(
  { clock }: Pick<Portal, 'clock'>,
  tx: Tx,
  debit: DebitRow,
  mandate: MandateRow | undefined,
): Promise<string | undefined> {
  const isOff = 'Recharges were turned off';
  if (!mandate || !renewsStill(mandate.state) || mandate.recharge_pack_id === null) return isOff;
  const told = await selectRecharge(tx, { order_id: debit.order_id });
  if (told?.pack_id !== mandate.recharge_pack_id) return 'Another pack was agreed to';
  // And on again since.
  if (mandate.recharge_agreed_at !== null && mandate.recharge_agreed_at > debit.asked_at) return isOff;
  if (!(await isWithinMonth(tx, mandate, debit, clock()))) return 'It is above what was agreed to for the month';
  // Not even a day that runs short would be worth it.
  const plan = await tx
    .selectFrom('cycles')
    .select('to_date')
    .where('id', '=', told.cycle_id)
    .executeTakeFirstOrThrow();
  return dayOf(clock()) < addDays(plan.to_date, -1) ? undefined : 'Less than a day of the plan is left for its pack';
}

/** Why a debit that was captured pays for nothing: it was for going on with a plan. Undefined for an order that is no debit. Requires the activation's lock. */
export async function whyDebitIsVoid(
  { clock }: Pick<Portal, 'clock'>,
  tx: Tx,
  orderId: string,
): Promise<string | undefined> {
  const debit = await selectDebit(tx, orderId);
  if (!debit) return undefined;
  const hasEnded = 'The plan that it renews has ended';
  const mandate = await selectMandate(tx, { id: debit.mandate_id });
  if (debit.first_day === null) return whyRechargeIsVoid({ clock }, tx, debit, mandate);
  const firstDay = debit.first_day;
  // Before its last day, as when the days that the provider had given were taken back.
  if (mandate?.ended_by === 'PLAN') return hasEnded;
  const of = await tx.selectFrom('cycles').selectAll().where('id', '=', debit.cycle_id).executeTakeFirstOrThrow();
  const plans = await tx
    .selectFrom('cycles')
    .select(['from_date', 'to_date', 'status', 'plan', 'granted_reason'])
    .where('activation_id', '=', debit.activation_id)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .where('to_date', '>=', firstDay)
    .execute();
  const before = plans.find(({ from_date: from }) => from < firstDay);
  if (!before) return hasEnded;
  // Nothing would be left to cancel: the period would begin with the debit.
  if (mandate?.state === 'ENDED' && plans.every(({ to_date: to }) => to <= dayOf(clock()))) return hasEnded;
  const days = { fromDate: of.from_date, toDate: of.to_date };
  const isTaken = plans.some(
    ({ from_date: fromDate, to_date: toDate, ...plan }) =>
      // Days that the provider gives move what is paid behind them.
      plan.granted_reason === null && overlaps({ fromDate, toDate }, days),
  );
  const isOther = before.granted_reason === null && before.plan.planId !== of.plan.planId;
  return isTaken || isOther ? 'Another plan covers its days' : undefined;
}
