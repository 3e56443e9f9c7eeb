import { once } from 'node:events';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { runStep } from '#server/rounds/steps.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { checkApis, readApiStatus } from './api-status.ts';

/** What the gateway's address responds with; tests/acceptance/public-pages.test.ts asks a real gateway. */
let health = { status: 200, body: '' };
const gateway = createServer((_request, response) => response.writeHead(health.status).end(health.body));
const ok = { status: 200, body: '{"status":"ok"}' };

let portal: TestPortal;
let first = '';
let second = '';
let now = 0;
const minute = 60_000;

beforeAll(async () => {
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const address = gateway.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  portal = await startTestPortal({ jobs: false, env: { GATEWAY_URL: `http://127.0.0.1:${port}` } });
  [first = '', second = ''] = portal.portal.catalog.products.map(({ id }) => id);
});
afterAll(async () => {
  await portal.close();
  gateway.close();
});
beforeEach(async () => {
  health = ok;
  now = Date.parse('2026-11-28T06:00:00Z');
  await portal.portal.db.deleteFrom('api_status_days').execute();
});

const at = () => ({ ...portal.portal, machineClock: () => now });

const check = async (said: typeof health): Promise<void> => {
  health = said;
  now += minute;
  await checkApis(at());
};

const statusOf = async (id: string) => (await readApiStatus(at())).apis.find(({ productId }) => productId === id);

test('before the first check nothing is known of an API', async () => {
  expect(await statusOf(first)).toMatchObject({ state: 'unknown', checkedAt: null, days: [] });
});

test('an API whose health check fails twice is down, the others stay up, and it is degraded until its failures are five checks ago', async () => {
  await check(ok);
  const failing = { status: 200, body: JSON.stringify({ status: 'ok', failingProducts: [first] }) };
  await check(failing);
  expect([(await statusOf(first))?.state, (await statusOf(second))?.state]).toEqual(['degraded', 'up']);
  await check(failing);
  expect([(await statusOf(first))?.state, (await statusOf(second))?.state]).toEqual(['down', 'up']);
  await check(ok);
  expect((await statusOf(first))?.state).toBe('degraded');
  for (let again = 0; again < 4; again += 1) await check(ok);
  expect(await statusOf(first)).toMatchObject({ state: 'up', days: [{ day: dayOf(now), checks: 8, failed: 2 }] });
  expect((await statusOf(second))?.days).toEqual([{ day: dayOf(now), checks: 8, failed: 0 }]);
});

test('a gateway that cannot serve takes every API down', async () => {
  await check({ status: 503, body: '{"status":"failing","faults":["database"]}' });
  expect((await readApiStatus(at())).apis.map(({ state }) => state)).toEqual(
    portal.portal.catalog.products.map(() => 'down'),
  );
});

test('where the health of the gateway cannot be read nothing was checked, and after minutes without a check nothing is known', async () => {
  await check(ok);
  await check({ status: 404, body: '<html>' });
  expect(await statusOf(first)).toMatchObject({ state: 'up', days: [{ checks: 1, failed: 0 }] });
  now += 5 * minute;
  expect((await statusOf(first))?.state).toBe('unknown');
});

test('where the portal itself can’t connect nothing is counted while a gateway runs, the step fails for log and health, and without one all is down', async () => {
  await check(ok);
  const { db } = portal.portal;
  const elsewhere = { ...at(), settings: { ...portal.portal.settings, gatewayUrl: 'http://127.0.0.1:9' } };
  await sql`insert into gateways (journal_id, started_at, lease_until)
    values ('runs', clock_timestamp(), clock_timestamp() + interval '1 hour')`.execute(db);
  await runStep(elsewhere, 'status of the APIs', () => checkApis(elsewhere));
  expect(await statusOf(first)).toMatchObject({ state: 'up', days: [{ checks: 1, failed: 0 }] });
  expect(await db.selectFrom('failed_work').select(['step', 'error']).execute()).toEqual([
    { step: 'status of the APIs', error: expect.stringContaining('GATEWAY_URL (http://127.0.0.1:9/health: ') },
  ]);
  now += 5 * minute;
  expect((await statusOf(first))?.state).toBe('unknown');
  await sql`update gateways set lease_until = '-infinity'`.execute(db);
  await runStep(elsewhere, 'status of the APIs', () => checkApis(elsewhere));
  expect((await statusOf(first))?.days).toEqual([{ day: dayOf(now), checks: 2, failed: 1 }]);
  expect(await db.selectFrom('failed_work').selectAll().execute()).toEqual([]);
});

test('days begin at midnight in IST, and 90 of them are read', async () => {
  now = Date.parse('2026-11-28T18:29:00Z') - minute;
  await check(ok);
  await check(ok);
  expect((await statusOf(first))?.days).toEqual([
    { day: '2026-11-28', checks: 1, failed: 0 },
    { day: '2026-11-29', checks: 1, failed: 0 },
  ]);
  now += 89 * 24 * 60 * minute;
  expect((await statusOf(first))?.days).toEqual([{ day: '2026-11-29', checks: 1, failed: 0 }]);
});
