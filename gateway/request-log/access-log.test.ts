import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Gateway } from '#gateway/gateway.ts';
import { createCustomer, createTempDir, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';

const lineSchema = z.looseObject({ requestId: z.string(), status: z.number() });
const folder = createTempDir();
const file = join(folder.path, 'access.log');
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ env: { ACCESS_LOG: file } });
});
afterAll(async () => {
  await harness.close();
  folder.remove();
});

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineSchema.parse(JSON.parse(line)));

/** The line of a call, once it is written. */
const lineOf = (requestId: unknown, path = file) =>
  vi.waitUntil(() => linesOf(path).find((line) => line.requestId === requestId), { timeout: 60_000 });

test('a call is one line with request id, customer, prefix of the key, status, units and time, and without the key and the query', async () => {
  const { key, keyId, activationId } = await createCustomer(harness.database.pool);
  const { headers } = await harness.call(key, { path: '/ok?gstin=27AAPFU0939F1ZV&"' });
  const line = await lineOf(headers['x-request-id']);
  expect(line).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    requestId: headers['x-request-id'],
    customer: expect.stringMatching(/^CUS-/),
    activation: activationId,
    key: keyId,
    keyPrefix: key.slice(0, 16),
    product: 'tax-lookup-api',
    method: 'GET',
    path: '/tax-lookup/v1/ok',
    status: 200,
    units: 1,
    outcome: 'answered',
    ms: expect.any(Number),
  });
  expect(readFileSync(file, 'utf8')).not.toContain(key);
});

test('a refused call is one line, with the customer if the key is known', async () => {
  const { key } = await createCustomer(harness.database.pool, { daily: 1 });
  await harness.call(key);
  const known = await harness.call(key);
  const unknown = await harness.call('not a key');
  expect(await lineOf(known.headers['x-request-id'])).toMatchObject({
    status: 429,
    units: 0,
    customer: expect.any(String),
  });
  expect(await lineOf(unknown.headers['x-request-id'])).toMatchObject({ status: 401, problem: 'key-malformed' });
  const ids = linesOf(file).map(({ requestId }) => requestId);
  expect(ids).toEqual([...new Set(ids)]);
});

test('when the file is moved away, as logrotate does, calls go to a new one, and no line is lost', async () => {
  const { key } = await createCustomer(harness.database.pool);
  const sent: unknown[] = [];
  const call = async () => void sent.push((await harness.call(key)).headers['x-request-id']);
  for (let turn = 0; turn < 20; turn += 1) await call();
  const old = join(folder.path, 'access.log.1');
  renameSync(file, old);
  await vi.waitUntil(
    async () => {
      await call();
      return linesIfAny(file) > 0;
    },
    { timeout: 60_000, interval: 50 },
  );
  await lineOf(sent.at(-1));
  const written = new Set([...linesOf(old), ...linesOf(file)].map(({ requestId }) => requestId));
  expect(sent.filter((requestId) => !written.has(String(requestId)))).toEqual([]);
});

function linesIfAny(path: string): number {
  try {
    return linesOf(path).length;
  } catch {
    return 0;
  }
}

test('calls go on while the disk is full', async () => {
  const full: Gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/full` },
    { env: { ACCESS_LOG: '/dev/full' } },
  );
  try {
    const { key } = await createCustomer(harness.database.pool);
    for (let turn = 0; turn < 30; turn += 1) {
      expect((await harness.call(key, { url: full.url })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await full.close();
  }
});

test('calls go on while the folder of the file is missing, and are written once it is there', async () => {
  const late = join(folder.path, 'late');
  const inside = join(late, 'access.log');
  const gateway: Gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/late` },
    { env: { ACCESS_LOG: inside } },
  );
  try {
    const { key } = await createCustomer(harness.database.pool);
    for (let turn = 0; turn < 30; turn += 1) {
      expect((await harness.call(key, { url: gateway.url })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    mkdirSync(late);
    await vi.waitUntil(
      async () => {
        await harness.call(key, { url: gateway.url });
        return linesIfAny(inside) > 0;
      },
      { timeout: 60_000, interval: 50 },
    );
  } finally {
    await gateway.close();
  }
});
