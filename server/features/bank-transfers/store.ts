import type { Selectable } from 'kysely';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { Deduction } from '#shared/domain/bank-transfer.ts';
import type { Day } from '#shared/domain/day.ts';
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
    .onConflict((conflict) => conflict.doNothing())
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
