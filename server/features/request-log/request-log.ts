import { type LoggedRequest, type RequestFilter, requestCsvMaxRows, requestLogDays } from '#contract/request-log.ts';
import { csvOf } from '#domain/csv.ts';
import { addDays, dayOf, isDay } from '#domain/day.ts';
import { callOutcomes } from '#domain/metering.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { type Place, selectRequests } from './page.ts';
import { selectUnlogged } from './store.ts';

/** A page of the log. `after`: where it starts, from `next` of the previous page. */
export async function readRequests(
  portal: Pick<Portal, 'clock' | 'db'>,
  caller: Caller,
  activationId: string,
  { after, limit, ...filter }: RequestFilter & { after?: string | undefined; limit: number },
) {
  const now = portal.clock();
  const rows = await selectRequests(caller, portal.db, activationId, filter, {
    after: after === undefined ? undefined : placeOf(after),
    limit: limit + 1,
  });
  const requests = rows.slice(0, limit);
  const last = requests.at(-1);
  const isWhole = after === undefined && Object.values(filter).every((value) => value === undefined);
  return {
    requests,
    next: rows.length > limit && last !== undefined ? `${last.at} ${last.requestId}` : null,
    unlogged: isWhole ? await selectUnlogged(caller, portal.db, activationId, oldestDay(now)) : [],
    asOf: new Date(now).toISOString(),
  };
}

function oldestDay(now: number) {
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

/** The log as CSV (RFC 4180), page by page, so that a long log needs little memory. */
export async function* requestsAsCsv(
  portal: Pick<Portal, 'clock' | 'db'>,
  caller: Caller,
  activationId: string,
  filter: RequestFilter,
  maxRows = requestCsvMaxRows,
): AsyncGenerator<string> {
  let after: string | undefined;
  for (let rows = 0; rows < maxRows; rows += pageRows) {
    const page = await readRequests(portal, caller, activationId, { ...filter, after, limit: pageRows });
    const lines = page.requests.map(cellsOf);
    // The header row goes with the first rows, so that a log that cannot be read gives a problem response.
    const [first, ...others] = rows === 0 ? [head, ...lines] : lines;
    if (first !== undefined) yield csvOf(first, others);
    if (page.next === null) return;
    after = page.next;
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
