import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { Day } from '#shared/domain/day.ts';
import type { ProviderReconItem, ProviderSettlement } from '#server/razorpay/razorpay.ts';

export type ItemRow = Selectable<Tables['settlement_items']>;

const instant = (seconds: number) => new Date(seconds * 1000);

/** Stores a settlement as it is now: its status may have changed since the last time, and its UTR be known by now. */
export async function upsertSettlement(db: Db | Tx, settlement: ProviderSettlement, now: Date): Promise<void> {
  const changing = { status: settlement.status, utr: settlement.utr ?? null, read_at: now };
  await db
    .insertInto('settlements')
    .values({
      settlement_id: settlement.id,
      amount_paise: settlement.amount,
      created_at: instant(settlement.created_at),
      ...changing,
    })
    .onConflict((conflict) =>
      conflict.column('settlement_id').doUpdateSet((row) => ({
        ...changing,
        utr: row.fn.coalesce('settlements.utr', 'excluded.utr'),
      })),
    )
    .execute();
}

/** The ids that have no stored settlement. */
export async function selectUnknownSettlements(db: Db, ids: readonly string[]): Promise<string[]> {
  const known = await db.selectFrom('settlements').select('settlement_id').where('settlement_id', 'in', ids).execute();
  return ids.filter((id) => !known.some((row) => row.settlement_id === id));
}

/** The payments of disputes, as an adjustment names only its dispute. */
async function selectDisputedPayments(tx: Tx, items: readonly ProviderReconItem[]): Promise<Map<string, string>> {
  const ids = items.flatMap(({ dispute_id: id }) => (id == null ? [] : [id]));
  const rows = await tx
    .selectFrom('disputes')
    .select(['provider_dispute_id as id', 'payment_id'])
    .where('provider_dispute_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.payment_id]));
}

/**
 * Stores items, each once per settlement, however often they are read. An item that was not settled before gets its settlement. Returns the stored
 * items that the provider now describes differently.
 */
export async function upsertItems(tx: Tx, items: readonly ProviderReconItem[]): Promise<string[]> {
  const disputed = await selectDisputedPayments(tx, items);
  const changed: string[] = [];
  for (const item of items) {
    const isSettled = item.settled && item.settlement_id != null;
    const about = item.payment_id ?? (item.dispute_id == null ? null : (disputed.get(item.dispute_id) ?? null));
    const changing = {
      settlement_id: isSettled ? (item.settlement_id ?? null) : null,
      settled_at: isSettled ? instant(item.settled_at ?? item.created_at) : null,
      debit_paise: item.debit,
      credit_paise: item.credit,
      amount_paise: item.amount,
      fee_paise: item.fee,
      tax_paise: item.tax,
      on_hold: item.on_hold ?? false,
      payment_id: item.type === 'payment' ? item.entity_id : about,
      order_id: item.order_id ?? null,
      dispute_id: item.dispute_id ?? null,
      description: item.description ?? null,
    };
    const known = await tx
      .selectFrom('settlement_items')
      .selectAll()
      .where('entity_id', '=', item.entity_id)
      .where((where) =>
        where.or([where('settlement_id', 'is', null), where('settlement_id', '=', item.settlement_id ?? null)]),
      )
      .orderBy('settlement_id')
      .executeTakeFirst();
    if (!known) {
      const fixed = { entity_id: item.entity_id, type: item.type, currency: item.currency, booked_at: null };
      await tx
        .insertInto('settlement_items')
        .values({ ...fixed, ...changing, created_at: instant(item.created_at) })
        .execute();
    } else if (known.settlement_id === null) {
      await tx.updateTable('settlement_items').set(changing).where('id', '=', known.id).execute();
    } else if (isSettled && !isSame(known, changing)) changed.push(item.entity_id);
  }
  return changed;
}

function isSame(row: ItemRow, now: Pick<ItemRow, 'debit_paise' | 'credit_paise' | 'fee_paise' | 'tax_paise'>): boolean {
  const { debit_paise: debit, credit_paise: credit, fee_paise: fee, tax_paise: tax } = now;
  return row.debit_paise === debit && row.credit_paise === credit && row.fee_paise === fee && row.tax_paise === tax;
}

/** Up to `limit` items that are to be booked: their settlement was processed. */
export function selectBookable(db: Db, limit: number, after: number): Promise<ItemRow[]> {
  return db
    .selectFrom('settlement_items')
    .innerJoin('settlements', 'settlements.settlement_id', 'settlement_items.settlement_id')
    .selectAll('settlement_items')
    .where('booked_at', 'is', null)
    .where('status', '=', 'processed')
    .where('settlement_items.id', '>', after)
    .orderBy('settlement_items.id')
    .limit(limit)
    .execute();
}

/** Up to `limit` booked items whose settlement failed afterwards, unless that is booked. */
export function selectReturned(db: Db, limit: number, after: number): Promise<ItemRow[]> {
  return db
    .selectFrom('settlement_items')
    .innerJoin('settlements', 'settlements.settlement_id', 'settlement_items.settlement_id')
    .selectAll('settlement_items')
    .where('booked_at', 'is not', null)
    .where('returned_at', 'is', null)
    .where('status', '=', 'failed')
    .where('settlement_items.id', '>', after)
    .orderBy('settlement_items.id')
    .limit(limit)
    .execute();
}

/** The captured payment of the portal that an item is about, if any. */
export function selectPaymentOf(tx: Tx, paymentId: string) {
  return tx
    .selectFrom('payments')
    .select(['provider_payment_id', 'cycle_id', 'customer_id', 'currency'])
    .where('provider_payment_id', '=', paymentId)
    .where('status', '=', 'captured')
    .executeTakeFirst();
}

/** Is this an order of the portal? Its payment is then settled soon, if it is not yet. */
export async function isOwnOrder(tx: Tx, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_orders')
    .select('id')
    .where('provider_order_id', '=', orderId)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when another process was faster. */
export async function markItem(tx: Tx, id: number, mark: 'booked_at' | 'returned_at', now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('settlement_items')
    .set({ [mark]: now })
    .where('id', '=', id)
    .where(mark, 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export function selectReading(db: Db) {
  return db.selectFrom('settlement_reading').selectAll().executeTakeFirstOrThrow();
}

export async function updateReadUntil(db: Db, day: Day): Promise<void> {
  await db.updateTable('settlement_reading').set({ read_until: day }).execute();
}

export async function updateCompared(db: Db, now: Date, differences: number): Promise<void> {
  await db.updateTable('settlement_reading').set({ compared_at: now, differences }).execute();
}

/** When the first order was made. A payment can be settled before the portal learns of it, but not before its order. */
export async function selectFirstOrder(db: Db): Promise<Date | null> {
  const { first } = await db
    .selectFrom('payment_orders')
    .select((order) => order.fn.min('created_at').as('first'))
    .executeTakeFirstOrThrow();
  return first;
}
