import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#shared/database/postmaster.ts';

export interface ProgramPlan {
  name: string;
  command: readonly [program: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  cwd: string;
  logFile: string;
  graceMs: number;
  /** Resolves with true when it can serve. */
  isReady: () => Promise<boolean>;
}

/** A program that is started again whenever it ends, as a container with `restart: unless-stopped`. */
export interface Supervised {
  name: string;
  pid: () => number;
  /** Ends it with kill -9; resolves when it serves again, and `onEnded`, called at the moment when it is gone, has resolved. */
  kill: (onEnded: () => Promise<void>) => Promise<void>;
  /** Stops it with SIGTERM and starts it again; resolves when it serves again. */
  roll: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Ends each of them when this process exits: none may outlive it. */
const ends = new Set<() => void>();
process.on('exit', () => {
  for (const end of ends) end();
});

const restartPauseMs = 100;
const readyWithinMs = 120_000;

export async function supervise(plan: ProgramPlan): Promise<Supervised> {
  const [program, ...args] = plan.command;
  const log = openSync(plan.logFile, 'a');
  let wanted = true;
  let child: ChildProcess;
  const pid = (): number => child.pid ?? 0;
  /** The first process of a container takes all others with it. */
  const endOthers = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // None is left.
    }
  };
  const start = (): void => {
    child = spawn(program, args, {
      cwd: plan.cwd,
      env: { ...plan.env },
      // Our programs end with this channel: none is left behind when this process is killed.
      stdio: ['ignore', log, log, ...(program === process.execPath ? (['ipc'] as const) : [])],
      detached: true,
    });
    child.once('exit', () => {
      endOthers();
      if (wanted) setTimeout(() => wanted && start(), restartPauseMs);
    });
  };
  start();
  ends.add(endOthers);
  const untilReady = async (): Promise<void> => {
    const deadline = performance.now() + readyWithinMs;
    while (!(await plan.isReady())) {
      if (performance.now() > deadline) throw new Error(`${plan.name} did not become ready; its log: ${plan.logFile}`);
      await sleep(50);
    }
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM', onEnded = async (): Promise<void> => {}): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    if (signal === 'SIGKILL') endOthers();
    else child.kill(signal);
    const tooLong = setTimeout(() => child.kill('SIGKILL'), plan.graceMs);
    await gone;
    clearTimeout(tooLong);
    await onEnded();
    if (signal === 'SIGTERM' && child.signalCode === 'SIGKILL')
      throw new Error(`${plan.name} did not stop within ${plan.graceMs} ms`);
  };
  const again = async (signal: 'SIGKILL' | 'SIGTERM', onEnded?: () => Promise<void>): Promise<void> => {
    const before = pid();
    await end(signal, onEnded);
    while (pid() === before) await sleep(20);
    await untilReady();
  };
  await untilReady();
  return {
    name: plan.name,
    pid,
    kill: (onEnded) => again('SIGKILL', onEnded),
    roll: () => again('SIGTERM'),
    stop: async () => {
      wanted = false;
      ends.delete(endOthers);
      await end('SIGTERM');
    },
  };
}

/** Resolves when none of these processes runs any more. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await sleep(10);
}

/** Whether an address responds with 200. */
export const respondsOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
