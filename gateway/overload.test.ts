import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Gateway } from './gateway.ts';
import { createCustomer, type House, openHouse, startTestGateway, tallyOf, usageOf } from './test-world.ts';

let house: House;
let gateway: Gateway;
beforeAll(async () => {
  house = await openHouse();
  gateway = await startTestGateway(
    { ...house.place, dataDir: `${house.place.dataDir}/narrow` },
    { env: { UPSTREAM_CONNECTIONS: '4', UPSTREAM_PATIENCE_MS: '100', BUSY_DELAY_MS: '20' } },
  );
});
afterAll(async () => {
  await gateway.close();
  await house.close();
});

const newCustomer = () => createCustomer(house.database.pool, { daily: 5000 });
const call = (key: string, path: string) => house.call(key, { url: gateway.url, path });

test('who sends more than a product can take is answered 503 soon and uncounted, while others are served', async () => {
  const [hot, calm] = [await newCustomer(), await newCustomer()];
  await Promise.all([call(hot.key, '/ok'), call(calm.key, '/ok')]);
  const flood = Promise.all(Array.from({ length: 250 }, () => call(hot.key, '/slow/150')));
  const served = [];
  for (let index = 0; index < 5; index += 1) served.push(await call(calm.key, '/ok'));
  expect(tallyOf(served)).toEqual({ 200: 5 });
  const answers = await flood;
  const { 200: answered = 0, 503: refused = 0 } = tallyOf(answers);
  expect(answered + refused).toBe(250);
  expect(answered).toBeGreaterThan(2);
  expect(refused).toBeGreaterThan(100);
  const refusal = answers.find(({ status }) => status === 503);
  expect(refusal).toMatchObject({ json: { code: 'overloaded' }, headers: { 'retry-after': '1' } });
  expect((await call(hot.key, '/ok')).status).toBe(200);
  await expect.poll(() => usageOf(house.database.pool, hot.activationId)).toEqual({ counted: answered + 2, free: 0 });
});

test('callers who leave while they wait free their place and are not counted', async () => {
  const customer = await newCustomer();
  const leaving = new AbortController();
  const gone = Array.from({ length: 20 }, () =>
    fetch(`${gateway.url}/tax-lookup/v1/slow/100`, {
      headers: { 'x-api-key': customer.key },
      signal: leaving.signal,
    }).catch(() => undefined),
  );
  await sleep(60);
  leaving.abort();
  await Promise.all(gone);
  await expect.poll(async () => (await call(customer.key, '/ok')).status).toBe(200);
  await expect.poll(async () => (await usageOf(house.database.pool, customer.activationId)).counted).toBeLessThan(5);
});

test(
  'a gateway that runs late refuses whoever has most under way, and all is well soon after',
  { timeout: 60_000 },
  async () => {
    const wide = await startTestGateway(
      { ...house.place, dataDir: `${house.place.dataDir}/late` },
      { env: { BUSY_DELAY_MS: '5', UPSTREAM_CONNECTIONS: '1000' } },
    );
    try {
      const [hot, calm] = [await newCustomer(), await newCustomer()];
      const before = house.product.begun();
      const waiting = Array.from({ length: 150 }, () => house.call(hot.key, { url: wide.url, path: '/slow/9000' }));
      await vi.waitUntil(() => house.product.begun() === before + 150, { timeout: 10_000 });
      // Every turn of the event loop takes this long.
      const spinning = setInterval(() => {
        const until = performance.now() + 60;
        while (performance.now() < until);
      }, 1);
      const answerOf = (key: string) => house.call(key, { url: wide.url });
      await vi.waitUntil(async () => (await answerOf(hot.key)).status === 503, { timeout: 20_000 });
      expect((await answerOf(calm.key)).status).toBe(200);
      clearInterval(spinning);
      await vi.waitUntil(async () => (await answerOf(hot.key)).status === 200, { timeout: 20_000 });
      await Promise.all(waiting);
    } finally {
      await wide.close();
    }
  },
);
