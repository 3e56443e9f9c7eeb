import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan, activateProduct } from '#shared/contract/marketplace.ts';
import { quotaSums } from '#shared/database/quota-sums.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test/gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** The steps of docs/operating/backups.md, Restore, with a gateway whose journal is newer than the backup. */
let portal: TestPortal;
let api: Server;
let gateway: TestGateway;
let restored: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'octroi-after-restore-'));
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  restored = await createTestDatabase('empty');
  api = createServer((_req, res) => res.end('{}'));
  gateway = await spawnTestGateway({
    DATABASE_URL: portal.portal.settings.databaseUrl,
    DATA_DIR: join(folder, 'old'),
    UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${await listeningPort(api)}`,
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  if (gateway.child.exitCode === null) await gateway.stop();
  api.closeAllConnections();
  api.close();
  await restored.close();
  await portal.close();
  rmSync(folder, { recursive: true });
});

async function activate(planId?: string) {
  const token = await portal.newCustomer();
  const id = 'tax-lookup-api';
  const { activationId, billingCycleId = '' } =
    planId === undefined
      ? await portal.ask(activateProduct, { params: { id } }, token)
      : await portal.ask(activatePlan, { params: { id, planId } }, token);
  const addKey = async (keyName: string) =>
    (await portal.ask(createApiKey, { params: { activationId }, body: { keyName } }, token)).apiKey;
  return { activationId, billingCycleId, addKey, key: await addKey('one') };
}

/** The plans allow few calls per second. */
async function call(apiKey: string, calls: number): Promise<void> {
  const send = () => fetch(`${gateway.url}/tax-lookup/v1/states`, { headers: { 'x-api-key': apiKey } });
  for (let count = 0; count < calls; count += 1) await expect.poll(async () => (await send()).status).toBe(200);
}

test('after an older backup is restored, settling the journal books the calls since it, names those without a plan, and the ledger is correct', async () => {
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  vi.stubEnv('DATA_DIR', join(folder, 'new'));
  const [trial, free] = [await activate(), await activate('free')];
  const backups = join(folder, 'backups');
  expect(await run(['backup', '--to', backups, '--unencrypted'])).toBe(exitCodes.done);
  await call(trial.key, 2);
  await call(await trial.addKey('two'), 3);
  await call(free.key, 4);
  const since = await activate();
  await call(since.key, 1);
  await gateway.stop();

  vi.stubEnv('DATABASE_URL', restored.databaseUrl);
  expect(await run(['restore', join(backups, readdirSync(backups)[0] ?? '')])).toBe(exitCodes.done);
  terminal.out = terminal.errors = '';
  const settle = [
    'journals',
    'settle',
    join(folder, 'old', 'journal'),
    '--reason',
    'Restored',
    '--actor',
    'asha',
    '--yes',
  ];
  expect(await run(settle)).toBe(exitCodes.faults);
  expect(terminal.out).toContain('are counted (9 now)');
  expect(terminal.out).toContain(`Not counted: ${since.activationId} on ${since.billingCycleId}, calls: 1, units: 1`);
  expect(terminal.errors).toContain('restored from a backup that is older');
  expect(await listActions(restored.db, { limit: 1 })).toMatchObject([
    { action: 'journals.settle', effect: { calls: 9, uncounted: [{ activation: since.activationId, calls: 1 }] } },
  ]);
  for (const rule of Object.values(quotaSums)) expect((await restored.pool.query(rule)).rows).toEqual([]);
  const { rows } = await restored.pool.query(
    `select scope_id as activation_id, taken from quota_counters where kind = 'day' order by taken`,
  );
  expect(rows).toEqual([
    { activation_id: free.activationId, taken: 4 },
    { activation_id: trial.activationId, taken: 5 },
  ]);
  expect(await run(['verify-ledger'])).toBe(exitCodes.done);
});
