import { transaction } from '#shared/database/transaction.ts';
import { addDays, type Day, dayOf, earlierDay, laterDay, startOfDay } from '#shared/domain/day.ts';
import type { Portal } from '#server/portal.ts';
import { bookItems } from './book.ts';
import { comparedDays } from './compare.ts';
import {
  selectFirstOrder,
  selectReading,
  selectUnknownSettlements,
  updateReadUntil,
  upsertItems,
  upsertSettlement,
} from './store.ts';

/** Days whose items are read again each time: the provider may add to a day later. */
const overlapDays = 3;

/**
 * Reads the provider's settlements and their items from the last day that was read until today, and books what was settled. Progress is stored
 * after each day, and everything is stored once, so it can be interrupted and repeated.
 */
export async function readSettlements(portal: Portal, stopping?: AbortSignal): Promise<void> {
  const { db, razorpay } = portal;
  const today = dayOf(portal.clock());
  const { read_until: readUntil } = await selectReading(db);
  const first = await selectFirstOrder(db);
  if (first === null) return;
  const firstDay = dayOf(first.getTime());
  // A clock that went back reads the days before it again.
  let day = readUntil === null ? firstDay : laterDay(firstDay, addDays(earlierDay(readUntil, today), -overlapDays));
  // A bank may return a settlement weeks later.
  const since = startOfDay(laterDay(firstDay, addDays(day, -comparedDays)));
  for await (const page of razorpay.listSettlementsSince(Math.floor(since / 1000))) {
    for (const settlement of page) await upsertSettlement(db, settlement, new Date(portal.clock()));
  }
  for (; day <= today; day = addDays(day, 1)) {
    if (stopping?.aborted) return;
    await readDay(portal, day);
    await updateReadUntil(db, day);
  }
  await bookItems(portal, stopping);
}

async function readDay(portal: Portal, day: Day): Promise<void> {
  const { db, razorpay } = portal;
  for await (const page of razorpay.listSettledOn(day)) {
    const ids = [...new Set(page.flatMap(({ settlement_id: id }) => (id == null ? [] : [id])))];
    for (const id of await selectUnknownSettlements(db, ids))
      await upsertSettlement(db, await razorpay.readSettlement(id), new Date(portal.clock()));
    const changed = await transaction(db, (tx) => upsertItems(tx, page));
    if (changed.length > 0)
      portal.log.error(
        { day, items: changed },
        'the payment provider changed items of a settlement that it had listed',
      );
  }
}
