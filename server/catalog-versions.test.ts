import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CatalogFaults } from '#catalog/catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import {
  newestCatalogVersion,
  pendingCatalogVersion,
  recordFirstCatalog,
  reportCatalog,
} from '#shared/database/catalog-versions.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { proposeFolder } from '#server/catalog-proposal.ts';
import { applyProposal } from './catalog-versions.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-proposal-'));
const files = join(folder, 'catalog');
let database: TestDatabase;
beforeAll(async () => {
  cpSync(projectFolder('ship', 'standins', 'catalog'), files, { recursive: true });
  database = await createTestDatabase();
  await recordFirstCatalog(database.db, await SoundFiles.in(files), { author: 'a test', reason: 'First start' });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test('a file that no product uses is a difference without changes, and a folder with faults is refused', async () => {
  writeFileSync(join(files, 'NOTES.md'), 'Not a product.\n');
  expect(await proposeFolder(database.db, files)).toMatchObject({ before: 1, isSame: false, changes: [] });
  writeFileSync(join(files, 'fact-service.yaml'), 'id: fact-service\n');
  await expect(proposeFolder(database.db, files)).rejects.toThrow(CatalogFaults);
});

test('a version is refused when a gateway has prepared a later one, whose report replaced that of this version', async () => {
  const { db } = database;
  const changed = join(folder, 'changed');
  cpSync(projectFolder('ship', 'standins', 'catalog'), changed, { recursive: true });
  writeFileSync(join(changed, 'NOTES.md'), 'Changed.\n');
  await sql`insert into journals (id, position) values ('gateway', 0)`.execute(db);
  await sql`insert into gateways (journal_id, started_at, lease_until, catalog_version, seen_version)
    values ('gateway', now(), now() + interval '1 hour', 1, 1000000)`.execute(db);
  const apply = async () =>
    applyProposal({ db, log: { error: () => {} } }, await proposeFolder(db, changed), {
      actor: 'a test',
      reason: 'A change',
    });
  const overtake = async () => {
    await expect.poll(() => pendingCatalogVersion(db)).toBe(2);
    await reportCatalog(db, 'gateway', { prepared_version: 3, catalog_fault: null });
  };
  const [first] = await Promise.allSettled([apply(), overtake()]);
  expect(String(first.status === 'rejected' && first.reason)).toContain(
    'Version 3 was prepared meanwhile, so version 2 was not applied. Compare again.',
  );
  expect(await newestCatalogVersion(db)).toBe(1);
  expect(await apply()).toMatchObject({ version: 3 });
});

test('a gateway that is silent while it prepares a version is waited for, and its refusal changes nothing', async () => {
  const { db } = database;
  const changed = join(folder, 'silent');
  cpSync(projectFolder('ship', 'standins', 'catalog'), changed, { recursive: true });
  writeFileSync(join(changed, 'NOTES.md'), 'Changed once more.\n');
  const before = await newestCatalogVersion(db);
  await sql`delete from gateways`.execute(db);
  await sql`insert into gateways (journal_id, started_at, lease_until, catalog_version, seen_version)
    values ('silent', now(), now() - interval '4 seconds', ${before}, 1000000)`.execute(db);
  const applied = (async () =>
    applyProposal({ db, log: { error: () => {} } }, await proposeFolder(db, changed), {
      actor: 'a test',
      reason: 'A change',
    }))();
  const refuse = async () => {
    await expect.poll(() => pendingCatalogVersion(db)).toBe(4);
    await reportCatalog(db, 'silent', { prepared_version: 4, catalog_fault: 'CATALOG_SECRET_NOPE is not set' });
  };
  const [outcome] = await Promise.allSettled([applied, refuse()]);
  expect(String(outcome.status === 'rejected' && outcome.reason)).toContain('CATALOG_SECRET_NOPE is not set');
  expect(await newestCatalogVersion(db)).toBe(before);
  // One that has left is not waited for.
  await sql`update gateways set lease_until = '-infinity'`.execute(db);
  const again = await proposeFolder(db, changed);
  const context = { db, log: { error: () => {} } };
  expect(await applyProposal(context, again, { actor: 'a test', reason: 'A change' })).toMatchObject({ gateways: 0 });
});
