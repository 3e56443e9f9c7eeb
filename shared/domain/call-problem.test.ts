import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callChecks,
  checksOf,
  failedCheck,
  isProblem,
  problemName,
  readProblem,
  writeProblem,
} from './call-problem.ts';
import { gatewayAnswers } from './metering.ts';

const gstin = /[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}/i;
const codes = fc.constantFrom(...Object.keys(gatewayAnswers));
const facts = fc.dictionary(
  fc.constantFrom('rule', 'limit', 'plan', 'day', 'address', 'allowed'),
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(), fc.constant('27AAPFU0939F1ZV')),
);

test('a problem is read back as written, but for facts that do not fit or could be a GSTIN', () => {
  fc.assert(
    fc.property(codes, facts, (code, given) => {
      const text = writeProblem(code, given);
      expect(isProblem(text)).toBe(true);
      expect(text).not.toMatch(/[\s?#]/);
      expect(text).not.toMatch(gstin);
      expect(text.length).toBeLessThanOrEqual(240);
      const read = readProblem(text);
      expect(read.code).toBe(code);
      for (const [name, value] of Object.entries(read.facts)) expect(value).toBe(String(given[name]));
    }),
  );
});

test('short facts are all kept', () => {
  const given = { rule: 'second', limit: 10, plan: 'Growth & more 50 %' };
  expect(readProblem(writeProblem('quota-exceeded', given)).facts).toEqual({
    rule: 'second',
    limit: '10',
    plan: 'Growth & more 50 %',
  });
});

test.each(['', 'two words', 'a;b', 'a;B=c', 'code?', 'x;field=27AAPFU0939F1ZV', `x${'y'.repeat(300)}`, 'a\nb'])(
  'text that cannot be a problem is rejected: %j',
  (text) => {
    expect(isProblem(text)).toBe(false);
  },
);

test('a stray percent sign in the header of a product is kept as it is', () => {
  expect(readProblem('odd;field=50%').facts).toEqual({ field: '50%' });
});

test('a call that ended at a check has passed those before it and not reached those after it', () => {
  fc.assert(
    fc.property(codes, fc.boolean(), (code, isTest) => {
      const problem = { code, facts: {} };
      const results = checksOf(isTest, problem, true);
      // The sandbox is for test keys, the plan for others.
      fc.pre(results.some(({ check }) => check === failedCheck(problem)));
      const failed = results.findIndex(({ check }) => check === failedCheck(problem));
      expect(results.map(({ result }) => result)).toEqual(
        results.map((_, index) => (index < failed ? 'passed' : index === failed ? 'failed' : 'not-reached')),
      );
    }),
  );
});

test('a call without a problem has passed every check, unless its response failed', () => {
  const [fine, failed] = [checksOf(false, null, false), checksOf(false, null, true)];
  expect(new Set(fine.map(({ result }) => result))).toEqual(new Set(['passed']));
  expect(failed.at(-1)).toEqual({ check: 'response', result: 'failed' });
  expect(failed).toHaveLength(callChecks.length - 1);
});

test.each([
  ['quota-exceeded;rule=second;limit=5', 'rate', 'quota-exceeded/second'],
  ['quota-exceeded;rule=test-second', 'rate', 'quota-exceeded/test-second'],
  ['quota-exceeded;rule=key', 'quota', 'quota-exceeded/key'],
  ['cannot-check', 'quota', 'cannot-check'],
  ['cannot-check;rule=response', 'response', 'cannot-check/response'],
  ['api-not-set-up', 'response', 'api-not-set-up'],
  ['overloaded', 'queue', 'overloaded'],
  ['overloaded;rule=arrival', 'room', 'overloaded/arrival'],
  ['key-invalid', 'key', 'key-invalid'],
  ['upstream-too-slow', 'response', 'upstream-too-slow'],
  ['request-invalid;in=query;field=on', 'response', 'request-invalid'],
])('%s ends a call at the check %s and is counted as %s', (text, check, name) => {
  const problem = readProblem(text);
  expect([failedCheck(problem), problemName(problem)]).toEqual([check, name]);
});
