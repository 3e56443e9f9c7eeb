import { afterAll, beforeAll, expect, test } from 'vitest';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { listRequestAlerts, listRequests } from '#shared/contract/request-log.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { openLogWriter } from '#shared/request-log/open.ts';
import { SampleBatch } from '#shared/request-log/sample-batch.ts';
import { eraseLogged } from '#server/features/privacy/erase.ts';
import { readHealth } from '#server/health.ts';
import { runCleanUp } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { withLog } from './test-log.ts';

let apart: TestDatabase;
let portal: TestPortal;
beforeAll(async () => {
  apart = await createTestDatabase('empty');
  portal = await startTestPortal({ env: { REQUEST_LOG_URL: apart.owner.databaseUrl } });
  await runCleanUp(portal.portal);
});
afterAll(async () => {
  await portal.close();
  await apart.close();
});

const answered = { method: 'GET', path: '/tax-lookup/v1/states', status: 200, units: 1, reason: 'answered' } as const;
const tested = { ...answered, units: 0, reason: 'test' } as const;
const refused = { ...answered, status: 429, units: 0, reason: 'refused', problem: 'key-expired' } as const;

test('a log in a place of its own is read, searched, cleared of old days and of erased customers; without it, its pages say so and the others stay', async () => {
  const { token, activationId, live, trial } = await withLog(portal);
  const writer = await openLogWriter(apart.owner.databaseUrl, createLog('gateway', { level: 'silent' }));
  const now = portal.portal.clock();
  const batch = (keyId: string, of: Pick<typeof answered, 'method' | 'path'> & object, at: number) =>
    new SampleBatch({ activationId, keyId }, [{ ...answered, ...of, at }]);
  await writer.append([
    batch(live.id, refused, now - 1000),
    batch(trial.id, tested, now - 2000),
    batch(live.id, answered, now - 40 * 86_400_000),
  ]);
  const ask = () => portal.ask(listRequests, { params: { activationId }, query: {} }, token);
  const keys = async () => (await portal.ask(listApiKeys, { params: { activationId } }, token)).toSorted(byName);

  expect((await ask()).requests.map(({ keyName, isTest, status }) => [keyName, isTest, status])).toEqual([
    ['live', false, 429],
    ['trial', true, 200],
  ]);
  const { alerts, calls } = await portal.ask(listRequestAlerts, { params: { activationId } }, token);
  expect([calls, alerts.map(({ code, rule }) => [code, rule])]).toEqual([2, [['key-expired', null]]]);
  expect((await keys()).map(({ keyName, callsToday }) => [keyName, callsToday])).toEqual([
    ['live', 0],
    ['trial', 1],
  ]);
  const stored = () => apart.owner.pool.query('select from request_log');
  expect(await stored()).toMatchObject({ rowCount: 3 });
  await runCleanUp(portal.portal);
  expect(await stored()).toMatchObject({ rowCount: 2 });
  expect((await readHealth(portal.portal)).requestLog).toEqual({ apart: true });

  await apart.owner.pool.query('alter table request_log rename to gone');
  for (const call of [listRequests, listRequestAlerts])
    expect(await portal.send(call, { params: { activationId } }, token)).toMatchObject({
      status: 503,
      body: { code: 'requests_unavailable' },
    });
  expect((await keys()).map(({ keyName, lastUsedAt }) => [keyName, lastUsedAt])).toEqual([
    ['live', null],
    ['trial', null],
  ]);
  expect(await readHealth(portal.portal)).toMatchObject({ status: 'failing', requestLog: null });
  await apart.owner.pool.query('alter table gone rename to request_log');

  expect((await ask()).requests).toHaveLength(2);
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  await eraseLogged(portal.portal, { customerId });
  expect(await stored()).toMatchObject({ rowCount: 0 });
  await writer.close();
});

const byName = (a: { keyName: string }, b: { keyName: string }): number => a.keyName.localeCompare(b.keyName);
