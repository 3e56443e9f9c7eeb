import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from './command-result.ts';
import { run } from './octroi.ts';
import { captureTerminal } from './test-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-places-'));
/** As of a disk that is not mounted. */
const nowhere = join(folder, 'nowhere');
symlinkSync(join(folder, 'unmounted'), nowhere);
const archive = join(folder, 'octroi-2026-11-23T020000Z.tar.gz.age');
writeFileSync(archive, 'age-encryption.org/v1\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const terminal = captureTerminal();
// Nothing listens there: a command that begins with its work says so instead.
beforeEach(() => void vi.stubEnv('DATABASE_URL', 'postgres://octroi@127.0.0.1:1/octroi'));
afterEach(() => vi.unstubAllEnvs());

const refused = `The folder ${join(nowhere, 'here')} can't be made: a file, or a link to nothing, has this name.`;
const place = join(nowhere, 'here');

test.each([
  [['backup', '--unencrypted', '--to', place]],
  [['gstr1', '2026-10', place]],
  [['gstr3b', '2026-10', place]],
  [['month-pack', '2026-10', join(place, 'october.zip')]],
  [['accounts', 'export', '2026-10', place]],
  [['catalog', 'show', '1', '--to', place]],
  [['catalog', 'import', archive, '--folder', place]],
])('%j names the folder that cannot be made, before its work', async (words) => {
  expect(await run(words)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(refused);
});

test('a base backup into a folder that cannot be made does not start the database', async () => {
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('DATA_DIR', join(folder, 'base'));
  expect(await run(['backup', 'base', '--unencrypted', '--to', place])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(refused);
  expect(existsSync(join(folder, 'base'))).toBe(false);
});

test('a store that cannot be reached is named before a backup is made', async () => {
  vi.stubEnv('BACKUP_S3_KEY_ID', 'key');
  vi.stubEnv('BACKUP_S3_SECRET', 'secret');
  const words = ['backup', '--unencrypted', '--to', 'http://127.0.0.1:1/bucket'];
  expect(await run(words)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain("The store at http://127.0.0.1:1/bucket can't be reached");
});

test.each([
  [['restore', join(folder, 'gone.tar.gz')], `gone.tar.gz can't be read: there is no such file or folder.`],
  [['restore', archive], 'is encrypted. Name the file with the secret key'],
  [['restore', folder], `${folder} can't be read: it is a folder.`],
  [['restore', archive, '--at', '2026-11-23T10:15:00Z'], '--at needs --wal'],
  [['restore', archive, '--wal', folder, '--at', 'yesterday'], '--at must be a moment'],
  [['backup', 'drill', join(folder, 'gone.tar.gz')], `gone.tar.gz can't be read: there is no such file or folder.`],
  [['backup', 'drill', archive], 'is encrypted. Name the file with the secret key'],
])('%j makes no database: %s', async (words, message) => {
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('DATA_DIR', join(folder, 'restored'));
  expect(await run(words)).not.toBe(exitCodes.done);
  expect(terminal.errors).toContain(message);
  expect(existsSync(join(folder, 'restored'))).toBe(false);
});

test('a file that cannot be written is named before its contents are read', async () => {
  for (const words of [
    ['customers', 'export', '--yes', '--reason', 'Asked by letter', 'CUS-1', join(place, 'one.zip')],
    ['customers', 'export', '--yes', '--reason', 'Asked by letter', 'CUS-1', folder],
    ['month-pack', '2026-10', folder],
  ]) {
    terminal.errors = '';
    expect(await run(words)).toBe(exitCodes.failed);
    expect(terminal.errors).toContain(`${words.at(-1)} can't be written: `);
  }
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
