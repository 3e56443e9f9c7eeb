import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileNameOf } from '#backup/backup-name.ts';
import { readOwner } from '#backup/owner.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { connect } from '#shared/database/connect.ts';
import { rememberDatabase } from '#shared/database/database-memory.ts';
import { findClusterPlace } from '#shared/database/embedded-place.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { dayOf } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { createLog } from '#shared/platform/log.ts';
import { takeNumber } from '#server/features/documents/numbers.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-series-of-restores-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
afterAll(async () => {
  await removeEmbedded(dataDir);
  rmSync(folder, { recursive: true, force: true });
});
const terminal = captureTerminal();
beforeEach(() => {
  for (const name of ['DATABASE_URL', 'BACKUP_DIR', 'JOURNAL_DIR']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** What a restore of these exits with: its numbers have no documents, as the ledger's verification says. */
const done = exitCodes.faults;
const year = financialYearOf(dayOf(Date.now()));

/** An invoice of a portal whose folder is `memoryOf`; throws if it refuses to run on the database. */
async function invoice(databaseUrl: string, memoryOf: string): Promise<string> {
  const memory = rememberDatabase(memoryOf, createLog('test', { level: 'silent' }));
  const { db, pool, close } = connect(databaseUrl, { applicationName: 'test', onConnected: memory.look });
  const stop = memory.follow(pool);
  try {
    await memory.look(pool);
    const refusal = memory.refusal();
    if (refusal !== undefined) throw new Error(refusal);
    const { series, lastNumber } = await db.transaction().execute(async (tx) => {
      // Other tests cover how its document comes about: skip the trigger that asks for it.
      await sql`set local session_replication_role = replica`.execute(tx);
      return takeNumber(tx, 'INVOICE', year, new Date());
    });
    await memory.look(pool);
    return `${series.letter}${lastNumber}`;
  } finally {
    await stop();
    await close();
  }
}

function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
}

test('a snapshot from before one that was put back and finished is refused, and its documents begin after the series of that one', async () => {
  const withDatabase = async <Result>(work: (databaseUrl: string) => Promise<Result>): Promise<Result> => {
    const server = await startEmbedded({ dataDir, logFile: join(folder, 'postgres.log') });
    try {
      return await work(server.databaseUrl);
    } finally {
      await server.stop();
    }
  };
  const issue = (): Promise<string> => withDatabase((databaseUrl) => invoice(databaseUrl, dataDir));
  vi.stubEnv('DATA_DIR', dataDir);
  await withDatabase((databaseUrl) => migrate(databaseUrl));
  const { cluster } = findClusterPlace(dataDir, () => undefined);
  const [older, newer] = [join(folder, 'older'), join(folder, 'newer')];
  const issued = [await issue()];
  copy(cluster, older);
  issued.push(await issue());
  copy(cluster, newer);
  issued.push(await issue());

  copy(newer, cluster);
  await expect(issue()).rejects.toThrow('octroi restore --finish');
  expect(await run(['restore', '--finish'])).toBe(done);
  expect(terminal.out).toContain('Documents continue in the series RECEIPT_VOUCHER S, INVOICE A,');
  issued.push(await issue());

  copy(older, cluster);
  await expect(issue()).rejects.toThrow('octroi restore --finish');
  expect(await run(['waiting'])).toBe(exitCodes.failed);
  terminal.out = '';
  expect(await run(['restore', '--finish'])).toBe(done);
  expect(terminal.out).toContain('INVOICE B,');
  expect(terminal.out).toContain(`They follow what is known from ${dataDir}`);
  issued.push(await issue(), await issue());
  expect(issued).toEqual(['1', '2', '3', 'A1', 'B1', 'B2']);
}, 240_000);

test('each restore of a backup begins after the series of the ones before, which lie beside it; elsewhere, after those that the operator names', async () => {
  const databases: TestDatabase[] = [];
  const open = async (kind?: 'empty'): Promise<TestDatabase> => {
    const opened = await createTestDatabase(kind);
    databases.push(opened);
    return opened;
  };
  const backups = join(folder, 'backups');
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  let machines = 0;
  /** A new machine with an empty database. */
  const restore = async (from: string, ...words: string[]) => {
    const { databaseUrl } = await open('empty');
    machines += 1;
    const machine = join(folder, `machine-${machines}`);
    vi.stubEnv('DATABASE_URL', databaseUrl);
    vi.stubEnv('DATA_DIR', machine);
    terminal.out = '';
    terminal.errors = '';
    const code = await run(['restore', from, ...words]);
    return { code, issue: () => invoice(databaseUrl, machine) };
  };
  try {
    const { databaseUrl } = (await open()).owner;
    vi.stubEnv('DATABASE_URL', databaseUrl);
    vi.stubEnv('DATA_DIR', join(folder, 'machine-0'));
    const issued = [await invoice(databaseUrl, join(folder, 'machine-0'))];
    const backUp = ['backup', '--unencrypted', '--to', backups];
    expect(await run(backUp)).toBe(exitCodes.done);
    const names = readdirSync(backups);
    // Who never restores has no notes.
    expect(names).toHaveLength(1);
    const backup = join(backups, names.join());
    copyFileSync(backup, join(elsewhere, 'copy.tar.gz'));

    const first = await restore(backup);
    expect(first.code).toBe(done);
    expect(terminal.out).toContain(`No other restore left word of its series in ${backups}`);
    issued.push(await first.issue());
    const second = await restore(backup);
    expect(terminal.out).toContain(`They follow what is known from ${backups}`);
    issued.push(await second.issue());
    expect(issued).toEqual(['1', 'A1', 'B1']);

    // Notes outlive the backups that are deleted.
    const { installation } = await readOwner(process.env.DATABASE_URL ?? '');
    const old = fileNameOf('octroi', new Date(0), false, installation);
    copyFileSync(backup, join(backups, old));
    expect(await run([...backUp, '--keep', '1'])).toBe(exitCodes.done);
    expect(readdirSync(backups)).not.toContain(old);
    expect(readdirSync(backups).filter((name) => name.startsWith('series-'))).toHaveLength(2);

    // A copy that lies elsewhere knows of none of them.
    const copied = join(elsewhere, 'copy.tar.gz');
    const unknown = await restore(copied, '--series-after', 'B,7');
    expect(unknown.code).toBe(exitCodes.usage);
    expect(terminal.errors).toContain('There is no series “7”');
    const third = await restore(copied, '--series-after', 'b');
    expect(third.code).toBe(done);
    issued.push(await third.issue());
    // Its next backup leaves word, too.
    expect(await run(backUp)).toBe(exitCodes.done);
    expect(readdirSync(backups).join()).toMatch(/series-[0-9a-f]{8}-\d{4}-\d\d-3\.3\.\d\.3-/);

    // A store that does not respond may know of series that nobody else does.
    vi.stubEnv('BACKUP_DIR', 'http://127.0.0.1:9/backups');
    vi.stubEnv('BACKUP_S3_KEY_ID', 'AKIAEXAMPLE');
    vi.stubEnv('BACKUP_S3_SECRET', 'a/secret+key');
    const fourth = await restore(copied);
    expect(fourth.code).toBe(exitCodes.failed);
    expect(terminal.errors).toContain("can't be read from http://127.0.0.1:9/backups");
    await expect(fourth.issue()).rejects.toThrow('octroi restore --finish');
    expect(await run(['restore', '--finish', '--series-after', 'D'])).toBe(done);
    expect(terminal.out).toContain('could not be noted in http://127.0.0.1:9/backups');
    issued.push(await fourth.issue());
    // C numbers credit notes.
    const numbers = ['1', 'A1', 'B1', 'D1', 'E1'];
    expect(issued).toEqual(numbers);
  } finally {
    for (const database of databases) await database.close();
  }
}, 240_000);
