import {
  type LoggedRequest,
  type RequestFilter,
  requestCsvMaxRows,
  requestLogDays,
} from '#shared/contract/request-log.ts';
import type { Db } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { readProblem } from '#shared/domain/call-problem.ts';
import { csvOf, csvRows } from '#shared/domain/csv.ts';
import { addDays, type Day, dayOf, isDay } from '#shared/domain/day.ts';
import { callOutcomes } from '#shared/domain/metering.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { KeyCall, Place } from '#shared/request-log/log.ts';
import { openRequestLog } from '#shared/request-log/open.ts';
import type { LogSettings } from '#shared/request-log/settings.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { selectKeyNames } from './keys.ts';

export { findCall, type SoughtCall } from './find-call.ts';

/**
 * A page of the log. `after`: where it starts, from `next` of the previous page. `oldest`: the log may be kept for years, and each of its days
 * is a table to look into, so pages show its last days (decision 051).
 */
export async function readRequests(
  portal: Pick<Portal, 'clock' | 'db' | 'requestLog'>,
  owner: Owner,
  activationId: string,
  { after, limit, ...filter }: RequestFilter & { after?: string | undefined; limit: number },
  oldest: Day | null = oldestShown(portal.clock()),
) {
  const now = portal.clock();
  const from = oldest === null || (filter.from ?? '') > oldest ? filter.from : oldest;
  const { calls, next } = await portal.requestLog.page(
    activationId,
    { ...filter, from },
    { after: after === undefined ? undefined : placeOf(after), limit },
  );
  const keys = await selectKeyNames(
    owner,
    portal.db,
    calls.map(({ keyId }) => keyId),
  );
  const isWhole = after === undefined && Object.values(filter).every((value) => value === undefined);
  return {
    requests: calls.flatMap((call) => shown(call, keys.get(call.keyId))),
    next: next && `${new Date(next.at).toISOString()} ${next.requestId}`,
    unlogged: isWhole ? await readUnlogged(portal, owner, activationId, oldestShown(now)) : [],
    unlisted: isWhole ? await portal.requestLog.unlistedSince(activationId, oldestShown(now)) : [],
    asOf: new Date(now).toISOString(),
  };
}

function shown({ at, problem, ...call }: KeyCall, key: { name: string; test: boolean } | undefined): LoggedRequest[] {
  if (key === undefined) return [];
  return [
    {
      ...call,
      keyName: key.name,
      isTest: key.test,
      counted: call.units > 0,
      at: new Date(at).toISOString(),
      problem: problem === undefined ? null : readProblem(problem),
    },
  ];
}

/** Days from `from` on with more counted calls than logged ones. */
async function readUnlogged(
  { db, requestLog }: Pick<Portal, 'db' | 'requestLog'>,
  owner: Owner,
  activationId: string,
  from: Day,
): Promise<{ day: Day; calls: number }[]> {
  const counted = await db
    .selectFrom('usage_counts as u')
    .innerJoin('activations as a', 'a.id', 'u.activation_id')
    .select((u) => ['u.day', sumOf(u.ref('u.calls')).as('calls')])
    .where('u.activation_id', '=', activationId)
    .where('a.customer_id', '=', owner.customerId)
    .where('u.counted', '=', true)
    .where('u.day', '>=', from)
    .groupBy('u.day')
    .orderBy('u.day', 'desc')
    .execute();
  const logged = await requestLog.countedSince(activationId, from);
  return counted
    .map(({ day, calls }) => ({ day, calls: calls - (logged.get(day) ?? 0) }))
    .filter(({ calls }) => calls > 0);
}

/** Opens the log; days that its pages don't show may lie elsewhere. */
export const openPortalLog = (settings: LogSettings, db: Db, applicationName: string, clock: Clock) =>
  openRequestLog(settings, db, applicationName, () => oldestShown(clock()));

/** The first day that pages show. */
function oldestShown(now: number): Day {
  return addDays(dayOf(now), -requestLogDays);
}

/** The position for `after`. Invalid text sorts before everything: the page is empty. */
function placeOf(text: string): Place {
  const [at = '', requestId = ''] = text.split(' ', 2);
  // JavaScript accepts dates that PostgreSQL rejects.
  const instant = isDay(at.slice(0, 10)) ? new Date(at).getTime() : Number.NaN;
  return { at: Number.isNaN(instant) ? 0 : instant, requestId };
}

const pageRows = 1000;
const head = [
  'time',
  'request_id',
  'key',
  'mode',
  'method',
  'path',
  'status',
  'latency_ms',
  'counted',
  'why',
  'code',
  'units',
];

/** The log as CSV (RFC 4180), page by page, so that a long log needs little memory. `whole`: all that is kept, else what its pages show. */
export async function* requestsAsCsv(
  portal: Pick<Portal, 'clock' | 'db' | 'requestLog'>,
  owner: Owner,
  activationId: string,
  filter: RequestFilter,
  { whole }: { whole: boolean } = { whole: false },
): AsyncGenerator<string> {
  const maxRows = whole ? Number.POSITIVE_INFINITY : requestCsvMaxRows;
  const oldest = whole ? null : undefined;
  let after: string | undefined;
  for (let rows = 0; rows < maxRows;) {
    const page = await readRequests(
      portal,
      owner,
      activationId,
      { ...filter, after, limit: Math.min(pageRows, maxRows - rows) },
      oldest,
    );
    const lines = page.requests.map(cellsOf);
    // The header row goes with the first rows, so that a log that cannot be read gives a problem response.
    if (after === undefined) yield csvOf(head, lines);
    else if (lines.length > 0) yield csvRows(lines);
    if (page.next === null) return;
    after = page.next;
    rows += lines.length;
  }
}

function cellsOf(request: LoggedRequest): string[] {
  return [
    request.at,
    request.requestId,
    request.keyName,
    request.isTest ? 'test' : 'live',
    request.method,
    request.path,
    String(request.status),
    String(request.latencyMs),
    request.counted ? 'yes' : 'no',
    callOutcomes[request.reason],
    request.problem?.code ?? '',
    String(request.units),
  ];
}
