import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbedded } from './embedded.ts';
import { isAlive } from './postmaster.ts';

const prefix = 'octroi-tests-';
const memory = '/dev/shm';
/** Both in bytes. The files of a whole run took 0.4 GiB at most. */
const enough = { files: 4 * 2 ** 30, memory: 8 * 2 ** 30 };

/** Containers often mount it without the right to run programs. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'runs');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

function makeIn(parent: string): string {
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Linux's file system in memory, when it has room. A test makes a database of some 1,000 files and removes it again:
 * with them on a disk, the tests of the portal took a third longer.
 */
function makeInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < enough.files || process.availableMemory() < enough.memory) return undefined;
    const folder = makeIn(memory);
    if (runsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // It is missing, or this user may not write there.
  }
  return undefined;
}

/** Stops the databases directly inside, and removes it all. */
async function remove(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmbedded(join(folder, entry.name)).catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

/** What runs that were killed have left; a folder's name contains the run's process number. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    // One of another user is not ours to remove.
    if (owner > 0 && !isAlive(owner)) await remove(join(parent, name)).catch(() => {});
  }
}

/**
 * Set-up of a whole run, of Vitest and of Playwright: its temporary files are in a folder of its own, in memory where
 * there is room, which is removed at the end with all that tests have left in it.
 */
export async function setup(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR'];
  for (const parent of [memory, tmpdir()]) await removeAbandoned(parent).catch(() => {});
  const folder = makeInMemory() ?? makeIn(tmpdir());
  // Tests and their programs read it from the environment: os.tmpdir().
  process.env['TMPDIR'] = folder;
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await remove(folder);
  };
}
