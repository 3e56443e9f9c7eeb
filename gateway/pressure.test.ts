import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPressure, type Share } from './pressure.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose event loop is as late as the test says. */
function lateProcess() {
  const now = { delayMs: 0 };
  const pressure = createPressure({ targetDelayMs: 100, readDelayMs: () => now.delayMs });
  const fill = (share: Share, calls: number): void => {
    for (let call = 0; call < calls; call += 1) pressure.enter(share);
  };
  return { now, pressure, fill };
}

test('a burst that is over within half a second refuses nobody', () => {
  const { now, pressure, fill } = lateProcess();
  const hot = { underWay: 0 };
  fill(hot, 5000);
  now.delayMs = 900;
  vi.advanceTimersByTime(400);
  expect(pressure.admits(hot)).toBe(true);
  pressure.stop();
});

test('while the loop stays late, who has most under way is refused and others are not', () => {
  const { now, pressure, fill } = lateProcess();
  const hot = { underWay: 0 };
  const others = Array.from({ length: 9 }, () => ({ underWay: 0 }));
  fill(hot, 2000);
  for (const other of others) fill(other, 5);
  now.delayMs = 400;
  vi.advanceTimersByTime(1000);
  expect(pressure.admits(hot)).toBe(false);
  expect(others.every((other) => pressure.admits(other))).toBe(true);
  expect(pressure.admits({ underWay: 0 })).toBe(true);
  pressure.stop();
});

test('when the load is gone everything is admitted again within five seconds', () => {
  const { now, pressure, fill } = lateProcess();
  const hot = { underWay: 0 };
  fill(hot, 2000);
  now.delayMs = 3000;
  vi.advanceTimersByTime(5000);
  expect(pressure.admits(hot)).toBe(false);
  now.delayMs = 0;
  vi.advanceTimersByTime(5000);
  expect(pressure.admits(hot)).toBe(true);
  pressure.stop();
});
