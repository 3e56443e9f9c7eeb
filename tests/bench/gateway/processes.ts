import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endingSignals } from '#shared/platform/process-life.ts';

/** Gateways and everything that works for them share one core; callers and the API behind have the other. */
export const gatewayCore = 0;
export const loadCore = 1;

export interface Program {
  child: ChildProcess;
  pid: number;
  /** Stops it and waits; SIGKILL also kills its children. */
  end: (signal?: NodeJS.Signals) => Promise<void>;
}

// Nothing that it started may outlive this process, also when a signal ends it while some of that is stopped.
process.on('exit', () => {
  for (const pid of familyOf([process.pid])) if (pid !== process.pid) signalQuietly(pid, 'SIGKILL');
});
for (const signal of endingSignals) process.on(signal, () => process.exit(1));

/** Starts a program on one core. Its output goes to this process's standard error. */
export function startProgram(core: number, program: string, args: string[], env: Record<string, string> = {}): Program {
  const child = spawn('taskset', ['-c', String(core), program, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const closed = once(child, 'close');
  const pid = child.pid ?? 0;
  return {
    child,
    pid,
    end: async (signal = 'SIGTERM') => {
      const family = signal === 'SIGKILL' ? familyOf([pid]) : [pid];
      for (const each of family) signalQuietly(each, signal);
      await closed;
    },
  };
}

export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited by itself.
  }
}

/** Moves a running process and its children to a core. */
export function pin(core: number, pid: number): void {
  for (const each of familyOf([pid])) spawnSync('taskset', ['-apc', String(core), String(each)]);
}

/** Processes with all their descendants. */
export function familyOf(pids: readonly number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = statOf(Number(name));
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]));
  }
  const family = [...pids];
  for (let index = 0; index < family.length; index += 1) {
    for (const [pid, parent] of parents) if (parent === family[index]) family.push(pid);
  }
  return family;
}

/** Stops or continues processes and their children. */
export function freeze(pids: readonly number[]): void {
  for (const pid of familyOf(pids)) signalQuietly(pid, 'SIGSTOP');
}

export function thaw(pids: readonly number[]): void {
  for (const pid of familyOf(pids)) signalQuietly(pid, 'SIGCONT');
}

/**
 * Processor time that processes and their children have used so far, in microseconds; Linux counts in hundredths of a
 * second.
 */
export function processorTime(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of familyOf(pids)) {
    const fields = statOf(pid) ?? [];
    // Own time, and that of exited children.
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index] ?? 0);
  }
  return ticks * 10_000;
}

/** Memory of processes and their children (PSS: shared pages divided among them), in MB. */
export function memory(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of familyOf(pids)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It has exited in the meantime.
    }
  }
  return kilobytes / 1024;
}

/** The fields of /proc/<pid>/stat that follow the program's name. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
  } catch {
    return undefined;
  }
}

export async function untilItResponds(url: string, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const response = await fetch(url).then(
      (received) => received.arrayBuffer(),
      () => undefined,
    );
    if (response !== undefined) return;
    await sleep(100);
  }
  throw new Error(`${url} does not respond`);
}
