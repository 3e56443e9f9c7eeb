import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayOf, startOfDay } from './day.ts';
import { createSteadyClock } from './steady-clock.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noon = startOfDay('2027-03-31') + 12 * hourMs;

test('whatever the machine’s clock does, the day never goes back and the time is never before its beginning', () => {
  const jump = fc.oneof(fc.integer({ min: -dayMs, max: dayMs }), fc.integer({ min: -2 * dayMs, max: 365 * dayMs }));
  fc.assert(
    fc.property(fc.array(jump, { maxLength: 40 }), (jumps) => {
      let at = noon;
      const clock = createSteadyClock(() => at);
      let latest = dayOf(clock.now());
      for (const ms of jumps) {
        at += ms;
        const now = clock.now();
        expect(dayOf(now) >= latest).toBe(true);
        expect(now).toBe(Math.max(at, startOfDay(clock.reached())));
        latest = dayOf(now);
      }
    }),
  );
});

test('within a day it follows the machine’s clock; after a step back it waits at the first millisecond of the day', () => {
  let at = noon;
  const clock = createSteadyClock(() => at);
  at -= hourMs;
  expect(clock.now()).toBe(at);
  at = startOfDay('2027-04-01');
  expect(clock.now()).toBe(at);
  at -= 1;
  expect([clock.now(), clock.isWaiting()]).toEqual([startOfDay('2027-04-01'), true]);
  at += 2;
  expect([clock.now(), clock.isWaiting()]).toEqual([at, false]);
});

test('a day reached by another process is reached here, and setting the clock on purpose resets it', () => {
  const clock = createSteadyClock(() => noon);
  clock.reach('2027-04-02');
  expect(dayOf(clock.now())).toBe('2027-04-02');
  clock.reach('2027-04-01');
  expect(clock.reached()).toBe('2027-04-02');
  clock.forget();
  expect(clock.now()).toBe(noon);
  expect(addDays(clock.reached(), 1)).toBe('2027-04-01');
});
