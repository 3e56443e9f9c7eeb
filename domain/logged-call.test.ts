import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LoggedCall, readCallLines, writeCallLine } from './logged-call.ts';
import { callOutcomeNames } from './metering.ts';

const calls: fc.Arbitrary<LoggedCall> = fc.record({
  requestId: fc.uuid().map((id) => `req_${id}`),
  at: fc.integer({ min: 0, max: 4e12 }),
  method: fc.constantFrom('GET', 'POST', 'M-SEARCH'),
  path: fc.webPath().map((path) => `/${path}`),
  status: fc.integer({ min: 100, max: 599 }),
  latencyMs: fc.nat(),
  counted: fc.boolean(),
  reason: fc.constantFrom(...callOutcomeNames),
});

test('calls come back from their lines as they were written, in their order', () => {
  fc.assert(
    fc.property(fc.array(calls), (written) => {
      expect(readCallLines(written.map(writeCallLine).join(''))).toEqual(written);
    }),
  );
});

test.each(['one two\n', 'req_1 0 GET / 200 1 1 answered more\n', 'req_1 0 GET / 200 1 1 unheard-of\n'])(
  'a line that is none is not read as a call: %j',
  (line) => {
    expect(() => readCallLines(line)).toThrow(/no line/);
  },
);
