import { expect, test } from 'vitest';
import { alertsOf, type ProblemCount } from './call-alerts.ts';
import { gatewayAnswers } from './metering.ts';

const isOurs = (code: string) => Object.hasOwn(gatewayAnswers, code);
const at = new Date('2026-11-23T06:00:00Z');
const count = (name: string, calls: number, key = 'KEY-1', lastAt = at): ProblemCount => ({
  name,
  keyId: key,
  keyName: key.toLowerCase(),
  calls,
  lastAt,
});
const names = (counts: readonly ProblemCount[], calls = 1000) =>
  alertsOf(counts, calls, isOurs).map(({ code, rule, keyId, calls: own }) => [code, rule, keyId, own]);

test('each key that is revoked, expired or used from elsewhere is an alert from its first call on', () => {
  expect(names([count('key-invalid', 1), count('key-invalid', 3, 'KEY-2'), count('address-not-allowed', 2)])).toEqual([
    ['key-invalid', null, 'KEY-2', 3],
    ['address-not-allowed', null, 'KEY-1', 2],
    ['key-invalid', null, 'KEY-1', 1],
  ]);
});

test('calls over the rate are an alert from 1 % of the day’s calls on, whichever keys they came from', () => {
  const counts = [count('quota-exceeded/second', 6), count('quota-exceeded/second', 6, 'KEY-2')];
  expect(names(counts, 1200)).toEqual([['quota-exceeded', 'second', null, 12]]);
  expect(names(counts, 1201)).toEqual([]);
  expect(names([count('quota-exceeded/second', 4)], 4)).toEqual([]);
});

test('a quota that is used up, and a missing plan, are alerts at once', () => {
  expect(names([count('quota-exceeded/daily', 1), count('no-running-plan/unpaid', 2)], 100_000)).toEqual([
    ['no-running-plan', 'unpaid', null, 2],
    ['quota-exceeded', 'daily', null, 1],
  ]);
});

test('a product’s own codes are no alerts', () => {
  expect(names([count('not-found', 900), count('constructor', 900)])).toEqual([]);
});

test('an alert names the latest of its calls', () => {
  const later = new Date(at.getTime() + 1000);
  const counts = [count('no-running-plan/none', 1, 'KEY-1', later), count('no-running-plan/none', 1, 'KEY-2')];
  expect(alertsOf(counts, 2, isOurs)[0]?.lastAt).toEqual(later);
});
