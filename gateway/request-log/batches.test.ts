import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { readCalls } from '#shared/domain/logged-call.ts';
import { callOutcomeNames } from '#shared/domain/metering.ts';
import { newRequestId } from '#gateway/http/request-id.ts';
import { openBatches } from './batches.ts';
import type { Outcome } from './call-info.ts';
import { maskPath } from './mask-path.ts';

const numbers = z.record(z.string(), z.number());
const noon = startOfDay('2026-11-22') + 12 * 3_600_000;
const outcomes: fc.Arbitrary<Outcome> = fc.record({
  status: fc.constantFrom(200, 404, 429, 502),
  units: fc.constantFrom(0, 1, 10),
  reason: fc.constantFrom(...callOutcomeNames.filter((name) => name !== 'test')),
  problem: fc.constantFrom(undefined, 'key-invalid', 'quota-exceeded;rule=second;limit=5', 'quota-exceeded;rule=daily'),
});
const calls = fc.record({
  key: fc.constantFrom('KEY-1', 'KEY-2'),
  agoMs: fc.oneof(fc.nat(1000), fc.nat(20 * 60_000), fc.nat(86_400_000)),
  method: fc.constantFrom('GET', 'POST'),
  target: fc.constantFrom('/v1/ok', '/v1/ok?q=1', '/v1/gstin/27AAPFU0939F1ZV', '/v1/hsn/8471'),
  outcome: outcomes,
  latencyMs: fc.nat(5000),
  /** A later correction. */
  correction: fc.option(outcomes),
});

test('each call is in one batch of its key, day and a few minutes, and reads back with its last correction', () => {
  fc.assert(
    fc.property(fc.array(calls, { minLength: 1, maxLength: 40 }), fc.constantFrom(1, 60), (sample, times) => {
      const batches = openBatches();
      const recorded = Array.from({ length: times }, () => sample).flat();
      const wanted = recorded.map(({ key, agoMs, method, target, outcome, latencyMs, correction }) => {
        const at = noon - agoMs;
        const about = {
          access: {
            activationId: 'ACT-1',
            serviceId: 'tax-lookup-api',
            customerId: 'CUS-1',
            keyPrefix: null,
            keyId: key,
          },
          requestId: newRequestId(),
          at,
          method,
          target,
        };
        const batch = batches.add(about, outcome, latencyMs);
        if (correction !== null) batch.change(batch.calls - 1, about, outcome, correction);
        const call = {
          requestId: about.requestId,
          at,
          method,
          path: maskPath(target),
          latencyMs,
          ...(correction ?? outcome),
        };
        return { id: batch.id, keyId: key, ...call };
      });
      const taken = batches.take();
      const read = taken.flatMap((batch) =>
        readCalls(batch.day, batch.dictionary(), batch.records()).map((call) => ({
          id: batch.id,
          keyId: batch.keyId,
          ...call,
        })),
      );
      const order = new Map(taken.map(({ id }, index) => [id, index]));
      expect(read).toEqual(wanted.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)));
      for (const { id, calls: number, counted, fromMs, toMs, statuses, sealed } of taken) {
        const of = wanted.filter((call) => call.id === id);
        const times = of.map(({ at }) => at);
        expect([number, counted]).toEqual([of.length, of.filter((call) => call.units > 0).length]);
        expect([fromMs, toMs]).toEqual([Math.min(...times), Math.max(...times)]);
        expect(toMs - fromMs).toBeLessThanOrEqual(5 * 60_000);
        expect([...statuses]).toEqual(expect.arrayContaining(of.map(({ status }) => status)));
        expect([number <= 500, sealed]).toEqual([true, true]);
      }
      // Corrections add none: they change calls that a product has seen.
      const named = recorded.flatMap(({ outcome }) =>
        outcome.problem === undefined ? [] : [problemName(readProblem(outcome.problem))],
      );
      const counts = taken.flatMap((batch) => Object.entries(numbers.parse(JSON.parse(batch.problems()))));
      for (const name of new Set([...named, ...counts.map(([each]) => each)])) {
        const sum = counts.filter(([each]) => each === name).reduce((all, [, of]) => all + of, 0);
        expect(sum).toBe(named.filter((each) => each === name).length);
      }
      expect(batches.take()).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('separates the test calls of a key from its other calls', () => {
  const batches = openBatches();
  const about = {
    access: {
      activationId: 'ACT-1',
      serviceId: 'tax-lookup-api',
      customerId: 'CUS-1',
      keyPrefix: null,
      keyId: 'KEY-1',
    },
    requestId: newRequestId(),
    at: noon,
    method: 'GET',
    target: '/',
  };
  batches.add(about, { status: 200, units: 1, reason: 'answered' }, 1);
  batches.add(about, { status: 200, units: 0, reason: 'test' }, 1);
  expect(batches.take().map(({ test }) => test)).toEqual([false, true]);
});
