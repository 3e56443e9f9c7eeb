import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { assemble, packageList } from '#ship/launch/pack.mjs';
import { freePorts } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

mkdirSync(projectFolder('build'), { recursive: true });
const folder = mkdtempSync(join(projectFolder('build'), 'pack-'));
const packed = join(folder, 'octroi');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const built = join(folder, 'built');
  const bundle = `import(${JSON.stringify(projectFolder('ship', 'launch', 'build.mjs'))}).then((m) => m.bundlePrograms(${JSON.stringify(projectFolder())}, ${JSON.stringify(built)}))`;
  const bundled = spawnSync(process.execPath, ['-e', bundle], { encoding: 'utf8' });
  if (bundled.status !== 0) throw new Error(bundled.stderr);
  mkdirSync(packed);
  assemble(projectFolder(), packed, built);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const env = () => ({ PATH: process.env['PATH'], DATABASE_URL: database.databaseUrl, DATA_DIR: join(folder, 'data') });
const octroi = (...words: string[]) =>
  spawnSync(join(packed, 'octroi'), words, { cwd: folder, env: env(), encoding: 'utf8' });

test('the packed folder has no source and no package of development', () => {
  const files = readdirSync(packed, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('node_modules'),
  );
  expect(files.filter((name) => /\.tsx?$/.test(name))).toEqual([]);
  expect(existsSync(join(packed, 'node_modules', 'vitest'))).toBe(false);
  expect(existsSync(join(packed, 'node_modules', 'fastify'))).toBe(true);
});

test('the list of packages has those of the programs and of the pages, with versions and licences', async () => {
  const component = z.object({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()).optional() });
  const list = z
    .object({ bomFormat: z.literal('CycloneDX'), components: z.array(component) })
    .parse(JSON.parse(await packageList(projectFolder())));
  const licensed = list.components.filter(({ licenses }) => licenses !== undefined).map(({ name }) => name);
  expect(licensed).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', '@mantine/core']));
});

test('octroi runs from the packed folder: every command loads, the tables are made, the products start', async () => {
  expect(octroi('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('verify-ledger') });
  expect(octroi('catalog', 'check')).toMatchObject({ status: 0 });
  expect(octroi('migrate')).toMatchObject({ status: 0, stdout: expect.stringContaining('up to date') });
  const [one, two] = await freePorts(2);
  const words = ['products', '--tax-lookup-port', `${one}`, '--invoicing-port', `${two}`];
  const child = spawn(join(packed, 'octroi'), words, { cwd: folder, env: env(), stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${two}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

test('the catalogue of a command is the one in .env, unless --folder or --from names another', () => {
  const catalog = join(folder, 'catalog');
  const shipped = join(packed, 'catalog');
  const file = join(catalog, 'tax-lookup-api.yaml');
  mkdirSync(catalog);
  cpSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), file);
  writeFileSync(join(packed, '.env'), `CATALOG_DIR=${catalog}\n`);
  const checked = z.object({ products: z.array(z.object({ id: z.string() })) });
  const ids = (...words: string[]) =>
    checked.parse(JSON.parse(octroi('catalog', 'check', '--json', ...words).stdout)).products.map(({ id }) => id);
  expect(ids()).toEqual(['tax-lookup-api']);
  expect(ids('--folder', shipped)).toEqual(expect.arrayContaining(['tax-lookup-api', 'invoicing-system']));
  expect(octroi('catalog', 'set', 'tax-lookup-api', 'position=7').status).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('position: 7');
  expect(octroi('catalog', 'diff', shipped).stdout).toContain('invoicing-system: added');
});

test('nothing is written into the catalogue of a release, which the next one replaces; a folder outside takes it', () => {
  const shipped = join(packed, 'catalog');
  const own = join(folder, 'own');
  const document = join(folder, 'weather.json');
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    servers: [{ url: 'https://weather.example' }],
  };
  writeFileSync(
    document,
    JSON.stringify({ ...openapi, paths: { '/v1/rain': { get: { responses: { 200: { description: 'Rain' } } } } } }),
  );
  writeFileSync(join(packed, '.env'), '');
  const before = readdirSync(shipped);
  for (const words of [
    ['import', document],
    ['import', document, '--folder', join(shipped, 'new')],
    ['set', 'tax-lookup-api', 'position=7'],
  ]) {
    const { status, stderr } = octroi('catalog', ...words);
    expect([status, stderr], words.join(' ')).toEqual([1, expect.stringContaining('CATALOG_DIR')]);
  }
  expect(readdirSync(shipped)).toEqual(before);
  expect(octroi('catalog', 'import', document, '--folder', own)).toMatchObject({ status: 0 });
  expect(readdirSync(own)).toContain('weather.yaml');
});
