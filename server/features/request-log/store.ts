import { sql } from 'kysely';
import { z } from 'zod';
import type { RequestFilter } from '#contract/request-log.ts';
import type { Db } from '#database/connect.ts';
import { condition } from '#database/expressions.ts';
import type { Day } from '#domain/day.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import type { Caller } from '#server/portal.ts';

/** A batch of the log: calls of one key, the last of them at `to_at`. */
export type StoredBatch = Awaited<ReturnType<typeof selectBatches>>[number];

/** Maximum duration of a batch; the table enforces it. */
const maxBatchMs = 10 * 60_000;

/**
 * Batches of an activation that may contain calls matching the filter, by their newest call, newest first. `until`: only batches with
 * calls at or before this time, in epoch milliseconds. `after`: the last batch that was read before.
 */
export function selectBatches(
  caller: Caller,
  db: Db,
  activationId: string,
  { from, to, keyId, status, counted }: RequestFilter,
  { until, after, limit }: { until: number | undefined; after: { id: string; to_at: Date } | undefined; limit: number },
) {
  let query = db
    .selectFrom('request_batches as b')
    .innerJoin('api_keys as k', 'k.id', 'b.key_id')
    .select(['b.id', 'b.to_at', 'b.key_id', 'k.name as key_name', 'k.test', 'b.day', 'b.dictionary', 'b.records'])
    .where('b.activation_id', '=', activationId)
    .where('k.customer_id', '=', caller.customerId)
    .orderBy('b.to_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(limit);
  if (from !== undefined) query = query.where('b.day', '>=', from);
  if (to !== undefined) query = query.where('b.day', '<=', to);
  if (keyId !== undefined) query = query.where('b.key_id', '=', keyId);
  if (counted === 'yes') query = query.where('b.counted', '>', 0);
  if (counted === 'no') query = query.whereRef('b.counted', '<', 'b.calls');
  if (status?.endsWith('xx')) {
    query = query.where(condition`exists (select from unnest(b.statuses) s where s / 100 = ${Number(status[0])})`);
  } else if (status !== undefined) query = query.where(condition`${Number(status)} = any (b.statuses)`);
  if (until !== undefined) {
    query = query.where('b.from_at', '<=', new Date(until)).where('b.to_at', '<=', new Date(until + maxBatchMs));
  }
  if (after !== undefined)
    query = query.where((row) => row(row.refTuple('b.to_at', 'b.id'), '<', row.tuple(after.to_at, after.id)));
  return query.execute();
}

/** Days from `from` on with more counted calls than logged ones. */
export async function selectUnlogged(
  caller: Caller,
  db: Db,
  activationId: string,
  from: Day,
): Promise<{ day: Day; calls: number }[]> {
  const result = await sql`
    select u.day, u.calls - coalesce(l.calls, 0) as calls
    from (
      select day, sum(calls) as calls from usage_counts join activations a on a.id = activation_id
      where activation_id = ${activationId} and a.customer_id = ${caller.customerId} and counted and day >= ${from}
      group by day
    ) u
    left join (
      select day, sum(counted) as calls from request_batches where activation_id = ${activationId} and day >= ${from} group by day
    ) l on l.day = u.day
    where u.calls > coalesce(l.calls, 0)
    order by u.day desc`.execute(db);
  return checkedRows(z.object({ day: z.string(), calls: z.number() }), result);
}

/** A marker of the newest batch of each activation; it changes when there is a new batch. */
export async function selectNewest(db: Db, activationIds: string[]): Promise<Map<string, string>> {
  const result = await sql`
    select a.id, l.id as newest from unnest(${activationIds}::text[]) as a (id)
    cross join lateral (
      select id from request_batches where activation_id = a.id order by to_at desc, id desc limit 1
    ) l`.execute(db);
  const rows = checkedRows(z.object({ id: z.string(), newest: z.string() }), result);
  return new Map(rows.map((row) => [row.id, row.newest]));
}
