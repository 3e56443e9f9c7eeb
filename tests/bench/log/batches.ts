import { createHash } from 'node:crypto';
import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { type Day, startOfDay } from '#shared/domain/day.ts';
import { type CallType, recordsBytes, writeCallRecord, writeCallType } from '#shared/domain/logged-call.ts';
import { readRequestId } from '#shared/domain/request-id.ts';
import type { LogBatch } from '#shared/request-log/log.ts';

/** The activation that makes nine tenths of the calls. */
export const busy = 'ACT-busy';

export interface LoggedDay {
  day: Day;
  calls: number;
}

const ok = { status: 200, units: 1, reason: 'answered' } as const;
const types: readonly CallType[] = [
  ...['gstin/27**********1ZV', 'hsn/8471', 'states', 'pin/560025'].map((path) => ({
    method: 'GET',
    path: `/tax-lookup/v1/${path}`,
    ...ok,
  })),
  { method: 'POST', path: '/tax-lookup/v1/calculate', ...ok },
  { method: 'GET', path: '/tax-lookup/v1/hsn/1', status: 404, units: 1, reason: 'judged', problem: 'not-found' },
  {
    method: 'GET',
    path: '/tax-lookup/v1/states',
    status: 429,
    units: 0,
    reason: 'refused',
    problem: 'quota-exceeded;rule=second;limit=50',
  },
];
/** Of ninety calls two fail. */
const typeOf = (call: number): number => (call % 90 < 88 ? call % 5 : 5 + (call % 2));

type Logged = LogBatch & { firstId: string };

/** Numbers that look random and are the same in each place. */
function bytesFor(seed: string): Buffer {
  return createHash('sha256').update(seed).digest();
}

function batchOf(day: Day, number: number, calls: number, secondsOfDay: number): Logged {
  const isBusy = number % 10 !== 0;
  const activationId = isBusy ? busy : `ACT-${number % 1000}`;
  const records = Buffer.alloc(recordsBytes(calls));
  const counts = new Map<string, number>();
  const midnight = startOfDay(day);
  const beginMs = Math.floor((number % secondsOfDay) * (86_000_000 / secondsOfDay));
  let [counted, firstId] = [0, ''];
  let ids = bytesFor(`${day} ${number}`);
  for (let call = 0; call < calls; call += 1) {
    if (call % 2 === 0) ids = bytesFor(`${day} ${number} ${call}`);
    const type = typeOf(number * calls + call);
    const { units = 0, problem } = types[type] ?? {};
    const requestId = readRequestId(ids, call % 2 === 0 ? 0 : 16);
    if (call === 0) firstId = requestId;
    const sinceMidnightMs = beginMs + Math.floor((call * 480) / calls);
    writeCallRecord({ requestId, sinceMidnightMs, latencyMs: 8 + ((ids[15] ?? 0) % 40), type }, records, call);
    if (units > 0) counted += 1;
    if (problem !== undefined) {
      const name = problemName(readProblem(problem));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const hex = bytesFor(`batch ${day} ${number}`).toString('hex');
  const dictionary = types.map(writeCallType).join('\n');
  const problems = JSON.stringify(Object.fromEntries(counts));
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    activationId,
    keyId: `KEY-${activationId}`,
    day,
    test: false,
    fromMs: midnight + beginMs,
    toMs: midnight + beginMs + Math.floor(((calls - 1) * 480) / calls),
    calls,
    counted,
    unlisted: 0,
    statuses: new Set(types.map(({ status }) => status)),
    revision: 0,
    firstId,
    dictionary: () => dictionary,
    records: () => records,
    problems: () => problems,
  };
}

const callsOfBatch = 100;

/** The calls of a day in statements of about `atOnce` calls; the same for each that asks. */
export function* batchesOf({ day, calls }: LoggedDay, atOnce: number): Generator<Logged[]> {
  const batches = Math.ceil(calls / callsOfBatch);
  for (let first = 0; first < batches; first += atOnce / callsOfBatch) {
    const count = Math.min(atOnce / callsOfBatch, batches - first);
    yield Array.from({ length: count }, (_, index) => {
      const number = first + index + 1;
      const last = calls - (number - 1) * callsOfBatch;
      return batchOf(day, number, Math.min(callsOfBatch, last), batches);
    });
  }
}
