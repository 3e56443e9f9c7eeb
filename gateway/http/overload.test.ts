import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { receivedCalls } from '#gateway/test/product.ts';
import {
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';

let harness: Harness;
let gateway: Gateway;
const apart = new Agent();
beforeAll(async () => {
  harness = await openHarness();
  gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/narrow` },
    { env: { UPSTREAM_CONNECTIONS: '4', UPSTREAM_QUEUE_TIMEOUT_MS: '100' } },
  );
});
afterAll(async () => {
  await apart.close();
  await gateway.close();
  await harness.close();
});

const newCustomer = () => createCustomer(harness.database.pool, { daily: 5000 });
const call = (key: string, path: string) => harness.call(key, { url: gateway.url, path });

const burstOf = (hot: Customer, url: string, path: string) =>
  Promise.all(Array.from({ length: 250 }, () => harness.call(hot.key, { url, path })));

/** On a connection that no other customer uses: one that has just served another waits for that one’s turn, unless a proxy opened it. */
async function callApart({ key }: Customer, url: string): Promise<number> {
  const headers = { 'x-api-key': key };
  const { statusCode, body } = await request(`${url}/tax-lookup/v1/ok`, { headers, dispatcher: apart });
  await body.dump();
  return statusCode;
}

/**
 * One customer makes 250 calls at once. Checks that another's sequential calls all succeed meanwhile, and the first one's afterwards. A machine that
 * stands still makes any call late, and then it may be refused: so may one that waited for `busyDelayMs` although only few others went before it.
 */
async function flood(url: string, hot: Customer, calm: Customer, path: string, busyDelayMs: number) {
  const burst = burstOf(hot, url, path);
  const served = [];
  for (let index = 0; index < 5; index += 1) {
    const [began, before] = [performance.now(), receivedCalls()];
    const status = await callApart(calm, url);
    served.push({ status, waitedMs: performance.now() - began, others: receivedCalls() - before });
  }
  expect(
    served.filter(({ status, waitedMs, others }) => status !== 200 && (waitedMs < busyDelayMs || others > 10)),
  ).toEqual([]);
  const responses = await burst;
  const { 200: ok = 0, 503: refused = 0 } = countStatuses(responses);
  expect(ok + refused).toBe(250);
  const refusal = responses.find(({ status }) => status === 503);
  expect(refusal).toMatchObject({ json: { code: 'overloaded' }, headers: { 'retry-after': '1' } });
  await expect.poll(async () => (await harness.call(hot.key, { url })).status).toBe(200);
  return { ok, refused };
}

test('calls beyond the capacity of a product get an early 503 and are not counted, while other customers are served', async () => {
  const [hot, calm] = [await newCustomer(), await newCustomer()];
  await Promise.all([call(hot.key, '/ok'), callApart(calm, gateway.url)]);
  const { ok, refused } = await flood(gateway.url, hot, calm, '/slow/150', Infinity);
  expect(ok).toBeGreaterThan(2);
  expect(refused).toBeGreaterThan(100);
  await expect.poll(() => usageOf(harness.database.pool, hot.activationId)).toEqual({ counted: ok + 2, free: 0 });
});

test('queued calls of callers who disconnect leave the queue and are not counted', async () => {
  const customer = await newCustomer();
  const leaving = new AbortController();
  const before = harness.product.received();
  const disconnected = Array.from({ length: 20 }, () =>
    fetch(`${gateway.url}/tax-lookup/v1/slow/1000`, {
      headers: { 'x-api-key': customer.key },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  // Of four connections, one customer gets three.
  await expect.poll(() => harness.product.received()).toBe(before + 3);
  leaving.abort();
  await Promise.all(disconnected);
  await expect.poll(async () => (await call(customer.key, '/ok')).status).toBe(200);
  await expect.poll(async () => (await usageOf(harness.database.pool, customer.activationId)).counted).toBeLessThan(5);
});

test('an overloaded gateway refuses the busiest caller, serves the others, and recovers soon after', async () => {
  const busy = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/busy` },
    { upstream: 'file:gateway/test/inside.ts', env: { BUSY_DELAY_MS: '1500', UPSTREAM_CONNECTIONS: '1000' } },
  );
  try {
    const [hot, calm] = [await newCustomer(), await newCustomer()];
    // Open the connections first.
    const [warm] = await Promise.all([burstOf(hot, busy.url, '/ok'), callApart(calm, busy.url)]);
    const { 200: warmed = 0 } = countStatuses(warm);
    // Five seconds of computing: more than three times what makes a call late, which is long enough for a machine that is busy itself.
    const { ok, refused } = await flood(busy.url, hot, calm, '/computes/20', 1500);
    // About half of the late calls are refused. By chance alone, three quarters would come once in 10^12 runs.
    expect(refused).toBeLessThan(0.75 * 250);
    expect(refused).toBeGreaterThan(20);
    await expect
      .poll(() => usageOf(harness.database.pool, hot.activationId))
      .toEqual({ counted: warmed + ok + 1, free: 0 });
  } finally {
    await busy.close();
  }
});

test('accepts new connections while others keep the gateway busy', { timeout: 180_000 }, async () => {
  const busy = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/open` },
    { upstream: 'file:gateway/test/inside.ts', env: { UPSTREAM_CONNECTIONS: '1000' } },
  );
  /** Opens 100 connections with a call on each, and returns how many calls of the others completed meanwhile. */
  const openConnections = async (key: string, completedNow: () => number): Promise<number> => {
    const newcomers = new Agent({ connections: 100 });
    const before = completedNow();
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const headers = { 'x-api-key': key };
        const { statusCode, body } = await request(`${busy.url}/tax-lookup/v1/ok`, { headers, dispatcher: newcomers });
        await body.dump();
        return statusCode;
      }),
    );
    const meanwhile = completedNow() - before;
    expect(new Set(statuses)).toEqual(new Set([200]));
    await newcomers.close();
    return meanwhile;
  };
  try {
    const [hot, calm] = [await newCustomer(), await newCustomer()];
    const ending = new AbortController();
    let completed = 0;
    const keepBusy = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        await harness.call(hot.key, { url: busy.url, path: '/computes/1' });
        completed += 1;
      }
    };
    const load = Array.from({ length: 100 }, keepBusy);
    await expect.poll(() => completed).toBeGreaterThan(200);
    // Each turn of the event loop accepts one connection, and such turns are short. On a loaded machine connections arrive late and more
    // calls complete meanwhile, so the best of five rounds counts.
    let fewest = Infinity;
    for (let round = 0; round < 5 && fewest >= 500; round += 1) {
      fewest = Math.min(fewest, await openConnections(calm.key, () => completed));
    }
    expect(fewest).toBeLessThan(500);
    ending.abort();
    await Promise.all(load);
  } finally {
    await busy.close();
  }
});
