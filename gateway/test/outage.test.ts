import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import {
  createCustomer,
  findQuotaMismatches,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
  usageOf,
} from './world.ts';

/** The way to the database, which can be cut. */
async function startRoad(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((near) => {
    if (!open) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [near, far].forEach((each) => each.destroy()));
    }
    near.pipe(far);
    far.pipe(near);
    return undefined;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    databaseUrl: url.href,
    /** Breaks every connection once; statements on their way may or may not have been carried out. */
    cut,
    close: () => {
      open = false;
      cut();
    },
    open: () => {
      open = true;
    },
    end: async () => {
      cut();
      await once(server.close(), 'close');
    },
  };
}

let harness: Harness;
let road: Awaited<ReturnType<typeof startRoad>>;
let gateway: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  road = await startRoad(harness.database.databaseUrl);
  const dataDir = `${harness.setup.dataDir}/far`;
  gateway = await startTestGateway({ ...harness.setup, dataDir, databaseUrl: road.databaseUrl });
});
afterAll(async () => {
  await gateway.close();
  await road.end();
  await harness.close();
});

test('while the database is away what is leased goes on, then calls are answered 503, and all is well again soon after', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 100_000, monthly: 100_000, rps: 100_000 });
  const call = () => harness.call(customer.key, { url: gateway.url });
  await Promise.all(Array.from({ length: 400 }, call));
  await Promise.all(Array.from({ length: 50 }, call));
  road.close();
  const during = [];
  const started = performance.now();
  while (performance.now() - started < 4000) during.push(await call());
  // Its lease runs for a while yet, and no revocation is answered before it has ended.
  expect(during.slice(0, 10).map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
  expect(during.at(-1)?.status).toBe(503);
  expect(during.at(-1)?.headers['retry-after']).toBe('1');
  expect(Object.keys(countStatuses(during))).not.toContain('500');
  expect((await fetch(`${gateway.url}/health`)).status).toBe(503);
  road.open();
  const back = performance.now();
  await vi.waitUntil(async () => (await call()).status === 200, { interval: 50, timeout: 5000 });
  expect(performance.now() - back).toBeLessThan(2500);
  const answered = 451 + (countStatuses(during)[200] ?? 0);
  await expect.poll(async () => (await usageOf(harness.database.pool, customer.activationId)).counted).toBe(answered);
});

test('connections that break at any moment lose no unit and count no call twice', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 600, monthly: 100_000, rps: 100_000 });
  let answered = 0;
  let calling = true;
  const caller = async (): Promise<void> => {
    while (stillCalling()) {
      const { status } = await harness.call(customer.key, { url: gateway.url });
      if (status === 200) answered += 1;
      await sleep(5);
    }
  };
  const stillCalling = (): boolean => calling;
  const callers = Array.from({ length: 8 }, caller);
  for (let round = 0; round < 25; round += 1) {
    await sleep(20 + Math.random() * 150);
    road.cut();
  }
  await sleep(2500);
  calling = false;
  await Promise.all(callers);
  // To the last unit, although grants were lost on their way.
  await vi.waitUntil(
    async () => {
      if ((await harness.call(customer.key, { url: gateway.url })).status !== 200) return true;
      answered += 1;
      return answered > 600;
    },
    { interval: 1, timeout: 10_000 },
  );
  await sleep(2000);
  while ((await harness.call(customer.key, { url: gateway.url })).status === 200) answered += 1;
  expect(answered).toBe(600);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 600, free: 0 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});
