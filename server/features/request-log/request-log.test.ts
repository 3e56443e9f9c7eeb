import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { z } from 'zod';
import { createApiKey, listApiKeys } from '#contract/api-keys.ts';
import { activateProduct } from '#contract/marketplace.ts';
import { listRequests } from '#contract/request-log.ts';
import { dayOf } from '#domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';
import { deleteOldRequests } from './request-log.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const minuteMs = 60_000;
let calls = 0;

/** A customer with two keys, and a log that a gateway could have written. */
async function withLog() {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activateProduct,
    { params: { id: 'tax-lookup-api' } },
    token,
  );
  const make = (keyName: string, isTest: boolean) =>
    portal.ask(createApiKey, { params: { activationId }, body: { keyName, isTest } }, token);
  const [live, trial] = [await make('live', false), await make('trial', true)];
  const log = async (status: number, reason: string, agoMs: number, keyId = live.id) => {
    calls += 1;
    const requestId = `req_${String(calls).padStart(8, '0')}`;
    const counted = reason === 'answered' || reason === 'judged';
    await sql`insert into request_log values (${requestId}, ${activationId}, ${keyId}, ${new Date(portal.portal.clock() - agoMs)},
      'GET', '/tax-lookup/v1/gstin/27**********1ZV', ${status}, 12, ${counted}, ${reason})`.execute(portal.portal.db);
    return requestId;
  };
  const read = (query: z.input<typeof listRequests.query> = {}) =>
    portal.ask(listRequests, { params: { activationId }, query }, token);
  return { token, activationId, cycleId: billingCycleId, live, trial, log, read };
}

test('the log shows each call, newest first, page by page, none twice and none left out', async () => {
  const { log, read, live } = await withLog();
  const ids: string[] = [];
  for (let call = 0; call < 7; call += 1) ids.unshift(await log(200, 'answered', (10 - call) * minuteMs));
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await read({ limit: 3, ...(after === undefined ? {} : { after }) });
    seen.push(...page.requests.map(({ requestId }) => requestId));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(seen).toEqual(ids);
  expect((await read()).requests[0]).toMatchObject({
    keyId: live.id,
    keyName: 'live',
    isTest: false,
    method: 'GET',
    path: '/tax-lookup/v1/gstin/27**********1ZV',
    latencyMs: 12,
    counted: true,
    reason: 'answered',
  });
});

test('the log is filtered by key, status, counted and days', async () => {
  const { log, read, trial } = await withLog();
  await log(200, 'answered', minuteMs);
  await log(404, 'judged', 2 * minuteMs);
  await log(429, 'refused', 3 * minuteMs);
  await log(200, 'test', 4 * minuteMs, trial.id);
  await log(500, 'failed', 3 * 24 * 60 * minuteMs);
  const statuses = async (query: z.input<typeof listRequests.query>) =>
    (await read(query)).requests.map(({ status }) => status);
  expect(await statuses({ status: '4xx' })).toEqual([404, 429]);
  expect(await statuses({ status: '429' })).toEqual([429]);
  expect(await statuses({ counted: 'yes' })).toEqual([200, 404]);
  expect(await statuses({ keyId: trial.id })).toEqual([200]);
  const day = dayOf(portal.portal.clock() - 3 * 24 * 60 * minuteMs);
  expect(await statuses({ from: day, to: day })).toEqual([500]);
});

test('days with calls that were counted but are not in the log are told', async () => {
  const { log, read, activationId, cycleId, live } = await withLog();
  await log(200, 'answered', 0);
  const day = dayOf(portal.portal.clock());
  const count = (of: number) =>
    sql`insert into usage_counts values (${activationId}, ${cycleId}, ${live.id}, ${day}, ${of}, true, ${of}, now())`.execute(
      portal.portal.db,
    );
  await count(1);
  expect((await read()).unlogged).toEqual([]);
  await count(3);
  expect((await read()).unlogged).toEqual([{ day, calls: 3 }]);
});

test('the CSV file has the same rows, for the owner alone', async () => {
  const { log, token, activationId } = await withLog();
  await log(200, 'answered', minuteMs);
  await log(429, 'refused', 0);
  const address = `${portal.portalUrl}/backend/devportal/services/${activationId}/requests/csv`;
  const file = await fetch(`${address}?counted=no`, { headers: { authorization: `Bearer ${token}` } });
  expect(file.headers.get('content-type')).toContain('text/csv');
  const lines = (await file.text()).trimEnd().split('\r\n');
  expect(lines[0]).toBe('time,request_id,key,mode,method,path,status,latency_ms,counted,why');
  expect(lines.slice(1)).toEqual([expect.stringMatching(/,live,live,GET,.*,429,12,no,the gateway refused the call$/)]);
  const stranger = await portal.newCustomer();
  expect((await fetch(address, { headers: { authorization: `Bearer ${stranger}` } })).status).toBe(404);
  expect((await fetch(address)).status).toBe(401);
  expect((await fetch(`${address}?status=9`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(400);
});

test('the last use of a test key is known from the log', async () => {
  const { log, token, activationId, trial } = await withLog();
  await log(200, 'test', 0, trial.id);
  const keys = await portal.ask(listApiKeys, { params: { activationId } }, token);
  expect(keys.map((key) => [key.keyName, key.lastUsedAt !== null])).toEqual(
    expect.arrayContaining([
      ['trial', true],
      ['live', false],
    ]),
  );
});

test('what is older than 30 days is deleted, and nothing else', async () => {
  const { log, read } = await withLog();
  const dayMs = 24 * 60 * minuteMs;
  await log(200, 'answered', 32 * dayMs);
  const kept = await log(200, 'answered', 29 * dayMs);
  await deleteOldRequests(portal.portal.db, portal.portal.clock);
  expect((await read()).requests.map(({ requestId }) => requestId)).toEqual([kept]);
});

test.each(['/v1/gstin/27AAPFU0939F1ZV', '/v1/gstin/27aapfu0939f1zv', '/v1/hsn?search=x'])(
  'the database itself refuses the path %s',
  async (path) => {
    const insert = sql`insert into request_log values (${`req_${path}`}, 'ACT-1', 'KEY-1', now(), 'GET', ${path}, 200, 1, true, 'answered')`;
    await expect(insert.execute(portal.portal.db)).rejects.toThrow(/request_log_path_check/);
  },
);
