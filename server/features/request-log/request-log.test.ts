import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import type { listRequests } from '#shared/contract/request-log.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { recordsBytes, recordsVersion } from '#shared/domain/logged-call.ts';
import { callOutcomeNames } from '#shared/domain/metering.ts';
import { deleteOldRows } from '#server/retention/delete-old.ts';
import { defaultRetention } from '#server/retention/retention-settings.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { requestsAsCsv } from './request-log.ts';
import { isCounted, nextId, withLog, writeBatch } from './test-log.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const minuteMs = 60_000;

test('the log pages through all calls, newest first, without duplicates or gaps', async () => {
  const { log, read, live } = await withLog(portal);
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
    units: 1,
    reason: 'answered',
  });
});

test('the log can be filtered by key, status, counted and days', async () => {
  const { log, read, trial } = await withLog(portal);
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

test('the log names days with counted calls that are missing from it', async () => {
  const { log, read, activationId, cycleId, live } = await withLog(portal);
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

test('the CSV file has the same rows and only its owner can read it', async () => {
  const { log, token, activationId } = await withLog(portal);
  await log(200, 'answered', minuteMs);
  await log(429, 'refused', 0, undefined, { problem: 'quota-exceeded;rule=daily' });
  const address = `${portal.portalUrl}/backend/devportal/services/${activationId}/requests/csv`;
  const file = await fetch(`${address}?counted=no`, { headers: { authorization: `Bearer ${token}` } });
  expect(file.headers.get('content-type')).toContain('text/csv');
  const lines = (await file.text()).trimEnd().split('\r\n');
  expect(lines[0]).toBe('time,request_id,key,mode,method,path,status,latency_ms,counted,why,code,units');
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/,live,live,GET,.*,429,12,no,the gateway refused the call,quota-exceeded,0$/),
  ]);
  const stranger = await portal.newCustomer();
  expect((await fetch(address, { headers: { authorization: `Bearer ${stranger}` } })).status).toBe(404);
  expect((await fetch(address)).status).toBe(401);
  expect((await fetch(`${address}?status=9`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(400);
});

test('the last use of a test key comes from the log', async () => {
  const { log, token, activationId, trial } = await withLog(portal);
  await log(200, 'test', 0, trial.id);
  const keys = await portal.ask(listApiKeys, { params: { activationId } }, token);
  expect(keys.map((key) => [key.keyName, key.lastUsedAt !== null])).toEqual(
    expect.arrayContaining([
      ['trial', true],
      ['live', false],
    ]),
  );
});

test('each key has its calls of today, those of test keys included', async () => {
  const { log, token, activationId, cycleId, live, trial } = await withLog(portal);
  const today = dayOf(portal.portal.clock());
  for (const [day, counted] of [
    [today, true],
    [today, false],
    [addDays(today, -1), true],
  ] as const) {
    await sql`insert into usage_counts values (${activationId}, ${cycleId}, ${live.id}, ${day}, 2, ${counted}, 3, now())`.execute(
      portal.portal.db,
    );
  }
  await log(200, 'test', 0, trial.id);
  await log(200, 'test', 25 * 60 * minuteMs, trial.id);
  const keys = await portal.ask(listApiKeys, { params: { activationId } }, token);
  expect(new Map(keys.map((key) => [key.keyName, key.callsToday]))).toEqual(
    new Map([
      ['live', 6],
      ['trial', 1],
    ]),
  );
});

test('rows older than 30 days are deleted, and no others', async () => {
  const { log, read } = await withLog(portal);
  const dayMs = 24 * 60 * minuteMs;
  await log(200, 'answered', 32 * dayMs);
  const kept = await log(200, 'answered', 29 * dayMs);
  await deleteOldRows(portal.portal.db, { machine: new Date(), today: dayOf(portal.portal.clock()) });
  expect((await read()).requests.map(({ requestId }) => requestId)).toEqual([kept]);
});

test('with a longer setting older calls are kept and exported, and the pages show those of 30 days', async () => {
  const { token, activationId, log, read } = await withLog(portal);
  const dayMs = 24 * 60 * minuteMs;
  const old = await log(200, 'answered', 300 * dayMs);
  const recent = await log(200, 'answered', 29 * dayMs);
  const { clock, db } = portal.portal;
  const keep = { ...defaultRetention, keepRequestLogDays: 365 };
  await deleteOldRows(db, { machine: new Date(), today: dayOf(clock()), keep });
  const shown = async (query = {}) => (await read(query)).requests.map(({ requestId }) => requestId);
  expect(await shown()).toEqual([recent]);
  expect(await shown({ from: addDays(dayOf(clock()), -400) })).toEqual([recent]);
  const { user } = await portal.ask(readAccount, {}, token);
  const exported = async (): Promise<string> => {
    const parts: string[] = [];
    const owner = { customerId: user.id };
    for await (const part of requestsAsCsv(portal.portal, owner, activationId, {}, { whole: true })) parts.push(part);
    return parts.join('');
  };
  expect(await exported()).toContain(recent);
  expect(await exported()).toContain(old);
  await deleteOldRows(db, { machine: new Date(), today: dayOf(clock()) });
  expect(await exported()).not.toContain(old);
  expect(await exported()).toContain(recent);
});

test.each(['/v1/gstin/27AAPFU0939F1ZV', '/v1/gstin/27aapfu0939f1zv', '/v1/hsn?search=x'])(
  'the database refuses the path %s',
  async (of) => {
    const records = Buffer.alloc(recordsBytes(1));
    records[0] = recordsVersion;
    const insert = sql`insert into request_log
      values (${randomUUID()}, 'ACT-1', 'KEY-1', '2026-01-01', false, '2026-01-01T00:00Z', '2026-01-01T00:00Z', 1, 1, '{200}', ${`GET ${of} 200 1 answered`},
        ${records})`;
    await expect(insert.execute(portal.portal.db)).rejects.toThrow(/request_log_dictionary/);
  },
);

test('for any batches, page size and filter, the pages equal a plain list', async () => {
  const { activationId, live, trial, read } = await withLog(portal);
  const keys = [live, trial];
  const noon = startOfDay(addDays(dayOf(portal.portal.clock()), -2)) + 12 * 60 * minuteMs;
  const reasons = fc.constantFrom(...callOutcomeNames);
  const callOf = fc.record({
    at: fc.integer({ min: 0, max: 5 * minuteMs }),
    status: fc.constantFrom(200, 404, 429, 500),
    reason: reasons,
  });
  const batches = fc.array(
    fc.record({
      startsAt: fc.nat(8 * minuteMs),
      key: fc.nat(1),
      calls: fc.array(callOf, { minLength: 1, maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 25 },
  );
  const filters = fc.record(
    {
      status: fc.constantFrom('200', '4xx', '5xx'),
      counted: fc.constantFrom<('yes' | 'no')[]>('yes', 'no'),
      key: fc.nat(1),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(batches, filters, fc.integer({ min: 1, max: 9 }), async (written, { key, ...filter }, limit) => {
      await sql`delete from request_log where activation_id = ${activationId}`.execute(portal.portal.db);
      const all = [];
      for (const batch of written) {
        const of = batch.calls.map((call) => {
          const requestId = nextId();
          // Few distinct times, so that some are equal.
          const at = noon + Math.floor((batch.startsAt + call.at) / 1000) * 1000;
          return { ...call, requestId, at, keyId: keys[batch.key]?.id ?? '' };
        });
        all.push(...of);
        await writeBatch(portal, of, activationId, keys[batch.key]?.id ?? '');
      }
      const wanted = all
        .filter(
          (call) => filter.status === undefined || String(call.status).startsWith(filter.status.replace('xx', '')),
        )
        .filter((call) => filter.counted === undefined || isCounted(call.reason) === (filter.counted === 'yes'))
        .filter((call) => key === undefined || call.keyId === keys[key]?.id)
        .toSorted((a, b) => b.at - a.at || (a.requestId > b.requestId ? -1 : 1))
        .map(({ requestId }) => requestId);
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const id = key === undefined ? undefined : keys[key]?.id;
        const page = await read({ ...filter, limit, ...(id && { keyId: id }), ...(after && { after }) });
        seen.push(...page.requests.map(({ requestId }) => requestId));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(seen).toEqual(wanted);
    }),
    { numRuns: 25 },
  );
});
