import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The contents of `postmaster.pid` of a running PostgreSQL: line 1 its process, line 4 its port, line 8 its state. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

function readPidFile(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch {
    return undefined;
  }
}

/** True while a process is running; false for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** PostgreSQL's processes run with the cluster folder as working directory, which identifies them (Linux). */
function processesIn(cluster: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === cluster;
      } catch {
        return false;
      }
    });
}

/**
 * The PostgreSQL that is running on a cluster, if any. A stale pid file whose number now belongs to another program
 * (usual in containers) is removed once no PostgreSQL process is left there: PostgreSQL itself would refuse to start.
 */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const noted = readPidFile(cluster);
  if (noted === undefined || !isAlive(noted.pid)) return undefined;
  if (process.platform !== 'linux') return noted;
  const there = processesIn(cluster);
  if (there.includes(noted.pid)) return noted;
  if (there.length === 0) rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

/**
 * Fast shutdown: open transactions are rolled back, everything committed is on disk. Waits until the process has
 * exited.
 */
export async function stopPostmaster(pid: number, deadlineMs = 20_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  signal(pid, 'SIGINT');
  while (isAlive(pid)) {
    // An immediate shutdown loses nothing either; the next start replays the log.
    if (Date.now() > deadline) signal(pid, 'SIGQUIT');
    await sleep(20);
    if (Date.now() > deadline + 5_000) throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited meanwhile.
  }
}
