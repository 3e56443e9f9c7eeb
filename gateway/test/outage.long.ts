import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Connection } from '#shared/database/connect.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { callOnce, keepCalling, print } from './load.ts';
import { type GatewayProcess, spawnWithRetries } from './process.ts';
import { type Product, startProduct } from './product.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { createCustomer, createTempDir, usageOf } from './world.ts';

/** A separate PostgreSQL with durable commits is down for thirty seconds (OUTAGE_SECONDS) while three processes are under load. */
const outageMs = Number(process.env['OUTAGE_SECONDS'] ?? 30) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'octroi-outage-'));
const data = createTempDir();
const agent = new Agent({ connections: 100 });
let server: EmbeddedServer;
let product: Product;
let connection: Connection;
const gateways: GatewayProcess[] = [];

const startServer = () => startEmbedded({ dataDir: folder, logFile: join(folder, 'postgres.log') });

beforeAll(async () => {
  server = await startServer();
  await migrate(server.databaseUrl);
  product = await startProduct();
  connection = connect(server.databaseUrl, { applicationName: 'outage test', onConnectionLost: () => {} });
  const { databaseUrl } = server;
  for (let index = 0; index < 3; index += 1) {
    const setup = { databaseUrl, dataDir: `${data.path}/${index}`, productUrl: product.url };
    gateways.push(await spawnWithRetries(setup, await freePort()));
  }
});
afterAll(async () => {
  await agent.close();
  await Promise.all(gateways.map(({ stop }) => stop()));
  await connection.close();
  await product.close();
  await removeEmbedded(folder);
  data.remove();
});

interface Outcome {
  url: string;
  startedAt: number;
  status: number;
}

test.each([
  ['stopped normally', () => server.stop()],
  [
    'killed with -9',
    async () => {
      process.kill(server.pid, 'SIGKILL');
    },
  ],
])(
  'the database is %s: leased units still work, then 503, then all calls succeed within 2 s; counts are exact',
  async (_how, stop) => {
    const { pool } = connection;
    const customer = await createCustomer(pool, { daily: 10_000_000, monthly: 100_000_000, rps: 100_000 });
    const urls = gateways.map(({ url }) => url);
    const outcomes: Outcome[] = [];
    let turn = 0;
    const load = keepCalling(12, async () => {
      turn += 1;
      const url = urls[turn % urls.length] ?? '';
      const startedAt = performance.now();
      const status = await callOnce(url, customer.key, agent);
      outcomes.push({ url, startedAt, status });
      if (status !== 200) await sleep(20);
    });
    await sleep(4000);
    const goneAt = performance.now();
    await stop();
    const stoppedAt = performance.now();
    await sleep(outageMs);
    server = await startServer();
    const backAt = performance.now();
    await sleep(6000);
    await load.stop();

    // While the server stops, it already rejects new connections.
    const during = outcomes.filter(({ startedAt }) => startedAt > goneAt && startedAt < backAt - 1000);
    const refused = during.filter(({ status }) => status === 503);
    const leased = during.filter(({ status }) => status === 200);
    const lastLeased = Math.max(...leased.map(({ startedAt }) => startedAt - goneAt));
    const recovery = urls.map((url) => {
      const own = outcomes.filter((outcome) => outcome.url === url && outcome.startedAt >= backAt);
      const lastRefused = own.findLast(({ status }) => status !== 200);
      return Math.round((lastRefused?.startedAt ?? backAt) - backAt);
    });
    const succeeded = outcomes.filter(({ status }) => status === 200).length;
    print(
      `before: ${outcomes.filter(({ startedAt }) => startedAt < goneAt).length} calls; down for ${Math.round((backAt - stoppedAt) / 1000)} s: ${leased.length} succeeded from leased units, the last ${Math.round(lastLeased)} ms after the stop, ${refused.length} got 503; the last 503 of each process came ${recovery.join(', ')} ms after the database was back; ${succeeded} succeeded in total`,
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(leased.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    // No call is admitted once the leased units are used or the membership lease has ended.
    expect(lastLeased).toBeLessThan(5000);
    for (const ms of recovery) expect(ms).toBeLessThan(2000);
    await expect.poll(() => usageOf(pool, customer.activationId)).toEqual({ counted: succeeded, free: 0 });
    await expect.poll(() => findQuotaMismatches({ pool })).toEqual([]);
  },
);
