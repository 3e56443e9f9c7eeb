import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from '#shared/database/clients.ts';
import { type ProbedCall, probeChannel, probeReply, probeReplyChannel } from '#shared/database/gateway-probe.ts';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { type Harness, openHarness } from '#gateway/test/world.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const newKeys = () => [false, true].map((isTest) => makeApiKey(randomBytes(120), isTest));

/** What the gateway tells of its calls. */
async function probe(keys = newKeys()): Promise<ProbedCall[]> {
  const id = randomBytes(8).toString('hex');
  const client = openClient({ connectionString: harness.database.databaseUrl });
  const calls: ProbedCall[] = [];
  let expected: number | undefined;
  client.on('notification', ({ payload = '' }) => {
    const reply = probeReply.parse(JSON.parse(payload));
    if (reply.probe !== id) return;
    expected = reply.of;
    if (reply.call) calls.push(reply.call);
  });
  await client.connect();
  await client.query(`listen ${probeReplyChannel}`);
  await client.query('select pg_notify($1, $2)', [probeChannel, [id, ...keys].join(' ')]);
  await expect.poll(() => calls.length === expected).toBe(true);
  await client.end();
  return calls;
}

const callWith = async (key: string, method: 'GET' | 'POST' = 'GET', path = '') => {
  const { statusCode, body } = await request(`${harness.gateway.url}/tax-lookup/v1${path}`, {
    method,
    headers: { 'x-api-key': key },
  });
  await body.dump();
  return statusCode;
};

test('a probe calls each API through the gateway, and nothing of it is counted or logged', async () => {
  const calls = await probe();
  const live = calls.find(({ product, test: isTest }) => product === 'tax-lookup-api' && !isTest);
  expect(live).toMatchObject({ status: 200 });
  expect(live?.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
  expect(calls.some(({ test: isTest }) => isTest)).toBe(true);
  const { rows } = await harness.database.pool.query(
    `select (select count(*) from request_log)::int as logged, (select count(*) from usage_counts)::int as counted,
       (select count(*) from test_calls)::int as test, (select count(*) from key_clients)::int as clients`,
  );
  expect(rows).toEqual([{ logged: 0, counted: 0, test: 0, clients: 0 }]);
});

test('the keys of a probe read the path that tells whether an API is well, whatever they ask for, and no other method is allowed', async () => {
  const [key = '', testKey = ''] = newKeys();
  expect(await callWith(key)).toBe(401);
  await probe([key, testKey]);
  expect(await callWith(key)).toBe(200);
  // The API would say 404.
  expect(await callWith(key, 'GET', '/status/404')).toBe(200);
  expect(await callWith(testKey, 'GET', '/status/404')).toBe(200);
  expect(await callWith(key, 'POST')).toBe(401);
  expect(await callWith(newKeys()[0] ?? '')).toBe(401);
});
