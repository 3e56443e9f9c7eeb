import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readArchive } from '#backup/archive.ts';
import { readOwner } from '#backup/owner.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { writeOfficialList } from '#products/tax-lookup/official-list.ts';
import { startMoney } from '#server/money-tests/test-money.ts';
import { printPapers } from '#server/money-tests/test-papers.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { planBackup } from './backup.ts';
import { keepBackingUp } from './schedule.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-backup-'));
let database: TestDatabase;
let installation: string;
/** The name of a backup of this installation, or of another. */
const nameOf = (year: number, day = 1, of = installation) => `octroi-${year}-01-0${day}T000000IST-${of}.tar.gz`;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ installation } = await readOwner(database.databaseUrl));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const terminal = captureTerminal();
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a key is made, a backup is encrypted for it, and the drill proves it in a database of its own', async () => {
  expect(await run(['backup', 'key'])).toBe(exitCodes.done);
  const keyFile = join(folder, 'key.txt');
  writeFileSync(keyFile, terminal.out);
  vi.stubEnv('BACKUP_RECIPIENT', /age1\w+/.exec(terminal.out)?.[0] ?? '');
  const backups = join(folder, 'encrypted');
  terminal.out = '';
  expect(await run(['backup', '--to', backups])).toBe(exitCodes.done);
  const [name = ''] = readdirSync(backups);
  expect(name).toMatch(/^octroi-\d{4}-\d\d-\d\dT\d{6}IST-[0-9a-f]{8}\.tar\.gz\.age$/);
  expect(terminal.out).toContain(join(backups, name));
  terminal.out = '';
  expect(await run(['backup', 'drill', join(backups, name), '--identity', keyFile])).toBe(exitCodes.done);
  expect(terminal.out).toContain('The ledger is correct.');
  terminal.out = '';
  expect(await run(['backup', 'drill', join(backups, name)])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is encrypted. Name the file with the secret key');
});

test('old backups are deleted, other files of the folder are not', async () => {
  const backups = join(folder, 'kept');
  const words = ['backup', '--to', backups, '--unencrypted', '--keep', '1'];
  expect(await run(words)).toBe(exitCodes.done);
  for (const name of [`${nameOf(2020)}.age`, nameOf(2020, 2), 'mine.txt']) writeFileSync(join(backups, name), '');
  const before = readdirSync(backups);
  // A second backup of the same second would have the same name.
  await vi.waitFor(async () => expect(await run([...words, '--json'])).toBe(exitCodes.done), { timeout: 60_000 });
  const after = readdirSync(backups);
  expect(after).toHaveLength(2);
  expect(after).toContain('mine.txt');
  expect(before).not.toContain(after.find((name) => name !== 'mine.txt'));
});

test('installations that share a place each delete, count and wait for their own backups', async () => {
  const to = join(folder, 'shared');
  const other = await createTestDatabase();
  const of = (await readOwner(other.databaseUrl)).installation;
  expect(of).not.toBe(installation);
  vi.stubEnv('BACKUP_DIR', to);
  const words = ['backup', '--unencrypted', '--keep', '1'];
  try {
    expect(await run(words)).toBe(exitCodes.done);
    // The other one has none yet, so its first is due at once, though a backup of today lies there.
    vi.stubEnv('DATABASE_URL', other.databaseUrl);
    const stopped = new AbortController();
    const plan = { ...planBackup({ unencrypted: true }), keep: 1 };
    const running = keepBackingUp(plan, createLog('test', { level: 'silent' }), stopped.signal);
    await expect.poll(() => readdirSync(to).filter((name) => name.includes(of))).toHaveLength(1);
    stopped.abort();
    await running;
    expect(readdirSync(to).filter((name) => name.includes(installation))).toHaveLength(1);
    // What was restored from it is another one.
    const made = readdirSync(to).find((name) => name.includes(of)) ?? '';
    const empty = await createTestDatabase('empty');
    vi.stubEnv('DATABASE_URL', empty.databaseUrl);
    vi.stubEnv('DATA_DIR', join(folder, 'shared-restored'));
    terminal.out = '';
    expect(await run(['restore', join(to, made)])).toBe(exitCodes.done);
    expect(terminal.out).toContain('run octroi database roles again before the start');
    await vi.waitFor(async () => expect(await run(words)).toBe(exitCodes.done), { timeout: 60_000 });
    expect(readdirSync(to).filter((name) => name.startsWith('octroi-'))).toHaveLength(3);
    await empty.close();
  } finally {
    await other.close();
  }
});

test('a backup that lacks a PDF deletes no older one, which may have it', async () => {
  const place = join(folder, 'documents');
  mkdirSync(place);
  const money = await startMoney();
  try {
    await printPapers(money, 1);
    vi.stubEnv('DATABASE_URL', money.portal.settings.databaseUrl);
    vi.stubEnv('DOCUMENTS_PLACE', place);
    expect(await run(['documents', 'move'])).toBe(exitCodes.done);
    const backups = join(folder, 'with-pdfs');
    mkdirSync(backups);
    const of = (await readOwner(money.portal.settings.databaseUrl)).installation;
    const older = [nameOf(2020, 1, of), nameOf(2020, 2, of)];
    for (const name of older) writeFileSync(join(backups, name), '');
    const words = ['backup', '--to', backups, '--unencrypted', '--keep', '1'];
    // The disk of the PDFs is not mounted.
    renameSync(place, `${place}-away`);
    expect(await run(words)).toBe(exitCodes.faults);
    expect(terminal.errors).toContain('No older backup was deleted');
    expect(readdirSync(backups)).toEqual(expect.arrayContaining(older));
    renameSync(`${place}-away`, place);
    // A second backup of the same second would have the same name.
    await vi.waitFor(async () => expect(await run(words)).toBe(exitCodes.done), { timeout: 60_000 });
    expect(readdirSync(backups)).toHaveLength(1);
  } finally {
    await money.close();
  }
});

test.each([
  [['backup', '--to', folder], 'Set BACKUP_RECIPIENT'],
  [['backup', '--unencrypted'], 'Name the folder or the address'],
  [['backup', 'base', '--to', folder], 'Set BACKUP_RECIPIENT'],
  [['backup', 'base', '--unencrypted'], 'Name the folder or the address'],
  [['backup', '--to', folder, '--unencrypted', '--keep', '0'], '--keep must be a whole number'],
  [['backup', '--to', folder, '--unencrypted', '--keep', '1', '--nightly'], 'cannot be used with option'],
])('%j is a wrong command line: %s', async (words, message) => {
  expect(await run(words)).toBe(exitCodes.usage);
  expect(terminal.errors).toContain(message);
});

test('a backup goes to an S3-compatible store and is proved from there; only the newest are kept', async () => {
  const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
  const store = await startS3({ ...account, bucket: 'backups' });
  vi.stubEnv('BACKUP_DIR', `${store.url}/octroi`);
  vi.stubEnv('BACKUP_S3_KEY_ID', account.keyId);
  vi.stubEnv('BACKUP_S3_SECRET', account.secret);
  vi.stubEnv('BACKUP_S3_REGION', account.region);
  try {
    store.objects.set(`octroi/${nameOf(2020)}`, { body: Buffer.from('old'), at: new Date(0) });
    expect(await run(['backup', '--unencrypted', '--keep', '1'])).toBe(exitCodes.done);
    const [name = ''] = [...store.objects.keys()];
    expect(name).toMatch(/^octroi\/octroi-20(?!20-01)/);
    expect(store.objects.size).toBe(1);
    expect(terminal.out).toContain(`${store.url}/${name}`);
    expect(await run(['backup', 'drill', `${store.url}/${name}`])).toBe(exitCodes.done);
    expect(terminal.out).toContain('The ledger is correct.');
    expect(terminal.out).not.toContain('Verifying the ledger …');
    expect(terminal.errors).toContain('Verifying the ledger …');
    vi.stubEnv('BACKUP_S3_SECRET', 'other');
    expect(await run(['backup', '--unencrypted'])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('SignatureDoesNotMatch');
    vi.stubEnv('BACKUP_S3_SECRET', '');
    expect(await run(['backup', '--unencrypted'])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('needs BACKUP_S3_KEY_ID and BACKUP_S3_SECRET');
  } finally {
    await store.close();
  }
});

test('an address with a password is refused, and the password is not repeated', async () => {
  const secret = 'hunter2';
  expect(await run(['backup', '--unencrypted', '--to', `https://user:${secret}@127.0.0.1:9/bucket`])).toBe(
    exitCodes.failed,
  );
  expect(terminal.errors).toContain('set BACKUP_S3_KEY_ID');
  expect(terminal.errors).not.toContain(secret);
});

test('a nightly backup keeps as many as BACKUP_KEEP says, and all with 0', async () => {
  const to = join(folder, 'nightly');
  mkdirSync(to);
  const older = [nameOf(2020), nameOf(2020, 2)];
  for (const [index, name] of older.entries()) {
    writeFileSync(join(to, name), 'old');
    utimesSync(join(to, name), index, index);
  }
  const words = ['backup', '--to', to, '--unencrypted', '--nightly'];
  vi.stubEnv('BACKUP_KEEP', '0');
  expect(await run(words)).toBe(exitCodes.done);
  expect(readdirSync(to)).toEqual(expect.arrayContaining(older));
  vi.stubEnv('BACKUP_KEEP', '1');
  await vi.waitFor(async () => expect(await run(words)).toBe(exitCodes.done), { timeout: 60_000 });
  expect(readdirSync(to)).toHaveLength(1);
  expect(readdirSync(to)).not.toEqual(expect.arrayContaining([expect.stringContaining('octroi-2020')]));
  // Such as the unit of systemd.
  expect(readFileSync(projectFolder('ship', 'deploy', 'systemd', 'octroi-backup.service'), 'utf8')).toMatch(
    /^ExecStart=.* backup --nightly$/m,
  );
});

test('brand and official list of codes are in a backup, beside the catalogue', async () => {
  const to = join(folder, 'whole');
  const brand = join(folder, 'brand');
  cpSync(projectFolder('ship', 'standins', 'brand'), brand, { recursive: true });
  vi.stubEnv('BRAND_DIR', brand);
  vi.stubEnv('DATA_DIR', join(folder, 'with-codes'));
  writeOfficialList(join(folder, 'with-codes'), {
    source: { file: 'HSN_SAC.xlsx', importedAt: '2026-11-23T00:00:00.000Z' },
    descriptions: new Map([['998439', 'Other on-line contents']]),
  });
  expect(await run(['backup', '--to', to, '--unencrypted'])).toBe(exitCodes.done);
  const { files } = await readArchive(join(to, readdirSync(to).find((name) => name.startsWith('octroi-')) ?? ''), []);
  const names = Object.keys(files).filter((name) => /^(brand|tax-lookup)\//.test(name));
  expect(names.toSorted()).toEqual(
    [...readdirSync(brand).map((name) => `brand/${name}`), 'tax-lookup/official-codes.json'].toSorted(),
  );
});
