import { z } from 'zod';
import { readSearch } from '#shared/domain/call-search.ts';
import { callOutcomeNames } from '#shared/domain/metering.ts';
import { type ClickHouse, createTables, deleteActivations, dropDays, selectRows } from './clickhouse.ts';
import { callMatcher, soughtId, timesOf, typeMatcher } from './filter.ts';
import type { FoundCall, LogFilter, LogPage, LogReader, Place } from './log.ts';

/** 64-bit numbers come as text or as numbers, as the server is set. */
const count = z.coerce.number().int();
const callRow = z
  .object({
    activationId: z.string(),
    keyId: z.string(),
    requestId: z.string(),
    atMs: count,
    method: z.string(),
    path: z.string(),
    status: z.number(),
    units: z.number(),
    reason: z.enum(callOutcomeNames),
    problem: z.string(),
    latencyMs: z.number(),
  })
  .transform(({ atMs: at, problem, ...call }) => ({ at, ...call, ...(problem === '' ? {} : { problem }) }));
const callColumns = `c.activation_id as activationId, c.key_id as keyId, c.request_id as requestId, toUnixTimestamp64Milli(c.at) as atMs,
  c.method as method, c.path as path, c.status as status, c.units as units, c.reason as reason, c.problem as problem, c.latency_ms as latencyMs`;

/** The name of a problem as `problemName` writes it, in small letters, behind the method and the path. */
const soughtText = `lowerUTF8(concat(c.method, ' ', c.path, ' ', splitByChar(';', toString(c.problem))[1],
  if(position(c.problem, ';rule=') > 0, concat('/', decodeURLComponent(extractAll(toString(c.problem), ';rule=([^;]*)')[-1])), '')))`;

/** Times that the engine takes as an argument. */
const latest = Date.UTC(2200, 0);
/** A page looks into the last minutes, then into spans that are each eight times as long. */
const firstSpanMs = 10 * 60_000;

/** Reads the log from ClickHouse. `final` leaves each row in its newest version. */
export function clickHouseReader(clickHouse: ClickHouse): LogReader {
  const rows = <Row>(row: z.ZodType<Row>, query: string, of: Record<string, unknown>): Promise<Row[]> =>
    selectRows(clickHouse, row, query, of);

  /** The newest version of the call with an id. Without `final`, which would not use the index of ids. */
  const findCall = async (requestId: string, activationId?: string): Promise<FoundCall | undefined> => {
    const [found] = await rows(
      callRow,
      `select ${callColumns} from request_calls as c
       where c.request_id = {requestId:String} ${activationId === undefined ? '' : 'and c.activation_id = {activationId:String}'}
       order by c.version desc limit 1`,
      { requestId, activationId },
    );
    return found;
  };

  const selectPage = async (
    activationId: string,
    filter: LogFilter,
    { after, limit }: { after: Place | undefined; limit: number },
  ): Promise<LogPage> => {
    const id = soughtId(filter);
    if (id !== undefined) {
      const call = await findCall(id, activationId);
      const isSought =
        call !== undefined &&
        (filter.keyId ?? call.keyId) === call.keyId &&
        typeMatcher(filter)(call) &&
        callMatcher(filter, after)(call);
      return { calls: isSought ? [call] : [], next: null };
    }
    const [fromMs, toMs] = timesOf(filter);
    const [span] = await rows(
      z.object({ first: count, last: count }),
      `select toUnixTimestamp64Milli(min(b.to_at)) as first, toUnixTimestamp64Milli(max(b.to_at)) as last from request_batches as b
       where b.activation_id = {activationId:String} having count() > 0`,
      { activationId },
    );
    if (span === undefined) return { calls: [], next: null };
    // The calls of a batch are within minutes.
    const oldest = Math.max(0, fromMs, span.first - firstSpanMs);
    let until = Math.min(latest, toMs - 1, span.last, after?.at ?? latest);
    const { where, params } = conditionsOf(filter, after);
    const calls: FoundCall[] = [];
    for (let spanMs = firstSpanMs; until >= oldest && calls.length <= limit; spanMs *= 8) {
      const since = Math.max(oldest, until - spanMs);
      calls.push(
        ...(await rows(
          callRow,
          `select ${callColumns} from request_calls as c final
           where c.activation_id = {activationId:String}
             and c.at between fromUnixTimestamp64Milli({since:Int64}) and fromUnixTimestamp64Milli({until:Int64}) ${where}
           order by c.at desc, c.request_id desc limit {most:UInt32}`,
          { activationId, since, until, most: limit + 1 - calls.length, ...params },
        )),
      );
      until = since - 1;
    }
    const page = calls.slice(0, limit);
    return { calls: page, next: calls.length > limit ? (page.at(-1) ?? null) : null };
  };

  const byDay = async (column: 'counted' | 'unlisted', activationId: string, from: string) => {
    const found = await rows(
      z.object({ day: z.string(), total: count }),
      `select b.day as day, sum(b.${column}) as total from request_batches as b final
       where b.activation_id = {activationId:String} and b.day >= {from:Date} group by b.day having total > 0 order by b.day desc`,
      { activationId, from },
    );
    return found.map(({ day, total }) => ({ day, calls: total }));
  };

  return {
    isApart: true,
    page: selectPage,
    find: (requestId) => findCall(requestId),
    countedSince: async (activationId, from) =>
      new Map((await byDay('counted', activationId, from)).map(({ day, calls }) => [day, calls])),
    unlistedSince: (activationId, from) => byDay('unlisted', activationId, from),
    newest: async (activationIds, from) => {
      const found = await rows(
        z.object({ activation: z.string(), newest: z.string() }),
        `select b.activation_id as activation, toString(argMax(b.id, (b.to_at, b.id))) as newest from request_batches as b
         where b.activation_id in ({activationIds:Array(String)}) and b.day >= {from:Date} group by b.activation_id`,
        { activationIds: [...activationIds], from },
      );
      return new Map(found.map(({ activation, newest }) => [activation, newest]));
    },
    problems: async (activationId, day) => {
      const found = await rows(
        z.object({ keyId: z.string(), name: z.string(), total: count, lastMs: count }),
        `select b.key_id as keyId, name, sum(n) as total, toUnixTimestamp64Milli(max(b.to_at)) as lastMs from request_batches as b final
         array join mapKeys(b.problems) as name, mapValues(b.problems) as n
         where b.activation_id = {activationId:String} and b.day = {day:Date} group by b.key_id, name`,
        { activationId, day },
      );
      return found.map(({ keyId, name, total, lastMs }) => ({ keyId, name, calls: total, lastAt: new Date(lastMs) }));
    },
    callsOn: async (activationId, day) => {
      const [sum] = await rows(
        z.object({ total: count }),
        `select sum(b.calls) + sum(b.unlisted) as total from request_batches as b final
         where b.activation_id = {activationId:String} and b.day = {day:Date}`,
        { activationId, day },
      );
      return sum?.total ?? 0;
    },
    lastTests: async (keyIds) => {
      const found = await rows(
        z.object({ keyId: z.string(), lastMs: count }),
        `select b.key_id as keyId, toUnixTimestamp64Milli(max(b.to_at)) as lastMs from request_batches as b
         where b.key_id in ({keyIds:Array(String)}) and b.test group by b.key_id`,
        { keyIds: [...keyIds] },
      );
      return new Map(found.map(({ keyId, lastMs }) => [keyId, new Date(lastMs)]));
    },
    testsOn: async (keyIds, day) => {
      const found = await rows(
        z.object({ keyId: z.string(), total: count }),
        `select b.key_id as keyId, sum(b.calls) as total from request_batches as b final
         where b.key_id in ({keyIds:Array(String)}) and b.test and b.day = {day:Date} group by b.key_id`,
        { keyIds: [...keyIds], day },
      );
      return new Map(found.map(({ keyId, total }) => [keyId, total]));
    },
    refusedIn: async (span, codes) => {
      const found = await rows(
        z.object({ on: z.string(), activationId: z.string(), total: count }),
        `select b.day as on, b.activation_id as activationId, sum(n) as total from request_batches as b final
         array join mapKeys(b.problems) as name, mapValues(b.problems) as n
         where b.day between {from:Date} and {to:Date} and splitByChar('/', name)[1] in ({codes:Array(String)})
         group by b.day, b.activation_id`,
        { ...span, codes: [...codes] },
      );
      return found.map(({ on, activationId, total }) => ({ day: on, activationId, calls: total }));
    },
    firstDayIn: async (span) => {
      const [first] = await rows(
        z.object({ first: z.string() }),
        `select min(b.day) as first from request_batches as b
         where b.day between {from:Date} and {to:Date} having count() > 0`,
        { ...span },
      );
      return first?.first ?? null;
    },
    prepare: () => createTables(clickHouse),
    expire: (before) => dropDays(clickHouse, before),
    erase: (activationIds) => deleteActivations(clickHouse, activationIds),
  };
}

/** What a filter asks of each call, but its days; of the newest versions of calls. */
function conditionsOf({ keyId, status, counted, q }: LogFilter, after: Place | undefined) {
  const params: Record<string, unknown> = {};
  const conditions: string[] = [];
  if (keyId !== undefined) {
    conditions.push('c.key_id = {keyId:String}');
    params['keyId'] = keyId;
  }
  if (status !== undefined) {
    conditions.push(status.endsWith('xx') ? 'intDiv(c.status, 100) = {status:UInt16}' : 'c.status = {status:UInt16}');
    params['status'] = Number(status.endsWith('xx') ? status[0] : status);
  }
  if (counted !== undefined) conditions.push(counted === 'yes' ? 'c.units > 0' : 'c.units = 0');
  const words = q === undefined ? [] : readSearch(q).words;
  words.forEach((word, place) => {
    conditions.push(`position(${soughtText}, {word${place}:String}) > 0`);
    params[`word${place}`] = word;
  });
  if (after !== undefined) {
    // No call that is looked at is newer than `after.at`.
    conditions.push('(c.at < fromUnixTimestamp64Milli({at:Int64}) or c.request_id < {requestId:String})');
    params['at'] = Math.min(Math.max(0, after.at), latest);
    params['requestId'] = after.requestId;
  }
  return { where: conditions.map((each) => `and ${each}`).join(' '), params };
}
