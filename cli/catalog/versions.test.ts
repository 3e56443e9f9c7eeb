import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { listActions } from '#server/audit-log/audit-log.ts';

let database: TestDatabase;
let out = '';
let errors = '';
const folder = mkdtempSync(join(tmpdir(), 'octroi-versions-'));
const file = join(folder, 'tax-lookup-api.yaml');
const sample = readFileSync(projectFolder('standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text);
    return true;
  });
  writeFileSync(file, sample);
});
beforeEach(() => {
  out = '';
  errors = '';
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await database.close();
  rmSync(folder, { recursive: true });
});

const catalog = (...words: string[]) => run(['catalog', ...words]);
const apply = (...words: string[]) => catalog('apply', '--folder', folder, '--actor', 'asha', ...words);

test('a catalogue is applied with a reason, after showing what it changes, and every version can be read and restored', async () => {
  expect(await apply()).toBe(exitCodes.usage);
  expect(errors).toContain('--reason');
  expect(await apply('--reason', 'First prices', '--yes')).toBe(exitCodes.done);
  expect(out).toContain('tax-lookup-api: added');
  expect(out).toContain('Version 1 is in effect in every gateway.');

  writeFileSync(file, sample.replace('price: 499', 'price: 599'));
  out = '';
  expect(await apply('--reason', 'Dearer', '--dry-run', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(out)).toMatchObject({ applied: false, before: 1, changes: [{ product: 'tax-lookup-api' }] });
  out = '';
  expect(await catalog('diff', folder, '--running')).toBe(exitCodes.done);
  expect(out).toContain('tax-lookup-api: plan starter: price ₹499 → ₹599');
  expect(await apply('--reason', 'Dearer')).toBe(exitCodes.usage);
  expect(errors).toContain('Nothing was changed. Add --yes');
  out = '';
  expect(await apply('--reason', 'Dearer', '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(out)).toMatchObject({ applied: true, version: 2, before: 1, everywhere: true });
  out = '';
  expect(await apply('--reason', 'Again', '--yes')).toBe(exitCodes.done);
  expect(out).toBe('No changes.\n');

  writeFileSync(file, 'id: [');
  out = '';
  expect(await apply('--reason', 'Wrong', '--yes')).toBe(exitCodes.faults);
  expect(out).toMatch(/tax-lookup-api\.yaml:1/);

  expect(await catalog('revert', '1', '--reason', 'Too dear', '--actor', 'asha', '--yes')).toBe(exitCodes.done);
  expect(await catalog('revert', '9', '--reason', 'Nothing there', '--yes')).toBe(exitCodes.failed);
  expect(errors).toContain('There is no version 9');
  out = '';
  expect(await catalog('show', '3', '--to', folder)).toBe(exitCodes.done);
  expect(readFileSync(file, 'utf8')).toBe(sample);
  out = '';
  expect(await catalog('history', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(out).versions).toMatchObject([
    { version: 3, author: 'asha', reason: 'Too dear' },
    { version: 2, author: 'asha', reason: 'Dearer' },
    { version: 1, author: 'asha', reason: 'First prices' },
  ]);
  out = '';
  expect(await catalog('history')).toBe(exitCodes.done);
  expect(out).toMatch(/^ +3 .* asha +Too dear +in effect$/m);
  expect((await listActions(database.db, { limit: 9 })).map(({ action, target }) => [action, target])).toEqual([
    ['catalog.apply', '3'],
    ['catalog.apply', '2'],
    ['catalog.apply', '1'],
  ]);
});
