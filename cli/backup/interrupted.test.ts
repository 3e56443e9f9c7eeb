import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { findPostmaster, isAlive } from '#shared/database/postmaster.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-interrupted-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
captureTerminal();

test('a drill that is stopped ends its database and removes its copy', async () => {
  const backups = join(folder, 'backups');
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  expect(await run(['backup', '--unencrypted', '--to', backups])).toBe(exitCodes.done);
  vi.unstubAllEnvs();
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const [name = ''] = readdirSync(backups);
  const words = [builtProgram('octroi'), 'backup', 'drill', join(backups, name)];
  const drill = spawn(process.execPath, words, {
    cwd: projectFolder(),
    env: { ...process.env, TMPDIR: temporary, DATA_DIR: join(folder, 'data') },
    stdio: 'ignore',
  });
  const ended = once(drill, 'exit');

  const dataDir = () =>
    join(temporary, readdirSync(temporary).find((each) => each.startsWith('octroi-drill-')) ?? 'none', 'data');
  const findPlace = () => {
    const cluster = clusterFolder(dataDir());
    return { cluster, pid: findPostmaster(join(cluster, 'cluster'))?.pid };
  };
  let place = findPlace();
  for (; place.pid === undefined && drill.exitCode === null; place = findPlace()) await sleep(20);
  if (place.pid === undefined) throw new Error(`the drill ended with ${drill.exitCode} before it was stopped`);
  drill.kill('SIGINT');

  expect(await ended).toEqual([130, null]);
  expect(isAlive(place.pid)).toBe(false);
  expect(existsSync(place.cluster)).toBe(false);
  expect(readdirSync(temporary).filter((each) => each.startsWith('octroi-'))).toEqual([]);
});
