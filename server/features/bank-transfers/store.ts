import type { Selectable } from 'kysely';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { AskedOrder, Deduction } from '#shared/domain/bank-transfer.ts';
import { accessStatuses, datesWhenPaidTogether } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { nextCheckAfterMs } from '#shared/domain/payment.ts';
import type { TdsPercent } from '#shared/domain/tds.ts';
import type { Owner } from '#server/portal.ts';

export type AccountRow = Selectable<Tables['virtual_accounts']>;

/** A transfer may be made long after it was asked for, and webhooks may fail: each account is looked at daily for ever. */
const longestCheckWaitMs = 86_400_000;

export function selectOwnAccount(owner: Owner, db: Db): Promise<AccountRow | undefined> {
  return db.selectFrom('virtual_accounts').selectAll().where('customer_id', '=', owner.customerId).executeTakeFirst();
}

/** By the provider's id: a credit names no customer. */
export function lockAccount(tx: Tx, accountId: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('virtual_accounts').selectAll().where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
}

/** Nothing when another request was faster. */
export async function insertAccount(
  owner: Owner,
  db: Db,
  account: Omit<AccountRow, 'customer_id' | 'checks' | 'tds_tan' | 'tds_percent'>,
): Promise<void> {
  await db
    .insertInto('virtual_accounts')
    .values({ ...account, customer_id: owner.customerId })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .execute();
}

/** Notes that the account number was asked for an order, once, and restarts the checks of the account. */
export async function insertAsked(
  owner: Owner,
  tx: Tx,
  asked: { orderId: string; activationId: string; accountId: string; now: Date; nextCheckAt: Date },
): Promise<void> {
  await tx
    .insertInto('transfer_orders')
    .values({
      order_id: asked.orderId,
      virtual_account_id: asked.accountId,
      activation_id: asked.activationId,
      customer_id: owner.customerId,
      asked_at: asked.now,
    })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  await tx
    .updateTable('virtual_accounts')
    .set({ checks: 0, next_check_at: asked.nextCheckAt })
    .where('id', '=', asked.accountId)
    .execute();
}

/** Restarts the checks of a customer's account. */
export async function wakeAccount(tx: Tx, customerId: string, at: Date): Promise<void> {
  await tx
    .updateTable('virtual_accounts')
    .set({ checks: 0, next_check_at: at })
    .where('customer_id', '=', customerId)
    .execute();
}

/** Requires the activation's lock. */
export async function isOrderOpen(tx: Tx, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_orders')
    .select('id')
    .where('id', '=', orderId)
    .where('status', 'in', ['CREATING', 'OPEN'])
    .executeTakeFirst();
  return row !== undefined;
}

/** Is a transfer over what its order is over, with the tax (TDS) that may have been deducted from it? Another amount can never pay for it. */
export const canPayItsOrder = condition`bank_transfers.amount_paise + bank_transfers.tds_paise = payment_orders.amount_paise`;

/** May a transfer come, or wait for an operator, that would pay for plans on a day, if it did today? */
export async function isTransferAsked(db: Db | Tx, activationId: string, day: Day, today: Day): Promise<boolean> {
  const asked = await db
    .selectFrom('transfer_orders')
    .innerJoin('payment_orders', 'payment_orders.id', 'transfer_orders.order_id')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'transfer_orders.order_id')
    .innerJoin('cycles', 'cycles.id', 'order_cycles.cycle_id')
    .select(['transfer_orders.order_id', 'cycles.replaces'])
    .select(['cycles.from_date as fromDate', 'cycles.to_date as toDate'])
    .where('transfer_orders.activation_id', '=', activationId)
    // Also one that another choice has closed, while an operator may let what is held for it pay.
    .where((order) =>
      order.or([
        order('payment_orders.status', 'in', ['CREATING', 'OPEN']),
        order.and([
          order('cycles.status', '=', 'PAYMENT_PENDING'),
          order.exists(
            order
              .selectFrom('payments')
              .innerJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
              .select('provider_payment_id')
              .whereRef('payments.order_id', '=', 'payment_orders.id')
              .where('use', '=', 'HELD')
              .where(canPayItsOrder),
          ),
        ]),
      ]),
    )
    .where('cycles.adds_to', 'is', null)
    .orderBy('order_cycles.place')
    .execute();
  if (asked.length === 0) return false;
  const taken = await db
    .selectFrom('cycles')
    .select(['from_date as fromDate', 'to_date as toDate'])
    .where('activation_id', '=', activationId)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .execute();
  const orders = [...groupBy(asked, ({ order_id: orderId }) => orderId).values()];
  return orders
    .flatMap((cycles) => datesWhenPaidTogether(cycles, today, taken))
    .some(({ fromDate, toDate }) => fromDate <= day && day < toDate);
}

/** Says, or takes back (null), that the customer deducts tax (TDS) from what it transfers: it counts for what arrives from then on. False without an account number. */
export async function updateDeclared(
  owner: Owner,
  db: Db,
  declared: { tan: string; percent: TdsPercent } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('virtual_accounts')
    .set({ tds_tan: declared?.tan ?? null, tds_percent: declared?.percent ?? null })
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The orders for which an account number was asked, without what may be deducted from them. Requires its lock. */
export async function selectAsked(tx: Tx, accountId: string): Promise<Omit<AskedOrder, 'deductions'>[]> {
  const rows = await tx
    .selectFrom('transfer_orders')
    .innerJoin('payment_orders', 'payment_orders.id', 'transfer_orders.order_id')
    .select(['payment_orders.id', 'payment_orders.amount_paise', 'payment_orders.status', 'transfer_orders.asked_at'])
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('bank_transfers')
            .select('payment_id')
            .whereRef('bank_transfers.order_id', '=', 'payment_orders.id')
            // One that is held, or was, has not paid for it.
            .where((transfer) =>
              transfer.or([transfer('tds_percent', 'is', null), transfer('tds_tan', 'is not', null)]),
            )
            .where((transfer) =>
              transfer(
                transfer('bank_transfers.amount_paise', '+', transfer.ref('bank_transfers.tds_paise')),
                '=',
                transfer.ref('payment_orders.amount_paise'),
              ),
            ),
        )
        .as('has_arrived'),
    )
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('bank_transfers')
            .leftJoin('payments', 'payments.provider_payment_id', 'bank_transfers.payment_id')
            .select('payment_id')
            .whereRef('bank_transfers.order_id', '=', 'payment_orders.id')
            .where('tds_percent', 'is not', null)
            .where('tds_tan', 'is', null)
            // Or noted, and not settled yet.
            .where((transfer) => transfer.or([transfer('use', '=', 'HELD'), transfer('use', 'is', null)])),
        )
        .as('has_held'),
    )
    .where('transfer_orders.virtual_account_id', '=', accountId)
    .execute();
  return rows.map(({ id, status, ...row }) => ({
    id,
    amountPaise: row.amount_paise,
    askedAtMs: row.asked_at.getTime(),
    isOpen: status === 'CREATING' || status === 'OPEN',
    isTaken: status === 'PAID' || Boolean(row.has_arrived),
    hasHeld: Boolean(row.has_held),
  }));
}

/** What was noted of a credit. */
export function selectTransfer(db: Db | Tx, paymentId: string) {
  return db
    .selectFrom('bank_transfers')
    .select(['order_id', 'utr', 'tds_percent', 'tds_paise', 'tds_tan'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();
}

/** A transfer that is noted: what it is for, and its number. */
interface NotedTransfer {
  paymentId: string;
  orderId: string;
  paise: number;
  utr: string;
  /** What the order is over more; `tan`: null where nothing was declared. */
  deduction: (Deduction & { tan: string | null }) | undefined;
  now: Date;
}

const noted = ({ paymentId, orderId, paise, utr, deduction, now }: NotedTransfer, customerId: string) => ({
  payment_id: paymentId,
  order_id: orderId,
  customer_id: customerId,
  amount_paise: paise,
  utr,
  noted_at: now,
  tds_percent: deduction?.percent ?? null,
  tds_paise: deduction?.paise ?? 0,
  tds_tan: deduction?.tan ?? null,
});

export async function insertTransfer(tx: Tx, account: AccountRow, transfer: NotedTransfer): Promise<void> {
  await tx
    .insertInto('bank_transfers')
    .values({ ...noted(transfer, account.customer_id), virtual_account_id: account.id })
    .execute();
}

/** Notes a transfer to the provider's own account. False when its number is recorded already. */
export async function insertReceived(owner: Owner, tx: Tx, transfer: NotedTransfer & { on: Day }): Promise<boolean> {
  const row = await tx
    .insertInto('bank_transfers')
    .values({
      ...noted(transfer, owner.customerId),
      virtual_account_id: null,
      received_on: transfer.on,
      // The database says which of the two days the books have.
      booked_on: transfer.on,
    })
    .onConflict((conflict) => conflict.column('utr').where('received_on', 'is not', null).doNothing())
    .returning('payment_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The customer's standing declaration of tax (TDS). */
export async function selectDeclared(owner: Owner, db: Db | Tx) {
  return db
    .selectFrom('virtual_accounts')
    .select(['tds_tan', 'tds_percent'])
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
}

/** Claims the accounts that are due; the next check is scheduled before the provider is asked. */
export function claimDueAccounts(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: longestCheckWaitMs },
    (tx, isDue) =>
      tx.selectFrom('virtual_accounts').select(['id', 'checks']).where(isDue('next_check_at')).orderBy('next_check_at'),
    async (tx, { id, checks }) => {
      const next = new Date(nowMs + (nextCheckAfterMs(checks + 1) ?? longestCheckWaitMs));
      await tx
        .updateTable('virtual_accounts')
        .set({ checks: checks + 1, next_check_at: next })
        .where('id', '=', id)
        .execute();
      return id;
    },
  );
}
