import { sql } from 'kysely';
import { z } from 'zod';
import { done } from '#shared/contract/values.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type KeptUntil, keptUntil } from '#shared/domain/erasure.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { lockCustomer } from '#server/features/ownership/ownership.ts';
import type { Owner, Portal } from '#server/portal.ts';

const dayRow = z.object({ day: z.string().nullable() });

/** Until when a customer's papers stay, counted from the last of them; null when there are none. */
export async function readKept(db: Db | Tx, { customerId }: Owner): Promise<KeptUntil | null> {
  const result = await sql`select greatest((select max(issued_on) from documents where customer_id = ${customerId}),
    (select max((posted_at at time zone 'Asia/Kolkata')::date) from ledger_entries where customer_id = ${customerId}))::text as day`.execute(
    db,
  );
  const day = checkedRows(dayRow, result)[0]?.day ?? null;
  return day === null ? null : keptUntil(day);
}

/** The request of a customer that is not carried out. */
export function selectRequest(db: Db | Tx, { customerId }: Owner) {
  return db
    .selectFrom('erasure_requests')
    .select(['id', 'asked_at'])
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** What the customer sees of it. */
export async function readErasure({ db }: Portal, owner: Owner) {
  const request = await selectRequest(db, owner);
  const kept = await readKept(db, owner);
  return { askedAt: request?.asked_at.toISOString() ?? null, keptUntil: kept?.last ?? null };
}

/** Asks for erasure (product §12.5), and tells the provider by mail. Asking again changes nothing. */
export async function askErasure(portal: Portal, owner: Owner) {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    if (await selectRequest(tx, owner)) return;
    const at = new Date(portal.clock());
    const requestId = newId('ERQ');
    await tx
      .insertInto('erasure_requests')
      .values({ id: requestId, customer_id: owner.customerId, asked_at: at })
      .execute();
    await happened(portal, owner, tx, { type: 'erasure.asked', requestId, at });
  });
  return done;
}

/** Takes it back, as long as it is not carried out. */
export async function withdrawErasure(portal: Portal, owner: Owner) {
  await transaction(portal.db, async (tx) => {
    await lockCustomer(owner, tx);
    const request = await selectRequest(tx, owner);
    if (!request) return;
    const now = new Date(portal.clock());
    const at = now > request.asked_at ? now : request.asked_at;
    await tx
      .updateTable('erasure_requests')
      .set({ ended_at: at, outcome: 'WITHDRAWN' })
      .where('id', '=', request.id)
      .execute();
    await happened(portal, owner, tx, { type: 'erasure.withdrawn', requestId: request.id, at });
  });
  return done;
}
