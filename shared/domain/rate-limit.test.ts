import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  admitCall,
  beginHeld,
  createRateWindow,
  holdLast,
  msUntilNextFree,
  rateWindowMs,
  remainingCalls,
  withLimit,
} from './rate-limit.ts';

const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(400), fc.integer({ min: 900, max: 1100 })), {
  maxLength: 300,
});

test('no window of one second ever has more calls than the limit, and a call is refused only when it would', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), steps, (limit, pauses) => {
      const window = createRateWindow(limit);
      const admitted: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const inLastSecond = admitted.filter((instant) => now - instant < rateWindowMs).length;
        expect(remainingCalls(window, now)).toBe(limit - inLastSecond);
        const wait = admitCall(window, now);
        expect(wait === 0).toBe(inLastSecond < limit);
        if (wait === 0) admitted.push(now);
      }
      for (const start of admitted) {
        const within = admitted.filter((instant) => instant >= start && instant < start + rateWindowMs);
        expect(within.length).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test('the returned wait is exact: one millisecond less is not enough', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), steps, (limit, pauses) => {
      const window = createRateWindow(limit);
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        const wait = admitCall(window, now);
        if (wait === 0) continue;
        expect(admitCall(window, now + wait - 1)).toBe(1);
        now += wait;
        expect(admitCall(window, now)).toBe(0);
      }
    }),
  );
});

test('a new limit keeps the calls of the last second', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(50),
      (before, after, calls) => {
        const window = createRateWindow(before);
        for (let call = 0; call < calls; call += 1) admitCall(window, call);
        const used = Math.min(before, calls);
        const changed = withLimit(window, after);
        expect(remainingCalls(changed, 100)).toBe(Math.max(0, after - used));
        expect(remainingCalls(changed, 5000)).toBe(after);
      },
    ),
  );
});

test('an empty window has nothing to wait for', () => {
  const window = createRateWindow(2);
  expect(msUntilNextFree(window, 10)).toBe(0);
  admitCall(window, 10);
  expect(msUntilNextFree(window, 300)).toBe(710);
});

test('a limit must be a whole number from 1', () => {
  expect(() => createRateWindow(0)).toThrow(RangeError);
  expect(() => createRateWindow(1.5)).toThrow(RangeError);
});

test('the memory of a window grows with its calls', () => {
  const window = createRateWindow(1_000_000);
  for (let call = 0; call < 100; call += 1) expect(admitCall(window, call)).toBe(0);
  expect(window.instants.length).toBeLessThan(256);
  expect(remainingCalls(window, 100)).toBe(999_900);
  expect(remainingCalls(window, 1050)).toBe(999_951);
});

test('however long admitted calls are held, at most the limit of them begins in any second', () => {
  const step = fc.record({ pause: fc.nat(400), holds: fc.boolean(), begins: fc.nat(5) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 200 }), (limit, all) => {
      const window = createRateWindow(limit);
      const begun: number[] = [];
      let held = 0;
      let now = 0;
      for (const { pause, holds, begins } of all) {
        now += pause;
        if (admitCall(window, now) === 0) {
          if (holds) {
            holdLast(window);
            held += 1;
          } else begun.push(now);
        }
        for (let count = 0; count < begins && held > 0; count += 1) {
          beginHeld(window, now);
          held -= 1;
          begun.push(now);
        }
        expect(begun.filter((instant) => now - instant < rateWindowMs).length + held).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test('a held call keeps its place under a new limit, and a lower limit does not free a place twice', () => {
  const window = createRateWindow(3);
  for (let call = 0; call < 3; call += 1) {
    admitCall(window, 0);
    holdLast(window);
  }
  const lower = withLimit(window, 1);
  expect(admitCall(lower, 5000)).toBe(rateWindowMs);
  for (let call = 0; call < 3; call += 1) beginHeld(lower, 6000);
  expect(remainingCalls(lower, 6000)).toBe(0);
  expect(admitCall(lower, 6999)).toBe(1);
  expect(admitCall(lower, 7000)).toBe(0);
});
