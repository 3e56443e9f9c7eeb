import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { examineOnly, problem, temporaryFolder } from './test-installation.ts';

test('judges the secrets of the catalogue by the files here only while no gateway runs', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const folder = changedCatalog({});
  const file = join(folder, 'tax-lookup-api.yaml');
  const gateway = 'gateway: { credentials: [{ type: bearer, token: { file: elsewhere } }] }';
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${gateway}\n`);
  const env = { DATABASE_URL: database.databaseUrl, CATALOG_DIR: folder, CATALOG_SECRETS_DIR: temporaryFolder() };
  const missing = problem('elsewhere cannot be read', 'where the gateways run');
  expect(await examineOnly('catalogue', env)).toContainEqual(missing);
  await sql`insert into gateways (journal_id, started_at, lease_until)
    values ('there', now(), now() + interval '1 minute')`.execute(database.db);
  expect(await examineOnly('catalogue', env)).toMatchObject([{ level: 'ok' }]);
});
