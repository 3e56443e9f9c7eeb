import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { entryOfFailedSettlement, entryOfSettled } from '#shared/domain/settled-entries.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { Portal } from '#server/portal.ts';
import { isOwnOrder, type ItemRow, markItem, selectBookable, selectPaymentOf, selectReturned } from './store.ts';

const atOnce = 100;

/** Enters the items of processed settlements into the ledger, and takes back those of settlements that a bank returned. */
export async function bookItems(portal: Portal, stopping?: AbortSignal): Promise<void> {
  await bookAll(portal, selectBookable, bookItem, stopping);
  await bookAll(portal, selectReturned, bookReturn, stopping);
}

async function bookAll(
  portal: Portal,
  select: typeof selectBookable,
  book: (tx: Tx, item: ItemRow, now: Date) => Promise<void>,
  stopping?: AbortSignal,
): Promise<void> {
  let items = await select(portal.db, atOnce, 0);
  while (items.length > 0) {
    if (stopping?.aborted) return;
    const batch = items;
    const now = new Date(portal.clock());
    await transaction(portal.db, async (tx) => {
      for (const item of batch) await book(tx, item, now);
    });
    items = await select(portal.db, atOnce, batch.at(-1)?.id ?? 0);
  }
}

async function bookItem(tx: Tx, item: ItemRow, now: Date): Promise<void> {
  const about = await paymentOf(tx, item);
  // A payment of ours that is not settled in the portal yet: its entry would be wrong for good.
  if (!('paymentId' in about) && item.order_id !== null && (await isOwnOrder(tx, item.order_id))) return;
  if (!(await markItem(tx, item.id, 'booked_at', now))) return;
  const entry = entryOfSettled(about, settledItemOf(item));
  if (entry) await postEntry(tx, entry, now);
}

async function bookReturn(tx: Tx, item: ItemRow, now: Date): Promise<void> {
  if (!(await markItem(tx, item.id, 'returned_at', now))) return;
  const entry = entryOfFailedSettlement(await paymentOf(tx, item), settledItemOf(item));
  if (entry) await postEntry(tx, entry, now);
}

async function paymentOf(tx: Tx, item: ItemRow) {
  const payment = item.payment_id === null ? undefined : await selectPaymentOf(tx, item.payment_id);
  if (!payment) return { currency: item.currency };
  const { provider_payment_id: paymentId, cycle_id: cycleId, customer_id: customerId } = payment;
  return { paymentId, cycleId, customerId, currency: item.currency };
}

function settledItemOf(item: ItemRow) {
  if (item.settlement_id === null) throw new Error(`item ${item.entity_id} is not settled`);
  return {
    entityId: item.entity_id,
    settlementId: item.settlement_id,
    debitPaise: item.debit_paise,
    creditPaise: item.credit_paise,
    feePaise: item.fee_paise,
    taxPaise: item.tax_paise,
  };
}
