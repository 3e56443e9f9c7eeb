import { type LoggedRequest, type RequestFilter, requestCsvMaxRows } from '#contract/request-log.ts';
import { csvOf } from '#domain/csv.ts';
import { callOutcomes } from '#domain/metering.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { readRequests } from './request-log.ts';

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
  portal: Portal,
  caller: Caller,
  activationId: string,
  filter: RequestFilter,
): AsyncGenerator<string> {
  let after: string | undefined;
  for (let rows = 0; rows < requestCsvMaxRows; rows += pageRows) {
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
