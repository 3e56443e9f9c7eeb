import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { recordFirstCatalog } from '#shared/database/catalog-versions.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { catalogFinding } from '#cli/upgrade/read-upgrade.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { readCurrentCatalog } from '#server/current-catalog.ts';

let database: TestDatabase;
const terminal = captureTerminal();
const folder = mkdtempSync(join(tmpdir(), 'octroi-versions-'));
const file = join(folder, 'tax-lookup-api.yaml');
const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  writeFileSync(file, sample);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.close();
  rmSync(folder, { recursive: true });
});

const catalog = (...words: string[]) => run(['catalog', ...words]);
const apply = (...words: string[]) => catalog('apply', '--folder', folder, '--actor', 'asha', ...words);

test.each([
  ['a folder that is not there', 'gone', () => {}, /gone: can't be read: there is no such file or folder/],
  ['an empty folder', 'empty', mkdirSync, /empty: (?:there is no product file|it has none)/],
  [
    'a folder with hidden files alone',
    'hidden',
    (hidden: string) => {
      mkdirSync(hidden);
      writeFileSync(join(hidden, '.tax.yaml'), sample);
      writeFileSync(join(hidden, '._tax.yaml'), 'of a Mac');
    },
    /hidden: (?:there is no product file|it has none)/,
  ],
  [
    'a folder in the place of a file',
    'wrong',
    (wrong: string) => mkdirSync(join(wrong, 'tax.yaml'), { recursive: true }),
    /tax\.yaml: can't be read: it is a folder/,
  ],
  [
    'a file that is not there',
    'linked',
    (linked: string) => {
      mkdirSync(linked);
      symlinkSync('nowhere', join(linked, 'tax.yaml'));
    },
    /tax\.yaml: can't be read: there is no such file or folder/,
  ],
])('%s is named, whichever command reads it', async (_what, name, make, fault) => {
  const faulty = join(folder, '..', `${basename(folder)}-${name}`);
  make(faulty);
  onTestFinished(() => rmSync(faulty, { recursive: true, force: true }));
  for (const words of [
    ['check', '--folder', faulty],
    ['diff', faulty],
    ['set', 'tax-lookup-api', 'plans.starter.price=599', '--folder', faulty],
    ['apply', '--folder', faulty, '--reason', 'A test', '--yes'],
  ]) {
    terminal.out = '';
    terminal.errors = '';
    expect(await catalog(...words), words.join(' ')).not.toBe(exitCodes.done);
    expect(terminal.out + terminal.errors, words.join(' ')).toMatch(fault);
  }
});

test('a catalogue is applied with a reason, after showing what it changes, and every version can be read and restored', async () => {
  expect(await apply()).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('--reason');
  expect(await apply('--reason', 'First prices', '--yes')).toBe(exitCodes.done);
  expect(terminal.out).toContain('tax-lookup-api: added');
  expect(terminal.out).toContain('Version 1 is on sale. No gateway runs; one that starts serves it.');

  writeFileSync(file, sample.replace('price: 499', 'price: 599'));
  terminal.out = '';
  expect(await apply('--reason', 'Dearer', '--dry-run', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    applied: false,
    before: 1,
    changes: [{ product: 'tax-lookup-api' }],
  });
  terminal.out = '';
  expect(await catalog('diff', folder, '--running')).toBe(exitCodes.done);
  expect(terminal.out).toContain('tax-lookup-api: plan starter: price ₹499 → ₹599');
  expect(await apply('--reason', 'Dearer')).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('Nothing was changed. Add --yes');
  terminal.out = '';
  expect(await apply('--reason', 'Dearer', '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ applied: true, version: 2, before: 1, everywhere: null });
  terminal.out = '';
  expect(await apply('--reason', 'Again', '--yes')).toBe(exitCodes.done);
  expect(terminal.out).toBe('No changes.\n');

  writeFileSync(file, 'id: [');
  terminal.out = '';
  expect(await apply('--reason', 'Wrong', '--yes')).toBe(exitCodes.faults);
  expect(terminal.out).toMatch(/tax-lookup-api\.yaml:1/);

  expect(await catalog('revert', '1', '--reason', 'Too dear', '--actor', 'asha', '--yes')).toBe(exitCodes.done);
  expect(await catalog('revert', '9', '--reason', 'Nothing there', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no version 9');
  terminal.out = '';
  expect(await catalog('show', '3', '--to', folder)).toBe(exitCodes.done);
  expect(readFileSync(file, 'utf8')).toBe(sample);
  terminal.out = '';
  expect(await catalog('history', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out).versions).toMatchObject([
    { version: 3, author: 'asha', reason: 'Too dear' },
    { version: 2, author: 'asha', reason: 'Dearer' },
    { version: 1, author: 'asha', reason: 'First prices' },
  ]);
  terminal.out = '';
  expect(await catalog('history')).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/^ +3 .* asha +Too dear +in effect$/m);
  const actions = await listActions(database.db, { limit: 9 });
  expect(actions.map(({ action, target }) => [action, target])).toEqual([
    ['catalog.revert', '3'],
    ['catalog.apply', '2'],
    ['catalog.apply', '1'],
  ]);
  expect(actions[1]?.effect).toMatchObject({
    prices: [{ product: 'tax-lookup-api', plan: 'starter', before: 499, after: 599 }],
  });
});

test('without a folder, diff compares the files of CATALOG_DIR with what is on sale', async () => {
  vi.stubEnv('CATALOG_DIR', folder);
  terminal.out = '';
  expect(await catalog('diff')).toBe(exitCodes.done);
  expect(terminal.out).toBe('No changes.\n');
  writeFileSync(file, sample.replace('price: 499', 'price: 699'));
  terminal.out = '';
  expect(await catalog('diff', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ prices: [{ plan: 'starter', before: 499, after: 699 }] });
});

test('a version on sale that the rules of today refuse says so to every process, and is replaced by apply', async () => {
  const old = await createTestDatabase();
  onTestFinished(() => old.close());
  const { DATABASE_URL: before } = process.env;
  onTestFinished(() => void vi.stubEnv('DATABASE_URL', before));
  vi.stubEnv('DATABASE_URL', old.databaseUrl);
  // As an earlier version of Octroi, whose rules knew this field, stored it.
  const stored = Object.assign(new Map([['tax-lookup-api.yaml', Buffer.from(`${sample}\nonceAllowed: true\n`)]]), {
    isSound: true as const,
  });
  await recordFirstCatalog(old.db, stored, { author: 'portal', reason: 'First start' });
  const refused = readCurrentCatalog(old.db, folder);
  await expect(refused).rejects.toThrow(/Version 1 .* can't be read by this version of Octroi.*catalog show 1 --to/s);
  await expect(refused).rejects.toThrow(/tax-lookup-api\.yaml:\d+: Unrecognized key: "onceAllowed"/);
  const upgrade = await catalogFinding(old.databaseUrl, folder);
  expect(upgrade).toMatchObject({ ok: false, text: expect.stringContaining('catalog apply') });

  expect(await catalog('show', '1', '--to', folder)).toBe(exitCodes.done);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('\nonceAllowed: true', '').replace('price: 499', 'price: 549'),
  );
  terminal.out = '';
  expect(await apply('--reason', 'Rules of the new version', '--yes')).toBe(exitCodes.done);
  expect(terminal.out).toContain("Version 1, which is in effect, can't be read by this version of Octroi");
  expect(terminal.out).toContain('tax-lookup-api: plan starter: price ₹499 → ₹549');
  const now = await readCurrentCatalog(old.db, folder);
  expect(now.products.map(({ id }) => id)).toEqual(['tax-lookup-api']);
  expect((await listActions(old.db, { limit: 1 }))[0]?.effect).toMatchObject({ version: 2, before: 1 });
  expect(await catalogFinding(old.databaseUrl, folder)).toMatchObject({ ok: true });
  expect(await catalog('revert', '1', '--reason', 'As before', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('The catalogue has faults, so nothing was changed.');
});
