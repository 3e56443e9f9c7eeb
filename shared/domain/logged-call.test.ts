import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOfDay } from './day.ts';
import {
  type LoggedCall,
  readCalls,
  recordsBytes,
  recordsVersion,
  writeCallRecord,
  writeCallType,
} from './logged-call.ts';
import { callOutcomeNames } from './metering.ts';
import { readRequestId } from './request-id.ts';

const day = '2026-11-22';
const midnight = startOfDay(day);

const requestIds = fc.uint8Array({ minLength: 15, maxLength: 15 }).map((bytes) => readRequestId(bytes, 0));
const problems = fc.constantFrom(
  'key-invalid',
  'quota-exceeded;rule=second;limit=10',
  'request-invalid;field=items.0.hsn',
);
const calls: fc.Arbitrary<LoggedCall> = fc.record(
  {
    requestId: requestIds,
    at: fc.integer({ min: 0, max: 86_399_999 }).map((ms) => midnight + ms),
    method: fc.constantFrom('GET', 'POST', 'M-SEARCH'),
    path: fc.webPath().map((path) => `/${path}`),
    status: fc.integer({ min: 100, max: 999 }),
    latencyMs: fc.nat(0xff_ff_ff),
    units: fc.nat(1_000_000),
    reason: fc.constantFrom(...callOutcomeNames),
    problem: problems,
  },
  { requiredKeys: ['requestId', 'at', 'method', 'path', 'status', 'latencyMs', 'units', 'reason'] },
);

const sample = {
  at: midnight,
  method: 'GET',
  path: '/',
  status: 429,
  latencyMs: 1,
  units: 0,
  reason: 'refused',
} as const;

/** No gateway writes a dictionary with duplicate entries, but it is read all the same. */
function written(of: readonly LoggedCall[]): { dictionary: string; records: Uint8Array } {
  const records = new Uint8Array(recordsBytes(of.length));
  for (const [type, { requestId, at, latencyMs }] of of.entries()) {
    const record = { requestId, sinceMidnightMs: at - midnight, latencyMs, type };
    writeCallRecord(record, records, type);
  }
  return { dictionary: of.map(writeCallType).join('\n'), records };
}

test('calls are read back from their records as written, in order', () => {
  fc.assert(
    fc.property(fc.array(calls, { minLength: 1, maxLength: 300 }), (of) => {
      const { dictionary, records } = written(of);
      expect(readCalls(day, dictionary, records)).toEqual(of);
    }),
  );
});

test('a latency above four hours is written as more than four', () => {
  const records = new Uint8Array(recordsBytes(1));
  const requestId = readRequestId(new Uint8Array(15), 0);
  writeCallRecord({ requestId, sinceMidnightMs: 0, latencyMs: 1e9, type: 0 }, records, 0);
  expect(readCalls(day, 'GET / 200 1 answered', records)[0]?.latencyMs).toBe(0xff_ff_ff);
});

test('an entry that was written before problems were is read without one', () => {
  const { records } = written([{ ...sample, requestId: readRequestId(new Uint8Array(15), 0) }]);
  expect(readCalls(day, 'GET / 429 0 refused', records)[0]).not.toHaveProperty('problem');
  expect(readCalls(day, 'GET / 429 0 refused key-invalid', records)[0]?.problem).toBe('key-invalid');
});

test.each(['one two', 'GET / 200 1 answered more words', 'GET / 200 1 unheard-of'])(
  'a malformed dictionary entry is rejected: %j',
  (dictionary) => {
    expect(() => readCalls(day, dictionary, new Uint8Array())).toThrow(/malformed dictionary entry/);
  },
);

test('a record without its dictionary entry is rejected', () => {
  const records = new Uint8Array(recordsBytes(1)).fill(1);
  records[0] = recordsVersion;
  expect(() => readCalls(day, 'GET / 200 1 answered', records)).toThrow(/no entry/);
});

test('records of another format are rejected, not misread', () => {
  const { dictionary, records } = written([{ ...sample, requestId: readRequestId(new Uint8Array(15), 0) }]);
  records[0] = recordsVersion + 1;
  expect(() => readCalls(day, dictionary, records)).toThrow('unknown format of the request log: 2');
});
