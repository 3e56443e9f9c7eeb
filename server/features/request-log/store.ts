import { type SqlBool, sql } from 'kysely';
import type { RequestFilter } from '#contract/request-log.ts';
import type { Db } from '#database/connect.ts';
import { addDays, type Day, startOfDay } from '#domain/day.ts';
import type { Caller } from '#server/portal.ts';

/** A place in the log: everything older than this call. */
export interface Place {
  at: Date;
  requestId: string;
}

/** Calls of an activation, newest first. */
export function selectRequests(
  caller: Caller,
  db: Db,
  activationId: string,
  { from, to, keyId, status, counted }: RequestFilter,
  { after, limit }: { after: Place | undefined; limit: number },
) {
  let query = db
    .selectFrom('request_log as l')
    .innerJoin('api_keys as k', 'k.id', 'l.key_id')
    .select([
      'l.request_id',
      'l.at',
      'l.key_id',
      'k.name as key_name',
      'k.test',
      'l.method',
      'l.path',
      'l.status',
      'l.latency_ms',
      'l.counted',
      'l.reason',
    ])
    .where('l.activation_id', '=', activationId)
    .where('k.customer_id', '=', caller.customerId)
    .orderBy('l.at', 'desc')
    .orderBy('l.request_id', 'desc')
    .limit(limit);
  if (from !== undefined) query = query.where('l.at', '>=', new Date(startOfDay(from)));
  if (to !== undefined) query = query.where('l.at', '<', new Date(startOfDay(addDays(to, 1))));
  if (keyId !== undefined) query = query.where('l.key_id', '=', keyId);
  if (counted !== undefined) query = query.where('l.counted', '=', counted === 'yes');
  if (status?.endsWith('xx')) {
    const first = Number(status[0]) * 100;
    query = query.where('l.status', '>=', first).where('l.status', '<', first + 100);
  } else if (status !== undefined) query = query.where('l.status', '=', Number(status));
  if (after !== undefined) {
    query = query.where(sql<SqlBool>`(l.at, l.request_id) < (${after.at}, ${after.requestId})`);
  }
  return query.execute();
}

/** Days from `from` on with more calls counted than the log has. */
export async function selectUnlogged(
  caller: Caller,
  db: Db,
  activationId: string,
  from: Day,
): Promise<{ day: Day; calls: number }[]> {
  const rows = await sql<{ day: Day; calls: number }>`
    select u.day, u.calls - coalesce(l.calls, 0) as calls
    from (
      select day, sum(calls) as calls from usage_counts join activations a on a.id = activation_id
      where activation_id = ${activationId} and a.customer_id = ${caller.customerId} and counted and day >= ${from}
      group by day
    ) u
    left join (
      select (at at time zone 'Asia/Kolkata')::date as day, count(*) as calls from request_log
      where activation_id = ${activationId} and counted and at >= ${new Date(startOfDay(from))}
      group by 1
    ) l on l.day = u.day
    where u.calls > coalesce(l.calls, 0)
    order by u.day desc`.execute(db);
  return rows.rows;
}

/** The newest call of each of these activations, as a text that changes with it. */
export async function selectNewest(db: Db, activationIds: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; newest: string }>`
    select a.id, l.request_id as newest from unnest(${activationIds}::text[]) as a (id)
    cross join lateral (
      select request_id from request_log where activation_id = a.id order by at desc, request_id desc limit 1
    ) l`.execute(db);
  return new Map(rows.rows.map((row) => [row.id, row.newest]));
}

/** Deletes up to `limit` calls from before an instant; gives how many. */
export async function deleteOlder(db: Db, before: Date, limit: number): Promise<number> {
  const deleted = await sql`
    delete from request_log where ctid = any(array(select ctid from request_log where at < ${before} limit ${limit}))`.execute(
    db,
  );
  return Number(deleted.numAffectedRows ?? 0);
}
