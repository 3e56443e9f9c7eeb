import { expect, test } from 'vitest';
import {
  countingOf,
  countingRules,
  gatewayAnswers,
  gatewayStatuses,
  isCounted,
  isGatewayCode,
  statusClass,
} from './metering.ts';

test.each([200, 201, 204, 206, 301, 304, 400, 404, 409, 410, 422])('a response %i of the product counts', (status) => {
  expect(isCounted(status)).toBe(true);
});

test.each([401, 402, 403, 407, 408, 413, 421, 425, 429, 500, 501, 502, 503, 504, 599])(
  "a response %i is the provider's fault and never counts",
  (status) => {
    expect(isCounted(status)).toBe(false);
  },
);

test('a replay for the same Idempotency-Key never counts', () => {
  expect([200, 201, 404, 422, 500].map((status) => isCounted(status, true))).toEqual(Array(5).fill(false));
});

test('the table covers every final status from 200 to 599, and nothing else counts', () => {
  for (let status = 200; status <= 599; status += 1) {
    expect(countingRules.some((rule) => !rule.replayed && status >= rule.from && status <= rule.to)).toBe(true);
  }
  expect([100, 101, 199, 600, 999].map((status) => isCounted(status))).toEqual([false, false, false, false, false]);
});

test('the class of a status is its first digit', () => {
  expect([200, 304, 404, 599, 600, 999].map(statusClass)).toEqual([2, 3, 4, 5, 5, 5]);
});

test('the gateway’s own responses never count: their status or their code identifies them', () => {
  for (const [code, status] of Object.entries(gatewayAnswers)) {
    expect(countingOf(status), code).not.toBe('always');
    expect(isGatewayCode(status, code)).toBe(true);
    expect(isGatewayCode(status + 1, code)).toBe(false);
  }
  expect(isGatewayCode(400, '2150')).toBe(false);
  expect(gatewayStatuses.filter((status) => countingOf(status) === 'unless-gateway')).toEqual([
    400, 404, 405, 414, 417, 431,
  ]);
  expect([200, 422, 413, 500].map(countingOf)).toEqual(['always', 'always', 'never', 'never']);
});
