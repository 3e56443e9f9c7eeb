import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CatalogFaults } from '#catalog/catalog.ts';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { applyCatalog, listCatalogVersions } from '#shared/database/catalog-versions.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { secretPlaces } from './config.ts';
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

test('a gateway refuses a stored version that names a variable or a file which is not for catalogues, and says why', async () => {
  const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');
  const other = await createTestDatabase();
  onTestFinished(() => other.close());
  const versions = openCatalogVersions(other.db, emptyCatalog(), { env: { DATABASE_URL: other.databaseUrl } });
  const sources = ['{ env: DATABASE_URL }', '{ file: /etc/passwd }'];
  for (const [index, source] of sources.entries()) {
    const text = `${sample}\ngateway: { credentials: [{ type: bearer, token: ${source} }] }\n`;
    // As a version before this rule, or somebody with the database, could have stored it.
    const stored = Object.assign(new Map([['tax-lookup-api.yaml', Buffer.from(text)]]), { isSound: true as const });
    const applied = await applyCatalog({ db: other.db, log: { error: () => undefined } }, stored, {
      author: 'a test',
      reason: 'A test',
    });
    expect(applied.version).toBe(index + 1);
    await expect(versions.load(index + 1)).rejects.toThrow(
      /tax-lookup-api\.yaml:\d+: gateway\.credentials.*CATALOG_SECRET/,
    );
  }
});

test('what a catalogue can read are variables that are named for it and files of one folder', () => {
  const { env, folder } = secretPlaces({
    env: { DATABASE_URL: 'x', PATH: 'y', CATALOG_SECRETS_DIR: '/run/octroi', CATALOG_SECRET_WEATHER: 'z' },
  });
  expect(env).toEqual({ CATALOG_SECRET_WEATHER: 'z' });
  expect(folder).toBe('/run/octroi');
  expect(secretPlaces({ env: { DATA_DIR: '/var/lib/octroi' } }).folder).toBe('/var/lib/octroi/catalog-secrets');
});
