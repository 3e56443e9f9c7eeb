import { expect, test } from 'vitest';
import {
  formatWebhookSecret,
  classifyWebhookResponse,
  signWebhook,
  webhookFailureLimitMs,
  webhookRetryPauseMs,
} from './webhook.ts';

const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const vector = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', atMs: 1_614_265_330_000 };

test('a delivery is signed like the public test vector of Standard Webhooks', () => {
  expect(signWebhook([secret], vector)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('two secrets give two signatures, the first of them unchanged', () => {
  const [first, second, ...more] = signWebhook([secret, Buffer.alloc(24, 1)], vector)['webhook-signature'].split(' ');
  expect(first).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(second).toMatch(/^v1,[\w+/]{43}=$/);
  expect(second).not.toBe(first);
  expect(more).toEqual([]);
});

test('a secret is shown as whsec_ and base64', () => {
  expect(formatWebhookSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
});

test('ten attempts are made, at growing intervals, the last after three days', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => webhookRetryPauseMs(index + 1));
  expect(pauses.at(-1)).toBeUndefined();
  const known = pauses.filter((pause) => pause !== undefined);
  expect(known).toHaveLength(9);
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  expect(known.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(webhookFailureLimitMs);
});

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [199, 'failed'],
  [301, 'failed'],
  [400, 'failed'],
  [410, 'gone'],
  [500, 'failed'],
  [undefined, 'failed'],
])('a response %s is %s', (status, verdict) => {
  expect(classifyWebhookResponse(status)).toBe(verdict);
});
