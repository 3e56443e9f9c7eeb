import { type Selectable, sql } from 'kysely';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition, type databaseTime } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { isLiveMandate, mandateStates, type MandateStep, renewsStill } from '#shared/domain/mandate.ts';
import { longestBackoffMs, retryBackoffMs } from '#shared/domain/payment.ts';
import type { Owner } from '#server/portal.ts';

export type MandateRow = Selectable<Tables['mandates']>;
export type DebitRow = Selectable<Tables['mandate_debits']>;

const live = mandateStates.filter(isLiveMandate);

export function selectMandate(db: Db | Tx, by: { id: string } | { tokenId: string } | { orderId: string }) {
  const [column, value] =
    'id' in by
      ? (['id', by.id] as const)
      : 'tokenId' in by
        ? (['token_id', by.tokenId] as const)
        : (['order_id', by.orderId] as const);
  return db.selectFrom('mandates').selectAll().where(column, '=', value).executeTakeFirst();
}

/**
 * What events say of a mandate. Its period is the last one of its plan: one that was paid before those that were not, and one that has begun, or
 * gives access, before what was given back.
 */
export async function mandateFacts(
  tx: Tx,
  { id: mandateId, activation_id: activationId, plan_id: planId, plan_name: planName }: MandateRow,
  now: Date,
) {
  const { id: cycleId } = await tx
    .selectFrom('cycles')
    .select('id')
    .where('activation_id', '=', activationId)
    .where(condition`plan ->> 'planId' = ${planId}`)
    .where('adds_to', 'is', null)
    .orderBy(sql`status in ('PAYMENT_PENDING', 'REMOVED')`)
    .orderBy(sql`status in ('REFUNDED', 'DEACTIVATED') and from_date > ${dayOf(now.getTime())}`)
    .orderBy('to_date', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { mandateId, activationId, planName, cycleId };
}

/** The mandate of an activation that may be debited, now or later. */
export function selectLiveMandate(owner: Owner, db: Db | Tx, activationId: string) {
  return db
    .selectFrom('mandates')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('activation_id', '=', activationId)
    .where('state', 'in', live)
    .executeTakeFirst();
}

/** What a customer has agreed to for an activation, newest first, without what never came of an order. */
export function selectMandates(owner: Owner, db: Db | Tx, activationId: string) {
  return db
    .selectFrom('mandates')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where('activation_id', '=', activationId)
    .where('token_id', 'is not', null)
    .orderBy('asked_at', 'desc')
    .orderBy('id')
    .execute();
}

/** The customer at the provider, from an earlier mandate. */
export async function selectProviderCustomer(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('mandates')
    .select('provider_customer_id')
    .where('customer_id', '=', customerId)
    .where('provider_customer_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.provider_customer_id ?? undefined;
}

export async function insertMandate(
  owner: Owner,
  tx: Tx,
  agreed: Pick<
    MandateRow,
    | 'id'
    | 'activation_id'
    | 'order_id'
    | 'plan_id'
    | 'plan_name'
    | 'ceiling_paise'
    | 'pin_each_time'
    | 'method'
    | 'expires_on'
  >,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('mandates')
    .values({
      ...agreed,
      customer_id: owner.customerId,
      state: 'ASKED',
      provider_customer_id: null,
      token_id: null,
      asked_at: now,
      confirmed_at: null,
      ended_at: null,
      ended_by: null,
      announced_for: null,
      announced_paise: null,
      announced_on: null,
      withheld_for: null,
      withheld_reason: null,
      skipped_for: null,
      recharge_pack_id: null,
      recharge_monthly_paise: null,
      recharge_agreed_at: null,
      token_over_at: null,
      next_check_at: null,
    })
    .execute();
}

/** What was asked for with an order that was not paid is no longer asked for. */
export async function lapseAsked(
  db: Db | Tx,
  of: { activation_id: string } | { order_id: string },
  now: Date,
): Promise<void> {
  const [column, value] =
    'order_id' in of ? (['order_id', of.order_id] as const) : (['activation_id', of.activation_id] as const);
  await db
    .updateTable('mandates')
    .set({ state: 'LAPSED', ended_at: now })
    .where(column, '=', value)
    .where('state', '=', 'ASKED')
    .where('token_id', 'is', null)
    .execute();
}

export async function updateProviderCustomer(db: Db, id: string, providerCustomerId: string): Promise<void> {
  await db
    .updateTable('mandates')
    .set({ provider_customer_id: providerCustomerId })
    .where('id', '=', id)
    .where('provider_customer_id', 'is', null)
    .execute();
}

/** The token that came with the payment of an order; it is read at once. Returns its mandate when that is news. */
export function updateToken(
  tx: Tx,
  orderId: string,
  tokenId: string,
  machineNow: Date,
): Promise<MandateRow | undefined> {
  return tx
    .updateTable('mandates')
    .set({ token_id: tokenId, checks: 0, next_check_at: machineNow })
    .where('order_id', '=', orderId)
    .where('token_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function updateState(tx: Tx, id: string, step: MandateStep, now: Date): Promise<void> {
  await tx
    .updateTable('mandates')
    .set((of) => ({
      state: step.state,
      ...(renewsStill(step.state) && { confirmed_at: of.fn.coalesce('confirmed_at', of.val(now)) }),
      ...(!isLiveMandate(step.state) && { ended_at: now, ended_by: step.endedBy ?? null }),
    }))
    .where('id', '=', id)
    .execute();
}

/** Skips the debit of the cycle that would begin on a day, or takes that back. Requires the activation's lock. */
export async function updateSkipped(tx: Tx, mandate: Pick<MandateRow, 'id'>, day: Day | null): Promise<void> {
  await tx.updateTable('mandates').set({ skipped_for: day }).where('id', '=', mandate.id).execute();
}

/** When the provider is asked about its token again; null: only when there is news, or before a debit. */
export async function updateNextCheck(
  db: Db | Tx,
  id: string,
  at: Date | typeof databaseTime | null,
  isTokenOver?: Date,
): Promise<void> {
  await db
    .updateTable('mandates')
    .set({ next_check_at: at, ...(at && { checks: 0 }), ...(isTokenOver && { token_over_at: isTokenOver }) })
    .where('id', '=', id)
    .execute();
}

/** Claims the mandates whose token is to be read or cancelled; the next attempt is scheduled before the provider is called. */
export function claimDueMandates(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestBackoffMs },
    (tx, isDue) =>
      tx.selectFrom('mandates').select(['id', 'checks']).where(isDue('next_check_at')).orderBy('next_check_at'),
    async (tx, { id, checks }) => {
      await tx
        .updateTable('mandates')
        .set({ checks: checks + 1, next_check_at: new Date(nowMs + retryBackoffMs(checks)) })
        .where('id', '=', id)
        .execute();
      return id;
    },
  );
}
