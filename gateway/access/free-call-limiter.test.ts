import { expect, test } from 'vitest';
import { createRateLimiter } from './free-call-limiter.ts';

test('a used-up limit still applies after many other keys in the same second', () => {
  let nowMs = 0;
  const limiter = createRateLimiter(2, () => nowMs);
  expect([limiter.admit('busy'), limiter.admit('busy')]).toEqual([0, 0]);
  for (let other = 0; other < 50_000; other += 1) limiter.admit(`key ${other}`);
  nowMs = 999;
  expect(limiter.admit('busy')).toBe(1);
  nowMs = 1000;
  expect(limiter.admit('busy')).toBe(0);
});

test('a constantly used key stays limited while thousands of others come and go', () => {
  let nowMs = 0;
  const limiter = createRateLimiter(1, () => nowMs);
  let admitted = 0;
  for (let step = 0; step < 100_000; step += 1) {
    nowMs = step / 10;
    limiter.admit(`key ${step}`);
    if (limiter.admit('busy') === 0) admitted += 1;
  }
  expect(admitted).toBe(10);
});
