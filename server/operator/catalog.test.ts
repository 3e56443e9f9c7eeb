import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { CatalogFaults } from '#catalog/catalog.ts';
import { readCatalogFiles } from '#catalog/catalog-files.ts';
import { recordFirstCatalog } from '#database/catalog-versions.ts';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { proposeFolder } from './catalog.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-proposal-'));
const files = join(folder, 'catalog');
const temporary = join(folder, 'temporary');
let database: TestDatabase;
beforeAll(async () => {
  cpSync(projectFolder('standins', 'catalog'), files, { recursive: true });
  mkdirSync(temporary);
  database = await createTestDatabase();
  await recordFirstCatalog(database.db, readCatalogFiles(files), { author: 'a test', reason: 'First start' });
});
beforeEach(() => {
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test('a comparison leaves no copy of a version behind, also when the folder has faults', async () => {
  writeFileSync(join(files, 'NOTES.md'), 'Not a product.\n');
  expect(await proposeFolder(database.db, files)).toMatchObject({ before: 1, isSame: false, changes: [] });
  expect(readdirSync(temporary)).toEqual([]);
  writeFileSync(join(files, 'fact-service.yaml'), 'id: fact-service\n');
  await expect(proposeFolder(database.db, files)).rejects.toThrow(CatalogFaults);
  expect(readdirSync(temporary)).toEqual([]);
});
