import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#shared/database/postmaster.ts';

const timeoutMs = 15_000;

/** Notes which processes are running, for the next launcher in case this one is killed. */
export function noteProcesses(dataDir: string, pids: number[]): void {
  const file = join(dataDir, 'processes');
  if (pids.length === 0) rmSync(file, { force: true });
  else writeFileSync(file, `${pids.join('\n')}\n`);
}

/** The process number may have been reused, so only programs from a build folder count. */
function isOurs(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return /\/build\/\w+\.js/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * The processes of a launcher that was killed exit by themselves after writing their data to disk. Waits for that, so
 * that none of them works beside the new ones, and kills those that take longer.
 */
export async function awaitLeftBehind(dataDir: string): Promise<void> {
  const file = join(dataDir, 'processes');
  if (!existsSync(file)) return;
  const pids = readFileSync(file, 'utf8')
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
  const deadline = Date.now() + timeoutMs;
  while (pids.some(isOurs)) {
    if (Date.now() > deadline) for (const pid of pids.filter(isOurs)) process.kill(pid, 'SIGKILL');
    await sleep(50);
  }
  rmSync(file, { force: true });
}
