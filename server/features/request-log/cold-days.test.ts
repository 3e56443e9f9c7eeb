import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { listRequests } from '#shared/contract/request-log.ts';
import { LogAway } from '#shared/request-log/log.ts';
import { readPortalSettings } from '#server/config.ts';
import { eraseLogged } from '#server/features/privacy/erase.ts';
import { exportCustomer } from '#server/features/privacy/privacy.ts';
import { readHealth } from '#server/health.ts';
import { runCleanUp } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { findCall } from './request-log.ts';
import { withLog } from './test-log.ts';

const root = mkdtempSync(join(tmpdir(), 'octroi-cold-days-'));
const folder = join(root, 'cold');
let portal: TestPortal;
beforeAll(async () => {
  mkdirSync(folder);
  portal = await startTestPortal({ env: { REQUEST_LOG_COLD_PLACE: folder, KEEP_REQUEST_LOG_DAYS: '365' } });
  await runCleanUp(portal.portal);
});
afterAll(async () => {
  await portal.close();
  rmSync(root, { recursive: true });
});

const daysMs = (days: number): number => days * 86_400_000;

test('days that no page shows move out of the database, and are exported, searched and erased there; without them the pages stay', async () => {
  const { token, activationId, live, trial, log } = await withLog(portal);
  const days = [0, 20, 40, 200];
  const ids: string[] = [];
  for (const day of days) ids.push(await log(200, 'answered', daysMs(day)));
  await log(200, 'test', daysMs(50), trial.id);
  const stored = () => portal.owner.pool.query('select from request_log');
  await runCleanUp(portal.portal);
  expect(await stored()).toMatchObject({ rowCount: 2 });
  expect(readdirSync(join(folder, 'calls', activationId))).toHaveLength(3);

  const ask = async () => (await portal.ask(listRequests, { params: { activationId }, query: {} }, token)).requests;
  expect((await ask()).map(({ requestId }) => requestId)).toEqual(ids.slice(0, 2));
  for (const id of ids) expect((await findCall(portal.portal, id))?.keyId).toBe(live.id);
  const keys = async () => portal.ask(listApiKeys, { params: { activationId } }, token);
  const usedAt = async () => (await keys()).find(({ id }) => id === trial.id)?.lastUsedAt?.slice(0, 10);
  expect(await usedAt()).toBe(new Date(portal.portal.clock() - daysMs(50)).toISOString().slice(0, 10));
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  const exported = async () => buffer(await exportCustomer(portal.portal, { customerId }));
  const csv = unzipSync(new Uint8Array(await exported()))[`requests/${activationId}.csv`];
  const lines = new TextDecoder().decode(csv).trim().split('\r\n').slice(1);
  expect(lines).toHaveLength(5);
  for (const id of ids) expect(lines.filter((line) => line.includes(id))).toHaveLength(1);

  renameSync(folder, join(root, 'unmounted'));
  await expect(exported()).rejects.toThrow(LogAway);
  expect(await ask()).toHaveLength(2);
  expect([await keys().then(({ length }) => length), await usedAt()]).toEqual([2, undefined]);
  await runCleanUp(portal.portal);
  expect(await stored()).toMatchObject({ rowCount: 2 });
  const { timedWork } = await readHealth(portal.portal);
  expect(timedWork?.failing.map(({ step }) => step)).toContain('days of the request log');
  renameSync(join(root, 'unmounted'), folder);
  // A store that didn't answer is left alone for some seconds.
  await expect.poll(exported, { timeout: 60_000 }).toHaveProperty('length');

  await eraseLogged(portal.portal, { customerId });
  expect(readdirSync(join(folder, 'calls', activationId))).toEqual([]);
  expect(readdirSync(join(folder, 'days'))).toEqual([]);
  expect(await stored()).toMatchObject({ rowCount: 0 });
});

test.each([
  [{ REQUEST_LOG_COLD_PLACE: 'cold' }, 'must be an absolute path'],
  [{ REQUEST_LOG_COLD_PLACE: 'https://s3.example.com/log' }, 'needs REQUEST_LOG_COLD_S3_KEY_ID'],
  [
    { REQUEST_LOG_COLD_PLACE: '/srv/log', REQUEST_LOG_URL: 'clickhouse://a:b@host:8123/log' },
    'by its storage policies',
  ],
])('%j is refused: %s', (env: Record<string, string>, message) => {
  expect(() => readPortalSettings({ env })).toThrow(message);
});
