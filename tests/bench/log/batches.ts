import { createHash } from 'node:crypto';
import { type Day, startOfDay } from '#shared/domain/day.ts';
import type { CallType } from '#shared/domain/logged-call.ts';
import { readRequestId } from '#shared/domain/request-id.ts';
import { SampleBatch } from '#shared/request-log/sample-batch.ts';

/** The activation that makes nine tenths of the calls. */
export const busy = 'ACT-busy';

export interface LoggedDay {
  day: Day;
  calls: number;
}

const ok = { status: 200, units: 1, reason: 'answered' } as const;
const answered = { method: 'POST', path: '/tax-lookup/v1/calculate', ...ok };
const types: readonly CallType[] = [
  ...['gstin/27**********1ZV', 'hsn/8471', 'states', 'pin/560025'].map((path) => ({
    method: 'GET',
    path: `/tax-lookup/v1/${path}`,
    ...ok,
  })),
  answered,
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
const typeOf = (call: number): CallType => types[call % 90 < 88 ? call % 5 : 5 + (call % 2)] ?? answered;

/** Bytes that look random, 16 for each call, and are the same whenever they are asked for. */
function bytesFor(seed: string, calls: number): Buffer {
  return createHash('shake256', { outputLength: calls * 16 })
    .update(seed)
    .digest();
}

function batchOf(day: Day, number: number, calls: number, batchesOfDay: number): SampleBatch {
  const activationId = number % 10 === 0 ? `ACT-${number % 1000}` : busy;
  const beginMs = startOfDay(day) + Math.floor((number % batchesOfDay) * (86_000_000 / batchesOfDay));
  const bytes = bytesFor(`${day} ${number}`, calls);
  const of = Array.from({ length: calls }, (_, call) => ({
    ...typeOf(number * calls + call),
    requestId: readRequestId(bytes, call * 16),
    at: beginMs + Math.floor((call * 480) / calls),
    latencyMs: 8 + ((bytes[call * 16 + 15] ?? 0) % 40),
  }));
  return new SampleBatch({ activationId, keyId: `KEY-${activationId}` }, of);
}

const callsOfBatch = 100;

/** The calls of a day in statements of about `atOnce` calls; the same for each that asks. */
export function* batchesOf({ day, calls }: LoggedDay, atOnce: number): Generator<SampleBatch[]> {
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
