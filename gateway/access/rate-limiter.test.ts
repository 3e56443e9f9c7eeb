import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

test('a used-up limit still applies after many other keys in the same second', () => {
  let nowMs = 0;
  const windows = createRateLimiter(2, () => nowMs);
  expect([windows.admit('busy'), windows.admit('busy')]).toEqual([0, 0]);
  for (let other = 0; other < 50_000; other += 1) windows.admit(`key ${other}`);
  nowMs = 999;
  expect(windows.admit('busy')).toBe(1);
  nowMs = 1000;
  expect(windows.admit('busy')).toBe(0);
});

test('a key that calls all the time stays limited while thousands of others come and go', () => {
  let nowMs = 0;
  const windows = createRateLimiter(1, () => nowMs);
  let admitted = 0;
  for (let step = 0; step < 100_000; step += 1) {
    nowMs = step / 10;
    windows.admit(`key ${step}`);
    if (windows.admit('busy') === 0) admitted += 1;
  }
  expect(admitted).toBe(10);
});
