import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { fileNameOf } from '#backup/backup-name.ts';
import { listBackups } from '#backup/backup-place.ts';
import { readOwner } from '#backup/owner.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { planBackup } from './backup.ts';
import { keepBackingUp } from './schedule.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-schedule-'));
let database: TestDatabase;
let installation: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ installation } = await readOwner(database.databaseUrl));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('the schedule makes the backup of a missed night, and no second one until the next', async () => {
  vi.stubEnv('BACKUP_DIR', join(folder, 'scheduled'));
  const stopped = new AbortController();
  const plan = planBackup({ unencrypted: true });
  const running = keepBackingUp(plan, createLog('test', { level: 'silent' }), stopped.signal);
  const made = async () => (await listBackups(plan.place, installation)).own;
  await expect.poll(made).toHaveLength(1);
  stopped.abort();
  await running;
  // A second process finds it, and waits, if the next night has not begun.
  const [backup] = await made();
  const now = () => backup?.at.getTime() ?? 0;
  const second = new AbortController();
  const waiting = keepBackingUp(plan, createLog('test', { level: 'silent' }), second.signal, { now });
  await sleep(300);
  second.abort();
  await waiting;
  expect(await made()).toHaveLength(1);
});

test('a backup that was made while the clock was ahead neither delays the next ones nor has them deleted', async () => {
  const to = join(folder, 'ahead');
  mkdirSync(to);
  const [ahead, older] = [2999, 2020].map((year) => `octroi-${year}-01-01T000000IST-${installation}.tar.gz`);
  if (ahead === undefined || older === undefined) throw new Error('two names');
  for (const [name, year] of [
    [ahead, 2999],
    [older, 2020],
  ] as const) {
    writeFileSync(join(to, name), '');
    utimesSync(join(to, name), new Date(year, 0), new Date(year, 0));
  }
  vi.stubEnv('BACKUP_DIR', to);
  vi.stubEnv('BACKUP_KEEP', '1');
  const stopped = new AbortController();
  const plan = { ...planBackup({ unencrypted: true }), keep: 1 };
  const running = keepBackingUp(plan, createLog('test', { level: 'silent' }), stopped.signal);
  const names = async () => (await listBackups(plan.place, installation)).own.map(({ name }) => name);
  await expect.poll(names).not.toContain(older);
  stopped.abort();
  await running;
  const left = await names();
  expect(left).toHaveLength(2);
  expect(left).toContain(ahead);
});

test('once the database is restored meanwhile, the schedule makes one backup of the new installation', async () => {
  const to = join(folder, 'restored-meanwhile');
  mkdirSync(to);
  const ofToday = join(to, fileNameOf('octroi', new Date(), false, installation));
  writeFileSync(ofToday, '');
  vi.stubEnv('BACKUP_DIR', to);
  const stopped = new AbortController();
  let turns = 0;
  const now = () => {
    turns += 1;
    return Date.now();
  };
  // More than a second apart, so that each would have a name of its own.
  const timing = { now, everyMs: 1100 };
  const plan = planBackup({ unencrypted: true });
  const running = keepBackingUp(plan, createLog('test', { level: 'silent' }), stopped.signal, timing);
  try {
    await vi.waitUntil(() => turns > 1, { timeout: 60_000 });
    await sql`update installation set id = default`.execute(database.owner.db);
    const restored = (await readOwner(database.databaseUrl)).installation;
    const made = async () => (await listBackups(plan.place, restored)).own;
    // The next night.
    utimesSync(ofToday, new Date(2020, 0), new Date(2020, 0));
    await vi.waitUntil(async () => (await made()).length > 0, { timeout: 60_000 });
    const before = turns;
    await vi.waitUntil(() => turns > before + 2, { timeout: 60_000 });
    expect(await made()).toHaveLength(1);
  } finally {
    stopped.abort();
    await running;
  }
});
