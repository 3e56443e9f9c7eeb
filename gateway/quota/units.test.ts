import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { readCalls } from '#shared/domain/logged-call.ts';
import { listen } from '#gateway/http/server.ts';
import { addPack } from '#gateway/test/access.ts';
import { spawnGateway } from '#gateway/test/process.ts';
import { findQuotaMismatches, unitsOf } from '#gateway/test/quota-mismatches.ts';
import {
  createCustomer,
  createTempDir,
  type Harness,
  openHarness,
  type PlanTerms,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';
import { freePort } from '#shared/platform/free-ports.ts';

const operations = [
  { id: 'ok', name: 'Ok', method: 'GET', path: '/v1/ok' },
  { id: 'bulk', name: 'Bulk', method: 'GET', path: '/v1/slow/{ms}', units: 10 },
  { id: 'create', name: 'Create', method: 'POST', path: '/v1/remembers/0', units: 7 },
  { id: 'found', name: 'Found', method: 'GET', path: '/v1/status/{status}', units: 5, counts: ['2xx'] },
  { id: 'poll', name: 'Poll', method: 'GET', path: '/v1/big/{bytes}', units: 0 },
  { id: 'broken', name: 'Broken', method: 'GET', path: '/v1/broken', units: 6 },
];
const folder = changedCatalog({ 'tax-lookup-api': { metered: JSON.stringify(operations) } });
const catalog = readCatalog(folder);
const { costs = {} } = catalog.products[0]?.plans[0] ?? {};
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness({ catalog });
});
afterAll(() => harness.close());

const customerWith = (terms: PlanTerms) => createCustomer(harness.database.pool, { costs, ...terms });
const used = (activationId: string) => unitsOf(harness.database, activationId);

test('a call uses the units of its operation, and headers and records count them', async () => {
  const { key, activationId } = await customerWith({ daily: 100, monthly: 1000 });
  const first = await harness.call(key, { path: '/slow/0' });
  expect(first.headers['octroi-units']).toBe('10');
  expect(first.headers['x-ratelimit-remaining']).toBe('90');
  expect(first.headers['ratelimit-policy']).toContain('"daily";q=100;qu="units";w=86400');
  expect((await harness.call(key)).headers['x-ratelimit-remaining']).toBe('89');
  expect((await harness.call(key, { path: '/%73low/0/?a=b' })).headers['x-ratelimit-remaining']).toBe('79');
  await expect.poll(() => used(activationId)).toBe(21);
  expect(await usageOf(harness.database.pool, activationId)).toEqual({ counted: 3, free: 0 });
  const response = await fetch(`${harness.gateway.url}/v1/usage`, { headers: { 'x-api-key': key } });
  expect(await response.json()).toMatchObject({ dailyUse: { quotaUsed: 21 }, key: { usedToday: 21 } });
  const logged = async () => {
    const { rows } = await harness.database.pool.query<{ day: string; dictionary: string; records: Buffer }>(
      'select day::text, dictionary, records from request_log where activation_id = $1',
      [activationId],
    );
    return rows.flatMap(({ day, dictionary, records }) => readCalls(day, dictionary, records));
  };
  await expect.poll(async () => (await logged()).map(({ units }) => units)).toEqual([10, 1, 10]);
});

test('a call that needs more units than are left is refused with the numbers, and smaller calls use them up', async () => {
  const { key, activationId } = await customerWith({ daily: 14, monthly: 1000 });
  expect((await harness.call(key, { path: '/slow/0' })).status).toBe(200);
  const refused = await harness.call(key, { path: '/slow/0' });
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({
    code: 'quota-exceeded',
    'violated-policies': ['daily'],
    unitsNeeded: 10,
    unitsLeft: 4,
    message: expect.stringContaining('This call needs 10 units, and 4 of the 14 units of the plan Growth for'),
  });
  const rest = [];
  for (let call = 0; call < 5; call += 1) rest.push((await harness.call(key)).status);
  expect(rest).toEqual([200, 200, 200, 200, 429]);
  // A free operation needs no quota.
  expect((await harness.call(key, { path: '/big/10' })).status).toBe(200);
  await expect.poll(() => used(activationId)).toBe(14);
});

test('only the statuses of an operation count, and a free operation never does', async () => {
  const { key, activationId } = await customerWith({ daily: 100 });
  const units = async (path: string) => (await harness.call(key, { path })).headers['octroi-units'];
  expect(await units('/status/200')).toBe('5');
  expect(await units('/status/404')).toBe('0');
  expect(await units('/status/500')).toBe('0');
  expect(await units('/big/10')).toBe('0');
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 1, free: 3 });
  expect(await used(activationId)).toBe(5);
});

test('a replay for the same Idempotency-Key uses no units, and a response that breaks off gives its units back', async () => {
  const { key, activationId } = await customerWith({ daily: 20 });
  const create = () =>
    harness.call(key, { method: 'POST', path: '/remembers/0', body: '{}', headers: { 'idempotency-key': 'one' } });
  expect((await create()).headers['octroi-units']).toBe('7');
  expect((await create()).headers['octroi-units']).toBe('0');
  await harness.call(key, { path: '/broken' }).catch(() => {});
  await expect.poll(() => used(activationId)).toBe(7);
  const rest = [];
  for (let call = 0; call < 14; call += 1) rest.push((await harness.call(key)).status);
  expect(rest).toEqual([...Array<number>(13).fill(200), 429]);
});

test('an operation that the plan leaves out is refused with 403 and its own code, uncounted', async () => {
  const { key, activationId } = await customerWith({ operations: ['ok', 'bulk'] });
  const refused = await harness.call(key, { path: '/status/200' });
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ code: 'operation-not-in-plan', message: expect.stringContaining('Growth') });
  // Neither does one that the catalogue doesn't list.
  expect((await harness.call(key, { path: '/echo' })).status).toBe(403);
  expect((await harness.call(key)).status).toBe(200);
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 1, free: 0 });
});

test('no spelling buys an operation for less than its units, or without its plan, from an API that decodes before it routes', async () => {
  const jobs = [
    { id: 'bulk', name: 'Bulk', method: 'GET', path: '/v1/lists/bulk', units: 10 },
    { id: 'job', name: 'Job', method: 'GET', path: '/v1/jobs/{id}', units: 0 },
    { id: 'result', name: 'Result', method: 'GET', path: '/v1/jobs/{id}/result', units: 10 },
  ];
  const listed = readCatalog(changedCatalog({ 'tax-lookup-api': { metered: JSON.stringify(jobs) } }));
  const terms = { daily: 1000, costs: listed.products[0]?.plans[0]?.costs ?? {} };
  // As WSGI servers do.
  const api = createServer((req, res) => void res.end(decodeURIComponent(req.url ?? '')));
  const setup = { ...harness.setup, dataDir: `${harness.setup.dataDir}/decoding` };
  const gateway = await startTestGateway(setup, { upstream: await listen(api, 0, '127.0.0.1'), catalog: listed });
  const whole = await createCustomer(harness.database.pool, terms);
  const limited = await createCustomer(harness.database.pool, { ...terms, operations: ['job'] });
  const call = async (key: string, path: string) => {
    const { status, headers } = await harness.call(key, { url: gateway.url, path });
    return status === 200 ? headers['octroi-units'] : status;
  };
  for (const path of ['/lists/bulk', '/lists%2Fbulk', '/jobs/5/result', '/jobs/5%2Fresult', '/jobs/5%252fresult']) {
    expect([path, await call(whole.key, path)]).toEqual([path, '10']);
    expect([path, await call(limited.key, path)]).toEqual([path, 403]);
  }
  // Neither reading of the second is any other operation.
  for (const path of ['/jobs/5', '/jobs/5%3Fa%20b']) {
    expect([path, await call(whole.key, path)]).toEqual([path, '0']);
    expect([path, await call(limited.key, path)]).toEqual([path, '0']);
  }
  expect(await call(whole.key, `/jobs/${'%255C%253B/'.repeat(1000)}`)).toBe(400);
  await gateway.close();
  api.close();
});

test('a plan without unit rules counts each call as one, whatever the catalogue lists', async () => {
  const { key } = await createCustomer(harness.database.pool, { daily: 2 });
  const responses = [await harness.call(key, { path: '/slow/0' }), await harness.call(key), await harness.call(key)];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(responses[0]?.headers).not.toHaveProperty('octroi-units');
});

test('a pack that is paid while the quota is used up lets calls through at once, exactly as many as it has units', async () => {
  const customer = await customerWith({ daily: 5, monthly: 5, status: 'PAID' });
  const statuses = async (calls: number) => {
    const responses = await Promise.all(Array.from({ length: calls }, () => harness.call(customer.key)));
    return responses.filter(({ status }) => status === 200).length;
  };
  expect(await statuses(8)).toBe(5);
  await addPack(harness.database, customer, 30);
  const first = await harness.call(customer.key, { path: '/slow/0' });
  expect(first.status).toBe(200);
  expect(first.headers['x-ratelimit-limit']).toBe('35');
  expect(first.headers['x-ratelimit-remaining']).toBe('20');
  expect(await statuses(30)).toBe(20);
  await expect.poll(() => used(customer.activationId)).toBe(35);
});

test('three gateways admit exactly as many calls of ten units as fit, and one-unit calls use the rest', async () => {
  const others = await Promise.all(
    ['second', 'third'].map((name) =>
      startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${name}` }, { catalog }),
    ),
  );
  const urls = [harness.gateway, ...others].map(({ url }) => url);
  const call = (key: string, index: number, path: string) =>
    harness.call(key, { path, url: urls[index % urls.length] ?? '' });
  const customers = await Promise.all([97, 103, 58].map((daily) => customerWith({ daily })));
  for (const { key, activationId } of customers) {
    const daily = [97, 103, 58][customers.findIndex((one) => one.key === key)] ?? 0;
    const mixed = await Promise.all(
      Array.from({ length: 36 }, (_, index) => call(key, index, index % 4 === 0 ? '/ok' : '/slow/1')),
    );
    const of = (path: number) =>
      mixed.filter(({ status }, index) => status === 200 && (index % 4 === 0) === (path === 1));
    const sum = of(1).length + of(10).length * 10;
    // Every call that was refused needed more than was left.
    expect(sum).toBeLessThanOrEqual(daily);
    expect(daily - sum).toBeLessThan(10);
    const rest = await Promise.all(Array.from({ length: 20 }, (_, index) => call(key, index, '/ok')));
    expect(rest.filter(({ status }) => status === 200).length).toBe(daily - sum);
    await expect.poll(() => used(activationId)).toBe(daily);
  }
  for (const gateway of others) await gateway.close();
});

test('after kill -9 every call with a response has used its units, and all others can be used', async () => {
  const { key, activationId } = await customerWith({ daily: 500 });
  const data = createTempDir();
  const port = await freePort();
  const start = () => spawnGateway({ ...harness.setup, dataDir: data.path }, port, undefined, { CATALOG_DIR: folder });
  const first = await start();
  const calls = Array.from({ length: 40 }, (_, index) =>
    harness.call(key, { url: first.url, path: index % 3 === 0 ? '/ok' : `/slow/${index}` }).catch(() => undefined),
  );
  await Promise.all(calls.slice(0, 12));
  await first.kill();
  const done = await Promise.all(calls);
  const given = done.reduce((sum, each, index) => sum + (each?.status !== 200 ? 0 : index % 3 === 0 ? 1 : 10), 0);
  expect(given).toBeGreaterThan(0);
  const second = await start();
  const counted = await used(activationId);
  // Counted before the response was written, and cut off by the kill.
  expect(counted).toBeGreaterThanOrEqual(given);
  expect(counted).toBeLessThanOrEqual(given + 280);
  let more = 0;
  while ((await harness.call(key, { url: second.url })).status === 200) more += 1;
  expect(counted + more).toBe(500);
  expect(await second.stop()).toBe(0);
  expect(await used(activationId)).toBe(500);
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
  data.remove();
});
