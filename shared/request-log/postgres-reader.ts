import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { condition, sumOf } from '#shared/database/expressions.ts';
import { addDays, type Day, startOfDay } from '#shared/domain/day.ts';
import { readCalls } from '#shared/domain/logged-call.ts';
import { bytesOfRequestId } from '#shared/domain/request-id.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { FoundCall, LogReader } from './log.ts';
import { mayHold, pageOf, readBatches } from './postgres-pages.ts';

/** The log has a table for each day (decision 051). Days without one are stored together until they get it. */
const daysAhead = 7;
/** Rows per statement: few enough not to block others. */
const eraseAtOnce = 1000;

/** Reads the log from PostgreSQL. */
export function postgresReader(db: Db): LogReader {
  return {
    isApart: false,
    page: (activationId, filter, of) => pageOf(readBatches(db, activationId, filter, of.after?.at), filter, of),
    find: (requestId) => findCall(db, requestId),
    countedSince: async (activationId, from) => {
      const rows = await db
        .selectFrom('request_log as b')
        .select((b) => ['b.day', sumOf(b.ref('b.counted')).as('calls')])
        .where('b.activation_id', '=', activationId)
        .where('b.day', '>=', from)
        .groupBy('b.day')
        .execute();
      return new Map(rows.map(({ day, calls }) => [day, calls]));
    },
    unlistedSince: (activationId, from) =>
      db
        .selectFrom('request_log as b')
        .select((b) => ['b.day', sumOf(b.ref('b.unlisted')).as('calls')])
        .where('b.activation_id', '=', activationId)
        .where('b.day', '>=', from)
        .where('b.unlisted', '>', 0)
        .groupBy('b.day')
        .orderBy('b.day', 'desc')
        .execute(),
    newest: async (activationIds, from) => {
      const result = await sql`
        select a.id, l.id as newest from unnest(${activationIds}::text[]) as a (id)
        cross join lateral (
          select id from request_log where activation_id = a.id and day >= ${from} order by to_at desc, id desc limit 1
        ) l`.execute(db);
      return new Map(
        checkedRows(z.object({ id: z.string(), newest: z.string() }), result).map(({ id, newest }) => [id, newest]),
      );
    },
    problems: async (activationId, day) => {
      const result = await sql`
        select b.key_id as "keyId", p.key as name, sum(p.value::integer) as calls, max(b.to_at) as "lastAt"
        from request_log b cross join lateral jsonb_each_text(b.problems) p
        where b.activation_id = ${activationId} and b.to_at >= ${new Date(startOfDay(day))} and b.day = ${day}
        group by b.key_id, p.key`.execute(db);
      const row = z.object({ keyId: z.string(), name: z.string(), calls: z.number(), lastAt: z.date() });
      return checkedRows(row, result);
    },
    callsOn: async (activationId, day) => {
      const { calls, unlisted } = await db
        .selectFrom('request_log as b')
        .select((b) => [sumOf(b.ref('b.calls')).as('calls'), sumOf(b.ref('b.unlisted')).as('unlisted')])
        .where('b.activation_id', '=', activationId)
        .where('b.to_at', '>=', new Date(startOfDay(day)))
        .where('b.day', '=', day)
        .executeTakeFirstOrThrow();
      return calls + unlisted;
    },
    lastTests: async (keyIds) => {
      const result = await sql`
        select k.id, l.at from unnest(${keyIds}::text[]) as k (id)
        cross join lateral (select max(to_at) as at from request_log b where b.key_id = k.id and b.test) l
        where l.at is not null`.execute(db);
      return new Map(checkedRows(z.object({ id: z.string(), at: z.date() }), result).map(({ id, at }) => [id, at]));
    },
    testsOn: async (keyIds, day) => {
      const rows = await db
        .selectFrom('request_log as b')
        .select((b) => ['b.key_id', sumOf(b.ref('b.calls')).as('calls')])
        .where('b.key_id', 'in', [...keyIds])
        .where('b.test', '=', true)
        .where('b.to_at', '>=', new Date(startOfDay(day)))
        .where('b.day', '=', day)
        .groupBy('b.key_id')
        .execute();
      return new Map(rows.map((row) => [row.key_id, row.calls]));
    },
    refusedIn: async ({ from, to }, codes) => {
      const result = await sql`
        select b.day, b.activation_id as "activationId", sum(p.value::bigint) as calls
        from request_log b cross join lateral jsonb_each_text(b.problems) p
        where b.day between ${from} and ${to} and b.problems <> '{}' and split_part(p.key, '/', 1) = any(${codes}::text[])
        group by 1, 2`.execute(db);
      return checkedRows(z.object({ day: z.string(), activationId: z.string(), calls: z.number() }), result);
    },
    firstDayIn: async ({ from, to }) => {
      const first = await sql`
        select min(d.day)::date as day from generate_series(${from}::date, ${to}::date, interval '1 day') d (day)
        where exists (select from request_log b where b.day = d.day::date)`.execute(db);
      return checkedRows(z.object({ day: z.string().nullable() }), first)[0]?.day ?? null;
    },
    prepare: async (today) => {
      await sql`select add_request_log_days(${addDays(today, -1)}, ${addDays(today, daysAhead)})`.execute(db);
    },
    expire: async (before) => {
      await sql`select drop_request_log_days(${before})`.execute(db);
    },
    erase: (activationIds) => erase(db, activationIds),
  };
}

/** Reads the records of every day until the call is found. */
async function findCall(db: Db, requestId: string): Promise<FoundCall | undefined> {
  const id = bytesOfRequestId(requestId);
  for (const day of await loggedDays(db)) {
    const batches = await db
      .selectFrom('request_log as b')
      .select(['b.activation_id as activationId', 'b.key_id as keyId', 'b.day', 'b.dictionary', 'b.records'])
      .where('b.day', '=', day)
      .where(mayHold(id))
      .execute();
    for (const { day: of, dictionary, records, ...whose } of batches) {
      const call = readCalls(of, dictionary, records).find((each) => each.requestId === requestId);
      if (call !== undefined) return { ...call, ...whose };
    }
  }
  return undefined;
}

/** Newest first. */
async function loggedDays(db: Db): Promise<Day[]> {
  const rows = await db.selectFrom('request_log').select('day').distinct().orderBy('day', 'desc').execute();
  return rows.map(({ day }) => day);
}

async function erase(db: Db, activationIds: readonly string[]): Promise<void> {
  const theirs = condition`b.activation_id = any(${activationIds}::text[])`;
  for (let last = eraseAtOnce; last === eraseAtOnce;) {
    // Rows of several partitions have the same ctid, so the condition applies twice.
    const result = await sql`delete from request_log as b
      where b.ctid = any(array(select b.ctid from request_log b where ${theirs} limit ${eraseAtOnce})) and ${theirs}`.execute(
      db,
    );
    last = Number(result.numAffectedRows ?? 0);
  }
}
