import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readOwner } from '#backup/owner.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { connect, type Connection } from '#shared/database/connect.ts';
import { readMigrations } from '#shared/database/migrate.ts';
import { processName } from '#shared/database/process-name.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { backupFinding, besideFinding, clusterFinding, readUpgrade } from './read-upgrade.ts';

let database: TestDatabase;
const opened: Connection[] = [];
const folder = mkdtempSync(join(tmpdir(), 'octroi-upgrade-'));
const terminal = captureTerminal();
beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  vi.stubEnv('BACKUP_DIR', folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const { close } of opened) await close();
  await database.close();
  rmSync(folder, { recursive: true });
});

async function connectAs(applicationName: string): Promise<Connection> {
  const connection = connect(database.databaseUrl, { applicationName, keptConnections: 1, maxConnections: 1 });
  opened.push(connection);
  await sql`select 1`.execute(connection.db);
  return connection;
}
const check = (...words: string[]) => run(['upgrade', '--check', ...words]);

test('an installation that is up to date has nothing in the way, and running processes are named with their version', async () => {
  await connectAs(processName('portal'));
  expect(await check()).toBe(exitCodes.done);
  expect(terminal.out).toContain('No migration is left to apply.');
  expect(terminal.out).toMatch(
    new RegExp(`portal ${octroiVersion()}, which knows migrations up to \\d{3}: 1 connections`),
  );
  expect(terminal.out).toContain('No older version is connected.');
  expect(await run(['upgrade'])).toBe(exitCodes.usage);
});

test('a missing migration is listed, an older version that it may break must stop, and a backup is asked for', async () => {
  await connectAs('octroi gateway 0.0.9 000');
  const drop = { name: '001-drop.sql', sql: 'alter table mails drop column reply_to;', checksum: '' };
  const upgrade = await readUpgrade(24, [...readMigrations(), drop]);
  expect(upgrade.pending).toMatchObject([{ name: '001-drop.sql', contractions: [expect.any(String)] }]);
  expect(upgrade.running).toContainEqual({ part: 'gateway', version: '0.0.9', migration: '000', connections: 1 });
  expect(upgrade.findings).toContainEqual({
    ok: false,
    text: expect.stringContaining("an older version can't run beside 001-drop.sql"),
  });
  await database.owner.pool.query('comment on function never_change() is null');
  terminal.out = '';
  expect(await check('--json')).toBe(exitCodes.faults);
  expect(JSON.parse(terminal.out)).toMatchObject({ objects: ['function never_change()'], pending: [] });
  expect(terminal.out).toContain(`There is no backup of this installation in ${folder}`);
  // That of another installation is nothing to go back to.
  writeFileSync(join(folder, 'octroi-2026-11-23T020000IST-00000000.tar.gz.age'), '');
  expect(await check()).toBe(exitCodes.faults);
  const { installation } = await readOwner(database.databaseUrl);
  const backup = join(folder, `octroi-2026-11-23T020000IST-${installation}.tar.gz.age`);
  writeFileSync(backup, '');
  terminal.out = '';
  await check();
  expect(terminal.out).toContain('is 0.0 hours old.');
  const old = new Date(Date.now() - 7 * 3_600_000);
  utimesSync(backup, old, old);
  expect(await check('--backup-within', '6')).toBe(exitCodes.faults);
  expect(terminal.out).toContain('is 7.0 hours old; more than 6.');
  expect(await check('--backup-within', 'soon')).toBe(exitCodes.usage);
});

test('a database of a newer version is refused', async () => {
  await database.owner.pool.query(`insert into schema_migrations (name, checksum) values ('999-later.sql', 'x')`);
  expect(await check()).toBe(exitCodes.faults);
  expect(terminal.out).toMatch(/✗ The database has the migration/);
});

const portal = (migration: string) => ({ part: 'portal', version: '0.1.0', migration, connections: 2 });
const isOk = (...given: Parameters<typeof besideFinding>) => besideFinding(...given).ok;

test('older versions go on beside migrations that only add, and stop before one that takes away what they use', () => {
  const adds = { name: '070-a.sql', contractions: [], contractOf: undefined };
  const drops = { name: '071-b.sql', contractions: ['drop table a: drops'], contractOf: '065' };
  const undeclared = { ...drops, contractOf: undefined };
  expect(isOk([adds], [portal('064')], '071')).toBe(true);
  expect(isOk([adds, drops], [portal('065')], '071')).toBe(true);
  expect(besideFinding([adds, drops], [portal('064')], '071')).toEqual({
    ok: false,
    text: "Stop portal 0.1.0 (064) first: an older version can't run beside 071-b.sql.",
  });
  expect(isOk([undeclared], [portal('069')], '071')).toBe(false);
  expect(isOk([undeclared], [portal('071')], '071')).toBe(true);
});

test('an embedded cluster of another major version is in the way, with the way round it', async () => {
  const cluster = join(folder, 'data', 'postgres', 'cluster');
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  expect(clusterFinding(join(folder, 'data'), '17.6.0')).toMatchObject({ ok: true });
  const { ok, text } = clusterFinding(join(folder, 'data'), '18.4.0-beta.17');
  expect([ok, text]).toEqual([false, expect.stringContaining('is of PostgreSQL 17, and this version brings 18')]);
  expect(clusterFinding(join(folder, 'nothing'), '18.4.0')).toMatchObject({ ok: true });
  expect(await backupFinding({}, async () => '', 24, true)).toMatchObject({ ok: false });
  expect(await backupFinding({}, async () => '', 24, false)).toMatchObject({ ok: true });
});
