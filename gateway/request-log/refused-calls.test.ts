import { expect, test } from 'vitest';
import { newRequestId } from '#gateway/http/request-id.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { RefusedCalls } from './refused-calls.ts';

const day = 86_400_000;
const over: Outcome = { status: 429, units: 0, reason: 'refused', problem: 'quota-exceeded;rule=second;limit=2' };

const callOf = (customerId: string, keyId: string, at: number): CallInfo => ({
  access: { activationId: 'ACT-1', serviceId: 'tax-lookup-api', customerId, keyId, keyPrefix: null },
  requestId: newRequestId(),
  at,
  method: 'GET',
  target: '/tax-lookup/v1/ok',
});

test('of endless refused calls a customer has a bounded number logged, with the number of all', () => {
  let now = 0;
  const refused = new RefusedCalls(() => now);
  let [logged, counted, made] = [0, 0, 0];
  for (; now < day; now += 5000) {
    for (let key = 0; key < 20; key += 1) {
      made += 1;
      if (refused.admit(callOf('CUS-1', `KEY-${key}`, now), over, 1)) logged += 1;
    }
    const taken = refused.take();
    logged += taken.length;
    counted += taken.reduce((sum, { others }) => sum + others, 0);
  }
  const rest = refused.takeAll();
  counted += rest.reduce((sum, { others }) => sum + others + 1, 0);
  expect(logged).toBeLessThan(200 + day / 10_000 + 1);
  expect(logged + counted).toBe(made);
});

test('no call is lost when more keys are refused than there is room for', () => {
  const refused = new RefusedCalls(() => 0);
  let [logged, made] = [0, 0];
  for (let key = 0; key < 25_000; key += 1) {
    for (let call = 0; call < 2; call += 1) {
      made += 1;
      if (refused.admit(callOf('CUS-1', `KEY-${key}`, 0), over, 1)) logged += 1;
    }
  }
  const summed = [...refused.take(), ...refused.takeAll()].reduce((sum, { others }) => sum + others + 1, 0);
  expect(logged + summed).toBe(made);
  expect(refused.pending).toBe(0);
});

test('refused calls of one customer take no room from another’s', () => {
  const refused = new RefusedCalls(() => 0);
  while (refused.admit(callOf('CUS-1', 'KEY-1', 0), over, 1));
  expect(refused.admit(callOf('CUS-1', 'KEY-2', 0), over, 1)).toBe(false);
  expect(refused.admit(callOf('CUS-2', 'KEY-3', 0), over, 1)).toBe(true);
});

test('a summary is of one key and one IST day, with its latest call and the problems of the others', () => {
  let now = 0;
  const refused = new RefusedCalls(() => now);
  const midnight = Date.parse('2026-11-22T00:00:00+05:30');
  while (refused.admit(callOf('CUS-1', 'KEY-1', midnight - 1), over, 1));
  refused.admit(callOf('CUS-1', 'KEY-1', midnight - 1), { ...over, problem: 'quota-exceeded;rule=daily' }, 1);
  const last = callOf('CUS-1', 'KEY-1', midnight - 1);
  refused.admit(last, over, 7);
  const next = callOf('CUS-1', 'KEY-1', midnight);
  refused.admit(next, over, 1);
  expect(refused.take()).toEqual([]);
  now = 60_000;
  const [before, after] = refused.take();
  expect(before).toMatchObject({ call: last, latencyMs: 7, others: 2 });
  expect(before?.problems).toEqual(
    new Map([
      ['quota-exceeded/second', 1],
      ['quota-exceeded/daily', 1],
    ]),
  );
  expect(after).toMatchObject({ call: next, others: 0 });
  expect(refused.pending).toBe(0);
});
