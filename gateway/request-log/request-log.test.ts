import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type LoggedCall, readCalls } from '#shared/domain/logged-call.ts';
import { usageResponse } from '#gateway/calls/openapi.ts';
import { newRequestId } from '#gateway/http/request-id.ts';
import { addKey, createCustomer, type Harness, openHarness, usageOf } from '#gateway/test/world.ts';
import { createLog } from '#shared/platform/log.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { openPlaces, type Places } from './places.ts';
import { startRequestLog } from './request-log.ts';

const log = createLog('gateway', { level: 'silent' });
let harness: Harness;
let places: Places;
beforeAll(async () => {
  harness = await openHarness({ env: { UPSTREAM_TIMEOUT_MS: '5000' } });
  places = await openPlaces(harness.setup, log);
});
afterAll(async () => {
  await places.close();
  await harness.close();
});

const callOf = (key: Pick<CallInfo['access'], 'activationId' | 'keyId'>, target = '/ok?q=1'): CallInfo => ({
  access: { ...key, serviceId: 'tax-lookup-api', customerId: 'CUS-1', keyPrefix: null },
  requestId: newRequestId(),
  at: Date.now(),
  method: 'GET',
  target,
});
const succeeded: Outcome = { status: 200, units: 1, reason: 'answered' };

type Row = LoggedCall & { keyId: string };

const rowsOf = async (activationId: string): Promise<Row[]> => {
  const read = await harness.database.pool.query<{
    key_id: string;
    day: string;
    dictionary: string;
    records: Buffer;
    calls: number;
    counted: number;
  }>('select key_id, day::text, dictionary, records, calls, counted from request_log where activation_id = $1', [
    activationId,
  ]);
  const batches = read.rows.map((batch) => ({ ...batch, read: readCalls(batch.day, batch.dictionary, batch.records) }));
  for (const batch of batches) {
    expect(batch.read.length).toBe(batch.calls);
    expect(batch.read.filter(({ units }) => units > 0).length).toBe(batch.counted);
  }
  return batches
    .flatMap((batch) => batch.read.map((call) => ({ ...call, keyId: batch.key_id })))
    .toSorted((a, b) => a.at - b.at);
};
const usage = async (key: string) => {
  const response = await fetch(`${harness.gateway.url}/v1/usage`, { headers: { 'x-api-key': key } });
  expect(response.status).toBe(200);
  return usageResponse.parse(await response.json());
};

test('every call of a key is logged under its request id, with the reason why it counted or not', async () => {
  const { activationId, key } = await createCustomer(harness.database.pool, { daily: 3 });
  const paths = ['/ok', '/status/404', '/status/500', '/slow/60000', '/reset', '/ok', '/ok'];
  const responses = [];
  for (const path of paths) responses.push(await harness.call(key, { path: `${path}?gstin=27AAPFU0939F1ZV` }));
  await expect.poll(async () => (await rowsOf(activationId)).length).toBe(paths.length);
  const rows = await rowsOf(activationId);
  expect(rows.map((row) => row.requestId)).toEqual(responses.map((response) => response.headers['x-request-id']));
  expect(rows.map(({ status, units, reason }) => [status, units > 0, reason])).toEqual([
    [200, true, 'answered'],
    [404, true, 'judged'],
    [500, false, 'failed'],
    [504, false, 'failed'],
    [502, false, 'failed'],
    [200, true, 'answered'],
    [429, false, 'refused'],
  ]);
  expect(new Set(rows.map((row) => row.path))).toEqual(
    new Set([
      '/tax-lookup/v1/ok',
      '/tax-lookup/v1/status/404',
      '/tax-lookup/v1/status/500',
      '/tax-lookup/v1/slow/60000',
      '/tax-lookup/v1/reset',
    ]),
  );
});

test('a response that breaks off, a replay and a test call are logged and not counted', async () => {
  const { activationId, key } = await createCustomer(harness.database.pool);
  const testKey = await addKey(harness.database.pool, activationId, { test: true });
  await harness.call(key, { path: '/broken' }).catch(() => undefined);
  const replay = { path: '/replayed/201', method: 'POST', headers: { 'idempotency-key': 'a' }, body: '{}' } as const;
  await harness.call(key, replay);
  await harness.call(key, replay);
  await harness.call(testKey.key);
  await expect
    .poll(async () => (await rowsOf(activationId)).map(({ units, reason }) => [units > 0, reason]))
    .toEqual([
      [false, 'broke-off'],
      // The first response under its Idempotency-Key counts.
      [true, 'answered'],
      [false, 'replayed'],
      [false, 'test'],
    ]);
});

test('after a burst with failures, retries, refusals and two keys, log, counts, headers and GET /v1/usage agree', async () => {
  const { activationId, key, keyId } = await createCustomer(harness.database.pool, { daily: 60 });
  const second = await addKey(harness.database.pool, activationId, { dailyCap: 20 });
  const paths = ['/ok', '/status/404', '/status/500', '/replayed/201', '/reset', '/ok'];
  const burst = (apiKey: string, calls: number) =>
    Promise.all(
      Array.from({ length: calls }, (_, index) =>
        harness.call(apiKey, {
          path: paths[index % paths.length] ?? '/ok',
          method: 'POST',
          headers: { 'idempotency-key': String(index) },
          body: '{}',
        }),
      ),
    );
  const responses = (await Promise.all([burst(key, 70), burst(second.key, 70)])).flat();
  const counted = responses.filter(({ status }) => [200, 404].includes(status));
  // Of the replays under one Idempotency-Key the first counts, since nothing was counted before.
  const replayed = responses.flatMap(({ status }, index) => (status === 201 ? [index % 70] : []));
  const wanted = counted.length + new Set(replayed).size;
  await expect.poll(async () => (await rowsOf(activationId)).length).toBe(responses.length);
  const rows = await rowsOf(activationId);
  expect(new Set(rows.map((row) => row.requestId))).toEqual(
    new Set(responses.map(({ headers }) => headers['x-request-id'])),
  );
  const logged = (of?: string) => rows.filter((row) => row.units > 0 && (of === undefined || row.keyId === of)).length;
  expect(logged()).toBe(wanted);
  expect(logged(second.keyId)).toBeLessThanOrEqual(20);
  await expect.poll(async () => (await usageOf(harness.database.pool, activationId)).counted).toBe(logged());
  const reported = await usage(key);
  expect(reported.dailyUse).toMatchObject({ quotaUsed: logged(), quotaLimit: 60, quotaRemaining: 60 - logged() });
  expect(reported.monthlyUse.quotaUsed).toBe(logged());
  expect(reported.key.usedToday).toBe(logged(keyId));
  expect((await usage(second.key)).key).toMatchObject({ usedToday: logged(second.keyId), dailyCap: 20 });
  const next = await harness.call(key, { path: '/status/500' });
  expect(Number(/"daily";r=(\d+)/.exec(String(next.headers['ratelimit']))?.[1])).toBe(60 - logged());
});

test('/v1/usage works for a key without a plan, is never counted, and needs a key', async () => {
  const { activationId, key } = await createCustomer(harness.database.pool, { status: 'PAYMENT_PENDING' });
  expect(await usage(key)).toMatchObject({ plan: null, dailyUse: { quotaLimit: 0, renewsAt: null } });
  const without = await fetch(`${harness.gateway.url}/v1/usage`);
  expect(without.status).toBe(401);
  expect(await without.json()).toMatchObject({ code: 'key-missing' });
  expect(await usageOf(harness.database.pool, activationId)).toEqual({ counted: 0, free: 0 });
  const many = await Promise.all(
    Array.from({ length: 12 }, () => fetch(`${harness.gateway.url}/v1/usage`, { headers: { 'x-api-key': key } })),
  );
  expect(many.map(({ status }) => status)).toContain(429);
});

test.each(['/health', '/openapi.json', '/nothing', '/tax-lookup/v1/ok', '/tax-lookup/openapi.json', '/v1/usage'])(
  'the response to %s has a request id',
  async (path) => {
    const response = await fetch(harness.gateway.url + path);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  },
);

test('the OpenAPI document of the gateway describes /v1/usage and every rule of counting', async () => {
  const document = z
    .object({ info: z.object({ description: z.string() }), paths: z.looseObject({ '/v1/usage': z.looseObject({}) }) })
    .parse(await (await fetch(`${harness.gateway.url}/openapi.json`)).json());
  expect(document.info.description).toContain("| 400–499 | yes | the product rejected the caller's input |");
  expect(document.info.description).toContain('| 413 | no | the body was too large |');
  expect(document.info.description).toContain('| 413 | `body-too-large` |');
  expect(document.info.description).toContain('| 500–599 | no | the product failed |');
});

test('a correction changes a record, whether or not its batch is written already, and is written once', async () => {
  const { activationId, keyId } = await createCustomer(harness.database.pool);
  const requestLog = startRequestLog(places, log);
  const calls = [1, 2, 3].map(() => callOf({ activationId, keyId }));
  const [batch] = calls.map((call) => requestLog.record(call, succeeded, 1.6));
  const breakOff = (index: number): void => {
    const call = calls[index];
    if (batch === undefined || call === undefined) throw new Error('no such call');
    requestLog.correct(batch, index, call, succeeded, { ...succeeded, units: 0, reason: 'broke-off' });
  };
  breakOff(0);
  const records = async () =>
    (await rowsOf(activationId)).map((row) => `${row.requestId} ${row.reason} ${row.latencyMs}`);
  const expected = (...reasons: string[]) => calls.map((call, index) => `${call.requestId} ${reasons[index]} 2`);
  await expect.poll(records).toEqual(expected('broke-off', 'answered', 'answered'));
  breakOff(1);
  breakOff(1);
  await requestLog.close();
  expect(await records()).toEqual(expected('broke-off', 'broke-off', 'answered'));
  expect(new Set((await rowsOf(activationId)).map((row) => row.path))).toEqual(new Set(['/ok']));
});

test('a batch that the database rejects does not block others', async () => {
  const [refused, taken] = [await createCustomer(harness.database.pool), await createCustomer(harness.database.pool)];
  const requestLog = startRequestLog(places, log);
  requestLog.record({ ...callOf(refused), method: '27AAPFU0939F1ZV' }, succeeded, 1);
  const [beside, after] = [callOf(taken), callOf(taken)];
  requestLog.record(beside, succeeded, 1);
  const ids = async () => (await rowsOf(taken.activationId)).map(({ requestId }) => requestId);
  await expect.poll(ids).toEqual([beside.requestId]);
  requestLog.record(after, succeeded, 1);
  await requestLog.close();
  expect(new Set(await ids())).toEqual(new Set([beside.requestId, after.requestId]));
  expect(await rowsOf(refused.activationId)).toEqual([]);
});

test('refused calls, each to a path of its own, take a bounded part of the database, and their problems are counted in full', async () => {
  const key = await createCustomer(harness.database.pool);
  const requestLog = startRequestLog(places, log);
  const over: Outcome = { status: 429, units: 0, reason: 'refused', problem: 'quota-exceeded;rule=second;limit=2' };
  for (let call = 0; call < 20_000; call += 1) {
    const word = call.toString(26).replaceAll(/\d/g, (digit) => String.fromCodePoint(113 + Number(digit)));
    requestLog.record(callOf(key, `/${word.padStart(40, 'q')}`.repeat(7)), over, 1);
  }
  await requestLog.close();
  const read = await harness.database.pool.query(
    `select sum(calls)::integer as calls, sum(unlisted)::integer as unlisted, sum(pg_column_size(l.*))::integer as bytes,
       sum((problems->>'quota-exceeded/second')::integer)::integer as problems
     from request_log l where activation_id = $1`,
    [key.activationId],
  );
  const { calls, unlisted, bytes, problems } = z.record(z.string(), z.number()).parse(read.rows[0]);
  expect([Number(calls) + Number(unlisted), problems]).toEqual([20_000, 20_000]);
  expect(bytes).toBeLessThan(100_000);
});

test('no request id looks like a GSTIN, which the log would reject', () => {
  const ids = Array.from({ length: 300_000 }, newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^req_[\w-]{10}-[\w-]{10}$/.test(id))).toEqual([]);
  expect(ids.filter((id) => /[0-9]{2}[a-z]{5}[0-9]{4}[a-z][0-9a-z]{3}/i.test(id))).toEqual([]);
});
