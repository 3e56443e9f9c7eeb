import { expect, test } from 'vitest';
import { countingRules, isCounted, statusClass } from './metering.ts';

test.each([200, 201, 204, 206, 301, 304, 400, 404, 409, 410, 413, 422])(
  'an answer %i of the product counts',
  (status) => {
    expect(isCounted(status)).toBe(true);
  },
);

test.each([401, 403, 407, 408, 421, 425, 429, 500, 501, 502, 503, 504, 599])(
  "an answer %i is the provider's fault and never counts",
  (status) => {
    expect(isCounted(status)).toBe(false);
  },
);

test('an answer that repeats an earlier one for its Idempotency-Key never counts', () => {
  expect([200, 201, 404, 422, 500].map((status) => isCounted(status, true))).toEqual(Array(5).fill(false));
});

test('every final status from 200 to 599 is decided by the table, and nothing outside it counts', () => {
  for (let status = 200; status <= 599; status += 1) {
    expect(countingRules.some((rule) => !rule.replayed && status >= rule.from && status <= rule.to)).toBe(true);
  }
  expect([100, 101, 199, 600, 999].map((status) => isCounted(status))).toEqual([false, false, false, false, false]);
});

test('the class of a status is its first digit', () => {
  expect([200, 304, 404, 599].map(statusClass)).toEqual([2, 3, 4, 5]);
});
