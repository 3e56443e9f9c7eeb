import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db } from '#shared/database/connect.ts';
import type { Portal } from '#server/portal.ts';
import { recordDispute } from './disputes.ts';
import { bookRefundsOf } from './money-back.ts';

/**
 * Polls the provider's lists of refunds and disputes, so that refunded money is found when no webhook arrives. Each poll
 * asks for what is new since the last one: while nothing is refunded, that is one call a minute for all customers.
 */

const pollIntervalMs = 60_000;
/** Polls overlap: the provider's clock may differ, and its list may lag behind. */
const overlapMs = 3_600_000;
/** How far back the first poll goes: no refund is made more than six months after its payment. */
const firstPollMs = 190 * 86_400_000;

type List = 'refunds' | 'disputes';

/** Claims the lists that are due; the next poll is scheduled before the provider is called. */
export function claimDuePolls(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: pollIntervalMs },
    (tx, isDue) => tx.selectFrom('provider_looks').select('list').where(isDue('next_look_at')),
    async (tx, { list }) => {
      const next_look_at = new Date(nowMs + pollIntervalMs);
      await tx.updateTable('provider_looks').set({ next_look_at }).where('list', '=', list).execute();
      return list;
    },
  );
}

/** Reads a list to its end; progress is stored only then, so that a failure skips nothing. */
export async function pollList(portal: Portal, list: string): Promise<void> {
  if (!isList(list)) throw new RangeError(`there is no list of ${list} at the provider`);
  const startedAt = portal.machineClock();
  const row = await portal.db
    .selectFrom('provider_looks')
    .select('looked_until')
    .where('list', '=', list)
    .executeTakeFirst();
  const until = row?.looked_until?.getTime();
  const sinceMs = until === undefined ? startedAt - firstPollMs : Math.min(until, startedAt) - overlapMs;
  await polls[list](portal, Math.floor(sinceMs / 1000));
  await portal.db
    .updateTable('provider_looks')
    .set({ looked_until: new Date(startedAt) })
    .where('list', '=', list)
    .execute();
}

const polls: Record<List, (portal: Portal, since: number) => Promise<void>> = {
  refunds: async (portal, since) => {
    for await (const page of portal.razorpay.listRefundsSince(since)) {
      const paymentIds = new Set(page.map((refund) => refund.payment_id));
      for (const id of await unbooked(portal.db, page)) if (paymentIds.delete(id)) await bookRefundsOf(portal, id);
    }
  },
  disputes: async (portal, since) => {
    for await (const page of portal.razorpay.listDisputesSince(since)) {
      const ids = page.map((dispute) => dispute.id);
      const known = await portal.db
        .selectFrom('disputes')
        .select(['provider_dispute_id as id', 'status'])
        .where('provider_dispute_id', 'in', ids)
        .execute();
      const news = page.filter(({ id, status }) => !known.some((each) => each.id === id && each.status === status));
      for (const { id } of news) await recordDispute(portal, id);
    }
  },
};

/** The portal's payments with a listed refund that is not booked. */
async function unbooked(
  db: Db,
  page: readonly { id: string; payment_id: string; status: string }[],
): Promise<string[]> {
  const listed = page.filter((refund) => refund.status !== 'failed');
  if (listed.length === 0) return [];
  const ids = listed.map((refund) => refund.id);
  const booked = await db
    .selectFrom('refunds')
    .select(['foreign_id', 'provider_refund_id'])
    .where((where) => where.or([where('foreign_id', 'in', ids), where('provider_refund_id', 'in', ids)]))
    .execute();
  const bookedIds = new Set(booked.flatMap((row) => [row.foreign_id, row.provider_refund_id]));
  const paymentIds = listed.filter((refund) => !bookedIds.has(refund.id)).map((refund) => refund.payment_id);
  if (paymentIds.length === 0) return [];
  const ours = await db
    .selectFrom('payments')
    .select('provider_payment_id')
    .where('provider_payment_id', 'in', paymentIds)
    .where('status', '=', 'captured')
    .execute();
  return ours.map((row) => row.provider_payment_id);
}

function isList(list: string): list is List {
  return list === 'refunds' || list === 'disputes';
}
