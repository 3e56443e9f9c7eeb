import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { connect, type Db } from './connect.ts';
import { rememberDatabase } from './database-memory.ts';
import { findClusterPlace } from './embedded-place.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { requireDatabase } from './require-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-memory-'));
// Under root PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
const log = createLog('test', { level: 'silent' });
let server: EmbeddedServer | undefined;
afterAll(async () => {
  await server?.stop();
  await removeEmbedded(dataDir);
  rmSync(folder, { recursive: true, force: true });
});

/** A process on the database, which remembers in this folder; restarts PostgreSQL when it was stopped. */
async function withProcess<Result>(
  memoryOf: string,
  work: (db: Db) => Promise<Result>,
): Promise<{ result: Result; refusal: string | undefined }> {
  server ??= await startEmbedded({ dataDir, logFile: join(folder, 'postgres.log') });
  const memory = rememberDatabase(join(folder, memoryOf), log);
  const { db, pool, close } = connect(server.databaseUrl, { applicationName: 'test', onConnected: memory.look });
  const stop = memory.follow(pool);
  try {
    const result = await work(db);
    await memory.look(pool);
    return { result, refusal: memory.refusal() };
  } finally {
    await stop();
    await close();
  }
}

const stopped = async (): Promise<string> => {
  await server?.stop();
  server = undefined;
  return findClusterPlace(dataDir, () => undefined).cluster;
};

/** One that was promoted may replay its log for a moment yet, and has no place before. */
async function place(db: Db): Promise<string> {
  const replaying = () => db.selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('replaying')).executeTakeFirstOrThrow();
  await vi.waitUntil(async () => !(await replaying()).replaying, { timeout: 60_000 });
  const row = await db.selectNoFrom((of) => of.fn<string>('database_place', []).as('place')).executeTakeFirstOrThrow();
  return row.place;
}

const setback = (db: Db) =>
  db.selectFrom('installation').select(['setback', 'setback_reason as reason']).executeTakeFirstOrThrow();

const write = (db: Db) => db.updateTable('installation').set({ moved_at: new Date() }).execute();

test('a copy of the files that is put back is noticed before anything runs on it; a restart, a crash and a promotion are none', async () => {
  server = await startEmbedded({ dataDir, logFile: join(folder, 'postgres.log') });
  await migrate(server.databaseUrl);
  const { result: before } = await withProcess('portal', place);
  const cluster = await stopped();
  execFileSync('cp', ['-a', cluster, join(folder, 'snapshot')]);
  // Restarted, and stopped at once, as by a power cut.
  expect(await withProcess('portal', place)).toEqual({ result: before, refusal: undefined });
  await withProcess('portal', write);
  process.kill(server?.pid ?? 0, 'SIGQUIT');
  await stopped();
  expect(await withProcess('portal', place)).toEqual({ result: before, refusal: undefined });

  await stopped();
  execFileSync('rm', ['-r', cluster]);
  execFileSync('cp', ['-a', join(folder, 'snapshot'), cluster]);
  // The first connection marks it, whoever asked for it; another process, which remembers nothing, sees the mark.
  const back = await withProcess('portal', setback);
  expect(back.result).toMatchObject({
    setback: 'WENT_BACK',
    reason: expect.stringContaining('went back: its log is at'),
  });
  expect(back.refusal).toContain('octroi restore --finish');
  expect((await withProcess('other', setback)).refusal).toContain('octroi restore --finish');
  await expect(requireDatabase(server?.databaseUrl ?? '')).rejects.toThrow('octroi restore --finish');

  await withProcess('other', (db) =>
    db
      .updateTable('installation')
      .set({ setback: null, setback_reason: null, id: 'INS-2', moved_at: new Date() })
      .execute(),
  );
  expect((await withProcess('portal', setback)).refusal).toBeUndefined();
  await requireDatabase(server?.databaseUrl ?? '');

  // One that is put back once more is from before it was finished: its id was seen, and another one after it.
  await stopped();
  execFileSync('mv', [cluster, join(folder, 'finished')]);
  execFileSync('cp', ['-a', join(folder, 'snapshot'), cluster]);
  expect((await withProcess('portal', setback)).refusal).toContain('octroi restore --finish');
  await stopped();
  execFileSync('rm', ['-r', cluster]);
  execFileSync('mv', [join(folder, 'finished'), cluster]);

  // What promotes it gives its log a new timeline.
  await stopped();
  await appendFile(join(cluster, 'postgresql.auto.conf'), `\nrestore_command = 'false'\n`);
  await writeFile(join(cluster, 'recovery.signal'), '');
  execFileSync('chown', ['--reference', cluster, join(cluster, 'recovery.signal')]);
  const promoted = await withProcess('portal', place);
  expect(promoted.refusal).toBeUndefined();
  expect(promoted.result.replace('/00000002/', '/00000001/')).toBe(before);
  expect(promoted.result).not.toBe(before);
}, 180_000);

test('of many installations the memory keeps those that were seen last', async () => {
  const seen = Array.from({ length: 200 }, (_, index) => ({
    id: `INS-OTHER-${index}`,
    origin: 'another',
    movedAt: index,
    place: 'another',
    position: '1',
  }));
  mkdirSync(join(folder, 'full'));
  const path = join(folder, 'full', 'database-seen.json');
  await writeFile(path, JSON.stringify({ seen, series: {} }));
  await withProcess('full', setback);
  const kept: { seen: { id: string }[] } = JSON.parse(readFileSync(path, 'utf8'));
  expect(kept.seen.map(({ id }) => id)).toEqual([...seen.slice(1).map(({ id }) => id), 'INS-2']);
}, 180_000);
