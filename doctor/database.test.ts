import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { applyCatalog, recordFirstCatalog } from '#shared/database/catalog-versions.ts';
import { openClient } from '#shared/database/clients.ts';
import { recordRun } from '#shared/database/doctor-runs.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { startFakeServer } from '#shared/database/test-fake-server.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { createLog } from '#shared/platform/log.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { examineOnly, problem, productionEnv, temporaryFolder } from './test-installation.ts';

let database: TestDatabase;
let env: { DATABASE_URL: string };
beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.databaseUrl };
});
afterAll(() => database.close());

/** Rows that the rules of the product would refuse. */
const plant = (...statements: readonly ReturnType<typeof sql>[]) =>
  database.owner.db.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session);
    for (const statement of statements) await statement.execute(session);
    await sql`set session_replication_role = default`.execute(session);
  });

const ahead = () => Date.now() + 600_000;
const nameOf = (databaseUrl: string): string => new URL(databaseUrl).pathname.slice(1);

test('names a PostgreSQL that is down, and a data folder without one', async () => {
  const away = { DATABASE_URL: 'postgres://octroi:unsaid@127.0.0.1:1/octroi' };
  const findings = await examineOnly('database', away);
  expect(findings).toContainEqual(problem('ECONNREFUSED', 'Start PostgreSQL'));
  expect(JSON.stringify(findings)).not.toContain('unsaid');
  // The other checks go on without it.
  expect(await examineOnly('ledger', away)).toMatchObject([{ level: 'unchecked' }]);
  expect(await examineOnly('database', { DATA_DIR: temporaryFolder() })).toContainEqual(
    problem('has no database', 'npm start'),
  );
});

test('names a PostgreSQL that is too old, and a pooler in transaction mode', async () => {
  const old = await startFakeServer('15.8', (connection) => connection);
  expect(await examineOnly('database', { DATABASE_URL: old })).toContainEqual(
    problem('PostgreSQL 15.8 is too old', 'pg_upgrade'),
  );
  const pooler = await startFakeServer('18.0', () => 1);
  expect(await examineOnly('database', { DATABASE_URL: pooler })).toContainEqual(
    problem('transaction mode', 'pool_mode = session'),
  );
});

test('names a database that is empty, behind, or of a newer version', async () => {
  expect(await examineOnly('database', env)).toMatchObject([{ level: 'ok' }]);
  const other = await createTestDatabase('empty');
  const url = { DATABASE_URL: other.databaseUrl };
  try {
    expect(await examineOnly('database', url)).toContainEqual(problem('is empty', 'octroi migrate'));
    await migrate(other.databaseUrl);
    await sql`comment on function never_change() is null`.execute(other.db);
    expect(await examineOnly('database', url)).toContainEqual(problem('never_change() is missing', 'octroi migrate'));
    await migrate(other.databaseUrl);
    await sql`insert into schema_migrations (name, checksum) values ('999-of-tomorrow.sql', 'x')`.execute(other.db);
    expect(await examineOnly('database', url)).toContainEqual(
      problem('does not have', 'Start the version of Octroi that wrote'),
    );
  } finally {
    await other.close();
  }
});

test('tells a PostgreSQL that refuses for want of rights or of connections from one that is away', async () => {
  const other = await createTestDatabase();
  const url = { DATABASE_URL: other.databaseUrl };
  try {
    await other.owner.pool.query('revoke select on schema_migrations from octroi_run');
    expect(await examineOnly('database', url)).toContainEqual(problem('permission denied', 'octroi database roles'));
    await other.owner.pool.query(`alter database ${new URL(other.databaseUrl).pathname.slice(1)} connection limit 0`);
    expect(await examineOnly('database', url)).toContainEqual(problem('too many connections', 'max_connections'));
  } finally {
    await other.close();
  }
});

test('names a log that is not archived, and a standby', async () => {
  const dataDir = temporaryFolder();
  const options = { dataDir, logFile: join(dataDir, 'postgres.log'), durable: false };
  const archive = join(dataDir, 'wal');
  try {
    setWalArchive(dataDir, archive);
    const primary = await startEmbedded(options);
    await migrate(primary.databaseUrl);
    // The disk of the archive is gone.
    rmSync(archive, { recursive: true });
    writeFileSync(archive, '');
    const client = openClient({ connectionString: primary.databaseUrl });
    await client.connect();
    await client.query('select pg_switch_wal()');
    await client.end();
    const archiving = () => examineOnly('wal-archive', { DATABASE_URL: primary.databaseUrl });
    await expect.poll(archiving).toContainEqual(problem('could not be archived', 'WAL_ARCHIVE_DIR'));
    setWalArchive(dataDir, undefined);
    await primary.stop();
    writeFileSync(join(clusterFolder(dataDir), 'cluster', 'standby.signal'), '');
    const server = await startEmbedded(options);
    const findings = await examineOnly('database-standby', { DATABASE_URL: server.databaseUrl });
    expect(findings).toContainEqual(problem('leads to a standby', 'pg_promote'));
    await server.stop();
  } finally {
    await removeEmbedded(dataDir);
  }
});

test('names a user of the database who may do everything, in production', async () => {
  const findings = await examineOnly('database-user', {
    ...productionEnv,
    DATABASE_URL: database.owner.databaseUrl,
  });
  expect(findings).toContainEqual(problem('is a superuser', 'octroi database roles', 'warning'));
});

test('names settings of PostgreSQL that lose or misread data', async () => {
  const name = sql.id(nameOf(database.databaseUrl));
  // The server of the tests doesn't wait for its disk.
  const findings = await examineOnly('database-durability', { ...productionEnv, ...env });
  expect(findings).toContainEqual(problem('fsync is off', 'alter system set fsync = on'));
  expect(findings).toContainEqual(problem('synchronous_commit is off', 'alter system set synchronous_commit = on'));
  await sql`alter database ${name} set synchronous_commit = off`.execute(database.owner.db);
  expect(await examineOnly('database-durability', { ...productionEnv, ...env })).toContainEqual(
    problem('synchronous_commit is off', 'alter database … reset synchronous_commit'),
  );
  const role = sql.id(new URL(database.databaseUrl).username);
  await sql`alter role ${role} in database ${name} set synchronous_commit = off`.execute(database.owner.db);
  expect(await examineOnly('database-durability', { ...productionEnv, ...env })).toContainEqual(
    problem('synchronous_commit is off', 'alter role … in database … reset synchronous_commit'),
  );
  expect(await examineOnly('database-dates', env)).toMatchObject([{ level: 'ok' }]);
  await sql`alter database ${name} set datestyle = 'SQL, DMY'`.execute(database.owner.db);
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(database.owner.db);
  try {
    expect(await examineOnly('database-dates', env)).toContainEqual(
      problem('DateStyle is SQL, DMY', 'reset datestyle'),
    );
    expect(await examineOnly('database-standby', env)).toContainEqual(
      problem('default_transaction_read_only', 'reset'),
    );
  } finally {
    await database.owner.db.connection().execute(async (session) => {
      // A connection that was opened meanwhile is read-only.
      await sql`set default_transaction_read_only = off`.execute(session);
      await sql`alter database ${name} reset all`.execute(session);
      await sql`reset default_transaction_read_only`.execute(session);
    });
  }
});

test('names a limit of connections that is too small', async () => {
  const name = sql.id(nameOf(database.databaseUrl));
  expect(await examineOnly('database-connections', env)).toMatchObject([{ level: 'ok' }]);
  await sql`alter database ${name} connection limit 30`.execute(database.owner.db);
  expect(await examineOnly('database-connections', env)).toContainEqual(
    problem('PostgreSQL allows 30 connections', 'connection limit'),
  );
  await sql`alter database ${name} connection limit -1`.execute(database.owner.db);
});

test('names a clock that differs from the database, and a billing day that is ahead', async () => {
  expect(await examineOnly('clock', { ...env, RAZORPAY_API_URL: 'http://127.0.0.1:10' })).toMatchObject([
    { level: 'ok' },
  ]);
  expect(await examineOnly('clock', env, { now: ahead })).toContainEqual({
    ...problem('', 'NTP'),
    found: expect.stringMatching(/60\d s ahead of the database/),
  });
  await plant(sql`insert into clock (only_row, offset_ms, reached_day) values (true, 0, '2099-01-01')
    on conflict (only_row) do update set offset_ms = 0, reached_day = '2099-01-01'`);
  expect(await examineOnly('billing-day', env)).toContainEqual(problem('has reached 2099-01-01', 'reached_day = null'));
  await plant(sql`update clock set offset_ms = 86400000, reached_day = null`);
  expect(await examineOnly('billing-day', { ...productionEnv, ...env })).toContainEqual(
    problem('time of the product was moved', 'empty database'),
  );
  await plant(sql`delete from clock`);
});

test('names a ledger with faults, one that was not checked, and a check that failed', async () => {
  expect(await examineOnly('ledger', env)).toContainEqual(problem('last checked at no time', 'Start a portal'));
  await plant(sql`insert into ledger_checks (only_row, checked_at, position, hash, faults, whole_checked_at)
    values (true, now(), 0, '\\x00', '[]', now())`);
  expect(await examineOnly('ledger', env)).toMatchObject([{ level: 'ok' }]);
  await plant(sql`update ledger_checks set whole_checked_at = now() - interval '3 days'`);
  expect(await examineOnly('ledger', env)).toContainEqual(problem('last checked', 'Start a portal'));
  await plant(sql`update ledger_checks set failure = 'statement timeout'`);
  expect(await examineOnly('ledger', env)).toContainEqual(problem('failed: statement timeout', 'overloaded'));
  await plant(sql`update ledger_checks set failure = null, faults = '["entry 7 was changed"]'`);
  expect(await examineOnly('ledger', env)).toContainEqual(problem('THE LEDGER IS WRONG', 'verify-ledger'));
  await plant(sql`delete from ledger_checks`);
});

test('names a payment without a plan, a delivery that cannot be handled, and mails that wait', async () => {
  await plant(
    sql`insert into unsettled_payments (payment_id, order_id, amount_paise, since, tries, fault)
      values ('pay_A1', 'order_A1', 149900, now() - interval '1 hour', 4, 'no such cycle')`,
    sql`insert into webhook_inbox (dedup_key, event, body, received_at, tries)
      values (sha256('1'), 'payment.captured', '{}', now(), 9)`,
    sql`insert into mails (id, dedupe_key, recipient, subject, body_text, body_html, created_at)
      values ('MSG-1', 'provider-pack:1', 'a@b.in', 'Receipt', '', '', now() - interval '5 hours')`,
  );
  expect(await examineOnly('unsettled-payments', env)).toContainEqual(
    problem('pay_A1 is not settled', 'refund pay_A1'),
  );
  expect(await examineOnly('deliveries', env)).toContainEqual(problem('1 deliveries', 'webhook_inbox', 'warning'));
  const mail = { ...env, SMTP_URL: 'smtp://127.0.0.1:9' };
  expect(await examineOnly('unsent-mails', mail)).toContainEqual(problem('1 mails wait', 'octroi waiting', 'warning'));
});

test('names jobs that nobody works on', async () => {
  // An installation without a queue yet. Its owner makes one: a portal does, or octroi database roles.
  const { db, databaseUrl } = database.owner;
  await sql`drop schema pgboss cascade`.execute(db);
  const jobs = () => examineOnly('jobs', { DATABASE_URL: databaseUrl });
  expect(await jobs()).toMatchObject([{ level: 'unchecked' }]);
  const queue = await openJobs(db, createLog('test', { level: 'silent' }), { onlySends: true });
  await queue.send(db, 'send-mail', { mailId: 'MSG-1' });
  expect(await jobs()).toMatchObject([{ level: 'ok' }]);
  await sql`update pgboss.job set start_after = now() - interval '1 hour' where name = 'send-mail'`.execute(db);
  expect(await jobs()).toContainEqual(problem('1 jobs of the kind send-mail are late', 'Start a portal'));
  await sql`update pgboss.job set state = 'retry', retry_count = 5, created_on = now() - interval '59 minutes'`.execute(
    db,
  );
  expect(await jobs()).toMatchObject([{ level: 'ok' }]);
  await sql`update pgboss.job set created_on = now() - interval '61 minutes'`.execute(db);
  expect(await jobs()).toContainEqual(
    problem('1 jobs of the kind send-mail fail again and again', 'a job failed', 'warning'),
  );
  await queue.stop();
});

test('names that no gateway runs, one that cannot serve the catalogue, and a journal that nobody settled', async () => {
  expect(await examineOnly('gateways', env)).toContainEqual(problem('No gateway is connected', 'Start a gateway'));
  await plant(
    sql`insert into journals (id, position) values ('lost', 0)`,
    sql`insert into leases (journal_id, activation_id, cycle_id, day, held) values ('lost', 'ACT-1', 'CYC-1', '2026-11-23', 16)`,
    sql`insert into gateways (journal_id, started_at, lease_until, unconfirmed_changes, catalog_fault, products_fault)
      values ('here', now(), now() + interval '1 minute', 2, 'FACTS_TOKEN is not set', 'weather-key cannot be read')`,
  );
  const findings = await examineOnly('gateways', env);
  expect(findings).toContainEqual(problem('FACTS_TOKEN is not set', 'secret'));
  expect(findings).toContainEqual(problem('did not confirm 2 changes', 'network', 'warning'));
  expect(findings).toContainEqual(problem('refuses the calls of a product: weather-key cannot be read', 'in seconds'));
  expect(await examineOnly('journals', env)).toContainEqual(
    problem('the journal lost, which holds 16 calls', 'journals settle', 'warning'),
  );
});

test('names files that differ from what is on sale, a version on sale that this version cannot read, and a catalogue in the release', async () => {
  const catalogDir = changedCatalog({});
  const at = { ...env, CATALOG_DIR: catalogDir };
  await recordFirstCatalog(database.db, await SoundFiles.in(catalogDir), { author: 'a test', reason: 'First start' });
  expect(await examineOnly('catalogue', at)).toMatchObject([{ level: 'ok' }]);
  const other = changedCatalog({ 'tax-lookup-api': { 'plans.starter.price': '5' } });
  expect(await examineOnly('catalogue', { ...at, CATALOG_DIR: other })).toEqual([
    problem('plan starter: price ₹499 → ₹5', 'octroi catalog apply', 'warning'),
  ]);
  const shipped = projectFolder('ship', 'standins', 'catalog');
  expect(await examineOnly('catalogue', { ...at, ...productionEnv, CATALOG_DIR: shipped })).toContainEqual(
    problem('CATALOG_DIR is', '/etc/octroi', 'warning'),
  );
  const unsound = Object.assign(new Map([['tax-lookup-api.yaml', Buffer.from('id: tax-lookup-api\n')]]), {
    isSound: true as const,
  });
  await applyCatalog({ db: database.db, log: { error: () => {} } }, unsound, { author: 'a test', reason: 'Old rules' });
  expect(await examineOnly('catalogue', at)).toContainEqual(problem('Version 2', 'apply them'));
});

const found = (check: string, level: 'ok' | 'warning' | 'fault') => ({ check, level });

test('keeps the worst level of each check that complains, and forgets what is mended', async () => {
  const kept = () => database.db.selectFrom('doctor_runs').select(['place', 'complaints']).orderBy('place').execute();
  await recordRun(database.db, 'here', [found('backups', 'fault'), found('backups', 'warning'), found('disk', 'ok')]);
  await recordRun(database.db, 'there', [found('jobs', 'warning')]);
  expect(await kept()).toEqual([
    { place: 'here', complaints: { backups: 'fault' } },
    { place: 'there', complaints: { jobs: 'warning' } },
  ]);
  await recordRun(database.db, 'here', [found('backups', 'ok')]);
  expect((await kept())[0]).toEqual({ place: 'here', complaints: {} });
});
