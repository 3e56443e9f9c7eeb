import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { receivedCalls } from '#gateway/test/product.ts';
import {
  type TestResponse,
  createCustomer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';

/** Callers that disconnect before the response, and retry with the same Idempotency-Key. */

const env = { UPSTREAM_TIMEOUT_MS: '4000', UPSTREAM_CONNECTIONS: '8' };
let harness: Harness;
let inside: Gateway;
let second: Gateway;
beforeAll(async () => {
  harness = await openHarness({ env });
  const dataDir = (name: string) => ({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${name}` });
  inside = await startTestGateway(dataDir('inside'), { env, upstream: 'file:gateway/test/inside.ts' });
  second = await startTestGateway(dataDir('second'), { env });
});
afterAll(async () => {
  await inside.close();
  await second.close();
  await harness.close();
});

/** Sends a call and drops its connection after `afterMs`, or as soon as the API has received it. */
async function disconnect(
  url: string,
  key: string,
  path: string,
  afterMs: number | 'dispatch',
  idempotencyKey = '',
): Promise<void> {
  const before = receivedCalls();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const field = idempotencyKey === '' ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`;
  const head = `POST /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${field}Content-Length: 2\r\n\r\n{}`;
  await new Promise<void>((resolve) => socket.write(head, () => resolve()));
  if (afterMs !== 'dispatch') await sleep(afterMs);
  else while (receivedCalls() === before) await sleep(1);
  socket.destroy();
}

const usage = (activationId: string) => usageOf(harness.database.pool, activationId);
const send = (key: string, path: string, idempotencyKey: string, url?: string): Promise<TestResponse> =>
  harness.call(key, {
    method: 'POST',
    path,
    body: '{}',
    headers: { 'idempotency-key': idempotencyKey },
    ...(url === undefined ? {} : { url }),
  });

const apis: [string, () => string][] = [
  ['a remote API', () => harness.gateway.url],
  ['an in-process API', () => inside.url],
];

/** Tests that wait for the upstream timeout do so for both kinds of APIs at once. */
test.concurrent.for(apis)(
  'with %s an abandoned call holds its slot only until the upstream timeout, and is free without a response',
  async ([_what, url], { expect }) => {
    const customer = await createCustomer(harness.database.pool, { daily: 20 });
    await Promise.all(Array.from({ length: 12 }, () => disconnect(url(), customer.key, '/slow/60000', 30)));
    // All units and slots are released: the entire quota can still be used, and no more.
    for (let successes = 0; successes < 20;) {
      const { status } = await harness.call(customer.key, { url: url() });
      if (status === 200) successes += 1;
      else await sleep(50);
    }
    expect((await harness.call(customer.key, { url: url() })).status).toBe(429);
    await expect.poll(() => usage(customer.activationId)).toMatchObject({ counted: 20 });
  },
);

describe.each(apis)('with %s', (_what, url) => {
  test('a call is counted by its response after the caller has disconnected', async () => {
    const customer = await createCustomer(harness.database.pool, { daily: 20 });
    await disconnect(url(), customer.key, '/slow/250', 'dispatch');
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 1, free: 0 });
    await disconnect(url(), customer.key, '/big/9000000', 'dispatch');
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 2, free: 0 });
    await disconnect(url(), customer.key, '/status/500', 'dispatch');
    await expect.poll(() => usage(customer.activationId)).toMatchObject({ counted: 2 });
  });

  test('a caller that drops each first attempt within 3 ms and retries gets no response for free', async () => {
    const customer = await createCustomer(harness.database.pool, { daily: 1000 });
    let judged = 0;
    const statuses = new Set<number>();
    for (let call = 0; call < 40; call += 1) {
      const idempotencyKey = randomUUID();
      await disconnect(url(), customer.key, '/remembers/5', call % 4, idempotencyKey);
      for (let status = 409; status === 409;) {
        status = (await send(customer.key, '/remembers/5', idempotencyKey, url())).status;
        // 409 means that the first call is still in progress. It counts like any 4xx.
        judged += status === 409 ? 1 : 0;
        statuses.add(status);
      }
      expect((await send(customer.key, '/remembers/5', idempotencyKey, url())).headers['octroi-replayed']).toBe('true');
    }
    expect([...statuses].filter((each) => each !== 409)).toEqual([201]);
    await expect.poll(async () => (await usage(customer.activationId)).counted).toBe(40 + judged);
  });
});

test.concurrent.for(apis)(
  'with %s a call that timed out is counted with the first replay of its response',
  async ([_what, url], { expect }) => {
    const customer = await createCustomer(harness.database.pool, { daily: 20 });
    const idempotencyKey = randomUUID();
    expect((await send(customer.key, '/remembers/8000', idempotencyKey, url())).status).toBe(504);
    const statuses: number[] = [];
    while (statuses.filter((status) => status === 201).length < 3) {
      await sleep(300);
      statuses.push((await send(customer.key, '/remembers/8000', idempotencyKey, url())).status);
    }
    const judged = statuses.filter((status) => status === 409).length;
    await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 1 + judged, free: 3 });
  },
);

test('a caller that disconnects while its call is queued uses no quota', async () => {
  const [hot, customer] = [await createCustomer(harness.database.pool), await createCustomer(harness.database.pool)];
  const gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/narrow` },
    { env: { UPSTREAM_CONNECTIONS: '1' } },
  );
  try {
    const before = receivedCalls();
    const slow = harness.call(hot.key, { path: '/slow/3000', url: gateway.url });
    while (receivedCalls() === before) await sleep(1);
    await disconnect(gateway.url, customer.key, '/ok', 200);
    await slow;
    expect(receivedCalls()).toBe(before + 1);
    expect((await harness.call(customer.key, { url: gateway.url })).headers['x-ratelimit-remaining']).toBe('999');
  } finally {
    await gateway.close();
  }
});

test('only the first replay of an uncounted response counts, whichever gateway it goes through', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 50 });
  const urls = [harness.gateway.url, second.url];
  const idempotencyKey = randomUUID();
  const replays = Array.from({ length: 12 }, (_, index) =>
    send(customer.key, '/replayed/200', idempotencyKey, urls[index % 2]),
  );
  for (const { status } of await Promise.all(replays)) expect(status).toBe(200);
  await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 1, free: 11 });
});

test('a response is counted once when its replay on another gateway overtakes it', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 100 });
  const before = receivedCalls();
  for (let round = 0; round < 10; round += 1) {
    const idempotencyKey = randomUUID();
    await disconnect(harness.gateway.url, customer.key, '/remembers/0', 0, idempotencyKey);
    const attempts = await Promise.all(
      [second.url, harness.gateway.url, second.url].map((url) =>
        send(customer.key, '/remembers/0', idempotencyKey, url),
      ),
    );
    expect(attempts.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  }
  const undecided = async (): Promise<number> => {
    const { counted, free } = await usage(customer.activationId);
    return receivedCalls() - before - counted - free;
  };
  // Dropped calls may be decided last.
  await expect.poll(undecided).toBe(0);
  const responses = await harness.database.pool.query(
    `select count(*)::int as calls, count(distinct response_id)::int as responses from counted_responses where activation_id = $1`,
    [customer.activationId],
  );
  const { counted } = await usage(customer.activationId);
  expect(responses.rows).toEqual([{ calls: counted, responses: counted }]);
  expect(counted).toBeGreaterThanOrEqual(10);
});

test('the count of a truncated response is reversed, and its first replay counts', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 2 });
  const idempotencyKey = randomUUID();
  await expect(send(customer.key, '/broken', idempotencyKey)).rejects.toThrow(/other side closed|terminated/);
  await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 0, free: 1 });
  expect((await send(customer.key, '/replayed/200', idempotencyKey)).status).toBe(200);
  expect((await send(customer.key, '/replayed/200', idempotencyKey)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(429);
  await expect.poll(() => usage(customer.activationId)).toEqual({ counted: 2, free: 2 });
});
