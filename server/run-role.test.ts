import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from 'undici';
import { createApiKey, revokeApiKey } from '#contract/api-keys.ts';
import { openClient } from '#database/clients.ts';
import { applyMigrations, readMigrations } from '#database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { type TestRoles, withTestRoles } from '#database/test-roles.ts';
import { dayOf } from '#domain/day.ts';
import { createLog } from '#platform/log.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { recordAction } from './audit-log/audit-log.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { verifyLedger, verifyWholeLedger } from './features/ledger/ledger.ts';
import { openJobs } from './jobs/jobs.ts';
import { deleteOldRows } from './retention/delete-old.ts';
import { runRounds } from './rounds.ts';
import { listeningPort, spawnTestGateway } from './test-gateway.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

const log = createLog('test', { level: 'silent' });
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-run-role-'));
let portal: TestPortal;
let roles: TestRoles;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // As the command does it: the queue makes its own tables before.
  await (await openJobs(database.db, log, { onlySends: true })).stop();
  roles = await withTestRoles(database.databaseUrl);
  portal = await startTestPortal({ rounds: true, env: { DATABASE_URL: roles.run } });
});
afterAll(async () => {
  await portal.close();
  await roles.drop();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

test('a portal and a gateway do all their work with the role of the processes', async () => {
  const api = createServer((_req, res) => void res.end('{}'));
  const gateway = await spawnTestGateway({
    DATABASE_URL: roles.run,
    DATA_DIR: dataDir,
    UPSTREAM_INVOICING_SYSTEM: `http://127.0.0.1:${await listeningPort(api)}`,
  });
  try {
    const buyer = await newBuyer(portal);
    await buyer.buy(0);
    await buyer.end(await buyer.buy(40));
    const kinds = async () => (await buyer.documents()).map(({ kind }) => kind);
    await expect.poll(kinds).toEqual(['INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER']);
    const documents = await buyer.documents();
    expect(documents.length).toBeGreaterThanOrEqual(2);
    for (const { id } of documents) expect((await buyer.download(id)).subarray(0, 5).toString()).toBe('%PDF-');
    const params = { activationId: buyer.activationId };
    const key = await portal.ask(createApiKey, { params, body: { keyName: 'mine', isTest: false } }, buyer.token);
    const call = async (): Promise<number> => {
      const { statusCode, body } = await request(`${gateway.url}/gst-invoicing/v1/ok`, {
        headers: { 'x-api-key': key.apiKey },
      });
      await body.dump();
      return statusCode;
    };
    expect(await call()).toBe(200);
    await portal.ask(revokeApiKey, { params: { ...params, keyId: key.id } }, buyer.token);
    expect(await call()).toBe(401);
    await runRounds(portal.portal);
    const now = new Date();
    await deleteOldRows(portal.portal.db, { machine: now, today: dayOf(now.getTime()) });
    await portal.portal.db.transaction().execute((tx) =>
      recordAction(tx, {
        actor: 'asha',
        reason: 'A test',
        action: 'keys.revoke',
        target: key.id,
        customerId: null,
        effect: {},
      }),
    );
    await verifyLedger(portal.portal);
    await verifyWholeLedger(portal.portal);
    const check = await portal.portal.db.selectFrom('ledger_checks').selectAll().executeTakeFirstOrThrow();
    expect([check.faults, check.whole_faults, check.failure, check.whole_failure]).toEqual([[], [], null, null]);
    expect(portal.logLines.filter((line) => line.includes('permission denied'))).toEqual([]);
  } finally {
    await gateway.stop();
    api.close();
  }
});

test('the products make their own tables with it', async () => {
  const client = openClient({ connectionString: roles.run });
  await client.connect();
  const migrations = readMigrations(projectFolder('products', 'migrations'));
  expect(await applyMigrations(client, migrations, 'products')).toHaveLength(migrations.length);
  expect(await applyMigrations(client, migrations, 'products')).toEqual([]);
  await client.end();
});
