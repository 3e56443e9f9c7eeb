import { sql } from 'kysely';
import { z } from 'zod';
import type { RequestFilter } from '#shared/contract/request-log.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition, sumOf } from '#shared/database/expressions.ts';
import { readSearch } from '#shared/domain/call-search.ts';
import { type Day, startOfDay } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Owner } from '#server/portal.ts';

/** A batch of the log: calls of one key, the last of them at `to_at`. */
export type StoredBatch = Awaited<ReturnType<typeof selectBatches>>[number];

/** Maximum duration of a batch; the table enforces it. */
const maxBatchMs = 10 * 60_000;

/** Do the records of batch `b` have the bytes of a request id? They may also begin in the middle of a record. */
export const mayHold = (id: Uint8Array) => condition`position(${Buffer.from(id)}::bytea in b.records) > 0`;

/**
 * Batches of an activation that may contain calls matching the filter, by their newest call, newest first. `until`: only batches with
 * calls at or before this time, in epoch milliseconds. `after`: the last batch that was read before.
 */
export function selectBatches(
  owner: Owner,
  db: Db,
  activationId: string,
  { from, to, keyId, status, counted, q }: RequestFilter,
  { until, after, limit }: { until: number | undefined; after: { id: string; to_at: Date } | undefined; limit: number },
) {
  let query = db
    .selectFrom('request_log as b')
    .innerJoin('api_keys as k', 'k.id', 'b.key_id')
    .select(['b.id', 'b.to_at', 'b.key_id', 'k.name as key_name', 'k.test', 'b.day', 'b.dictionary', 'b.records'])
    .where('b.activation_id', '=', activationId)
    .where('k.customer_id', '=', owner.customerId)
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
  if (q !== undefined) {
    // Narrows the batches down; the calls in them are matched one by one.
    const { id, words } = readSearch(q);
    if (id !== undefined) query = query.where(mayHold(id));
    for (const word of words) {
      query = query.where(condition`(strpos(lower(b.dictionary), ${word}) > 0
        or exists (select from jsonb_object_keys(b.problems) p where strpos(p, ${word}) > 0))`);
    }
  }
  if (until !== undefined) {
    query = query.where('b.from_at', '<=', new Date(until)).where('b.to_at', '<=', new Date(until + maxBatchMs));
  }
  if (after !== undefined)
    query = query.where((row) => row(row.refTuple('b.to_at', 'b.id'), '<', row.tuple(after.to_at, after.id)));
  return query.execute();
}

/** Days from `from` on with more counted calls than logged ones. */
export async function selectUnlogged(
  owner: Owner,
  db: Db,
  activationId: string,
  from: Day,
): Promise<{ day: Day; calls: number }[]> {
  const result = await sql`
    select u.day, u.calls - coalesce(l.calls, 0) as calls
    from (
      select day, sum(calls) as calls from usage_counts join activations a on a.id = activation_id
      where activation_id = ${activationId} and a.customer_id = ${owner.customerId} and counted and day >= ${from}
      group by day
    ) u
    left join (
      select day, sum(counted) as calls from request_log where activation_id = ${activationId} and day >= ${from} group by day
    ) l on l.day = u.day
    where u.calls > coalesce(l.calls, 0)
    order by u.day desc`.execute(db);
  return checkedRows(z.object({ day: z.string(), calls: z.number() }), result);
}

/** Days from `from` on with refused calls that are only counted. */
export function selectUnlisted(
  owner: Owner,
  db: Db,
  activationId: string,
  from: Day,
): Promise<{ day: Day; calls: number }[]> {
  return db
    .selectFrom('request_log as b')
    .innerJoin('activations as a', 'a.id', 'b.activation_id')
    .select((b) => ['b.day', sumOf(b.ref('b.unlisted')).as('calls')])
    .where('b.activation_id', '=', activationId)
    .where('a.customer_id', '=', owner.customerId)
    .where('b.day', '>=', from)
    .where('b.unlisted', '>', 0)
    .groupBy('b.day')
    .orderBy('b.day', 'desc')
    .execute();
}

/** A marker of the newest batch of each activation since a day; it changes when there is a new batch. */
export async function selectNewest(db: Db, activationIds: string[], from: Day): Promise<Map<string, string>> {
  const result = await sql`
    select a.id, l.id as newest from unnest(${activationIds}::text[]) as a (id)
    cross join lateral (
      select id from request_log where activation_id = a.id and day >= ${from} order by to_at desc, id desc limit 1
    ) l`.execute(db);
  const rows = checkedRows(z.object({ id: z.string(), newest: z.string() }), result);
  return new Map(rows.map((row) => [row.id, row.newest]));
}

/** Problems of one day by name and key, with all calls of that day. */
export async function selectProblems(
  owner: Owner,
  db: Db,
  activationId: string,
  day: Day,
): Promise<{ keyId: string; keyName: string; name: string; calls: number; lastAt: Date }[]> {
  const result = await sql`
    select b.key_id as "keyId", k.name as "keyName", p.key as name, sum(p.value::integer) as calls, max(b.to_at) as "lastAt"
    from request_log b
    join api_keys k on k.id = b.key_id and k.customer_id = ${owner.customerId}
    cross join lateral jsonb_each_text(b.problems) p
    where b.activation_id = ${activationId} and b.to_at >= ${new Date(startOfDay(day))} and b.day = ${day}
    group by b.key_id, k.name, p.key`.execute(db);
  return checkedRows(
    z.object({ keyId: z.string(), keyName: z.string(), name: z.string(), calls: z.number(), lastAt: z.date() }),
    result,
  );
}

/** The calls of one day, with those that are only counted. */
export async function countLogged(owner: Owner, db: Db, activationId: string, day: Day): Promise<number> {
  const result = await sql`
    select coalesce(sum(b.calls + b.unlisted), 0) as calls
    from request_log b
    join api_keys k on k.id = b.key_id and k.customer_id = ${owner.customerId}
    where b.activation_id = ${activationId} and b.to_at >= ${new Date(startOfDay(day))} and b.day = ${day}`.execute(db);
  return checkedRows(z.object({ calls: z.number() }), result)[0]?.calls ?? 0;
}
