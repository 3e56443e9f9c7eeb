import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, countStatuses, usageOf } from './world.ts';

/** A TCP proxy to the database that can be interrupted. */
async function startDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((client) => {
    if (!open) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream);
    upstream.pipe(client);
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
    /** Breaks every connection once; running statements may or may not have been executed. */
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
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let gateway: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  proxy = await startDatabaseProxy(harness.database.databaseUrl);
  const dataDir = `${harness.setup.dataDir}/proxied`;
  gateway = await startTestGateway(
    { ...harness.setup, dataDir, databaseUrl: proxy.databaseUrl },
    { env: { DATABASE_TIMEOUT_MS: '2000' } },
  );
});
afterAll(async () => {
  await gateway.close();
  await proxy.end();
  await harness.close();
});

test('while the database is down, leased units still work, then calls get 503, and all calls succeed soon after it is back', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 100_000, monthly: 100_000, rps: 100_000 });
  const call = () => harness.call(customer.key, { url: gateway.url });
  await Promise.all(Array.from({ length: 400 }, call));
  await Promise.all(Array.from({ length: 50 }, call));
  proxy.close();
  const during = [];
  const started = performance.now();
  while (performance.now() - started < 4000) during.push(await call());
  // The gateway's own lease is still running, and every revocation waits for its end.
  expect(during.slice(0, 10).map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
  expect(during.at(-1)?.status).toBe(503);
  expect(during.at(-1)?.headers['retry-after']).toBe('1');
  expect(Object.keys(countStatuses(during))).not.toContain('500');
  expect((await fetch(`${gateway.url}/health`)).status).toBe(503);
  proxy.open();
  await expect.poll(async () => (await call()).status).toBe(200);
  const succeeded = 451 + (countStatuses(during)[200] ?? 0);
  await expect.poll(async () => (await usageOf(harness.database.pool, customer.activationId)).counted).toBe(succeeded);
});

test('connections that break at any moment lose no unit and count no call twice', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 600, monthly: 100_000, rps: 100_000 });
  let succeeded = 0;
  let calling = true;
  const caller = async (): Promise<void> => {
    while (stillCalling()) {
      const { status } = await harness.call(customer.key, { url: gateway.url });
      if (status === 200) succeeded += 1;
      await sleep(5);
    }
  };
  const stillCalling = (): boolean => calling;
  const callers = Array.from({ length: 8 }, caller);
  for (let round = 0; round < 25; round += 1) {
    await sleep(20 + Math.random() * 150);
    proxy.cut();
  }
  calling = false;
  await Promise.all(callers);
  const callOnceMore = async (): Promise<number> => {
    if ((await harness.call(customer.key, { url: gateway.url })).status === 200) succeeded += 1;
    return succeeded;
  };
  // All units can be used, although some grants were lost on the way, and no more.
  await expect.poll(callOnceMore, { interval: 1 }).toBe(600);
  for (let more = 0; more < 20; more += 1) expect(await callOnceMore()).toBe(600);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 600, free: 0 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});
