import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import type { AskedOrder } from '#shared/domain/bank-transfer.ts';
import { accessStatuses, datesWhenPaidTogether } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import type { Owner } from '#server/portal.ts';

/** The orders for which an account number was asked for, and by whom: only what the customer means has an effect on debits (decision 077). */

/** Notes that the account number was asked for an order, once, and restarts the checks of the account. */
export async function insertAsked(
  owner: Owner,
  tx: Tx,
  asked: {
    orderId: string;
    activationId: string;
    accountId: string;
    byCustomer: boolean;
    now: Date;
    nextCheckAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('transfer_orders')
    .values({
      order_id: asked.orderId,
      virtual_account_id: asked.accountId,
      activation_id: asked.activationId,
      customer_id: owner.customerId,
      asked_at: asked.now,
      customer_asked_at: asked.byCustomer ? asked.now : null,
    })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .execute();
  // A holder of a pay link may have asked before.
  if (asked.byCustomer)
    await tx
      .updateTable('transfer_orders')
      .set((asking) => ({ customer_asked_at: asking.fn('greatest', ['asked_at', asking.val(asked.now)]) }))
      .where('order_id', '=', asked.orderId)
      .where('customer_asked_at', 'is', null)
      .execute();
  await tx
    .updateTable('virtual_accounts')
    .set({ checks: 0, next_check_at: asked.nextCheckAt })
    .where('id', '=', asked.accountId)
    .execute();
}

/** Who has asked for the account number for an order: its customer, or a holder of a pay link alone; undefined: nobody. */
export async function whoAsked(tx: Tx, orderId: string): Promise<'CUSTOMER' | 'HOLDER' | undefined> {
  const asked = await tx
    .selectFrom('transfer_orders')
    .select('customer_asked_at')
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return asked && (asked.customer_asked_at === null ? 'HOLDER' : 'CUSTOMER');
}

/** Is a transfer over what its order is over, with the tax (TDS) that may have been deducted from it? Another amount can never pay for it. */
export const canPayItsOrder = condition`bank_transfers.amount_paise + bank_transfers.tds_paise = payment_orders.amount_paise`;

/**
 * Does the customer still mean to pay an order by transfer? All that it is for is unpaid, and they have asked for no other order of it since. An order
 * that a holder of a pay link has put in its place changes nothing: the transfer may come, and pays.
 */
const isMeantByCustomer = condition`transfer_orders.customer_asked_at is not null and not exists (
  select from order_cycles own join cycles c on c.id = own.cycle_id where own.order_id = transfer_orders.order_id
    and (c.status <> 'PAYMENT_PENDING' or exists (
      select from order_cycles oc join payment_orders later on later.id = oc.order_id where oc.cycle_id = own.cycle_id and oc.order_id <> own.order_id
        and later.customer_asked_at is not null and (oc.live or later.customer_asked_at > payment_orders.customer_asked_at))))`;

/** May a transfer that the customer means to make come, or one wait for an operator, that would pay for plans on a day, if it did today? */
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
        isMeantByCustomer,
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

/** The same for a pack, which is paid alone. */
export async function isPackTransferAsked(db: Db | Tx, cycleId: string): Promise<boolean> {
  const asked = await db
    .selectFrom('transfer_orders')
    .innerJoin('payment_orders', 'payment_orders.id', 'transfer_orders.order_id')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'transfer_orders.order_id')
    .select('transfer_orders.order_id')
    .where('order_cycles.cycle_id', '=', cycleId)
    .where(isMeantByCustomer)
    .limit(1)
    .executeTakeFirst();
  return asked !== undefined;
}

/** The orders for which an account number was asked, without what may be deducted from them. Requires its lock. */
export async function selectAsked(tx: Tx, accountId: string): Promise<Omit<AskedOrder, 'deductions'>[]> {
  const rows = await tx
    .selectFrom('transfer_orders')
    .innerJoin('payment_orders', 'payment_orders.id', 'transfer_orders.order_id')
    .select(['payment_orders.id', 'payment_orders.amount_paise', 'payment_orders.status', 'transfer_orders.asked_at'])
    .select('transfer_orders.customer_asked_at')
    .select(isMeantByCustomer.as('is_meant'))
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
            .where(canPayItsOrder),
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
    askedAtMs: (row.customer_asked_at ?? row.asked_at).getTime(),
    isByCustomer: row.customer_asked_at !== null,
    isOpen: status === 'CREATING' || status === 'OPEN' || Boolean(row.is_meant),
    isTaken: status === 'PAID' || Boolean(row.has_arrived),
    hasHeld: Boolean(row.has_held),
  }));
}
