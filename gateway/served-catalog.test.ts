import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CatalogFaults } from '#catalog/catalog.ts';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { listCatalogVersions } from '#shared/database/catalog-versions.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { openCatalogVersions } from './served-catalog.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a gateway that starts first stores nothing of a catalogue with a fault, and the mended files once they have none', async () => {
  const folder = emptyCatalog();
  const file = join(folder, 'tax-lookup-api.yaml');
  const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');
  const versions = openCatalogVersions(database.db, folder, { env: {} });
  writeFileSync(file, sample.replace('price: 499', 'price: much'));
  await expect(versions.newest()).rejects.toThrow(CatalogFaults);
  expect(await listCatalogVersions(database.db)).toEqual([]);
  writeFileSync(file, sample);
  const version = await versions.newest();
  const served = await versions.load(version);
  expect([version, served.catalog.products.map(({ id }) => id)]).toEqual([1, ['tax-lookup-api']]);
});
