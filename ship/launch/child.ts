import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessPlan } from './processes.ts';

export interface ChildWatcher {
  /** Receives every line that a process writes. */
  line: (name: string, text: string, stream: 'stdout' | 'stderr') => void;
  /** Receives messages for the operator at the terminal. */
  tell: (text: string) => void;
  /** Called whenever the set of running process ids has changed. */
  changed: () => void;
}

export interface Child {
  name: string;
  /** While it runs. */
  pid: () => number | undefined;
  /** Resolves when the process is ready; rejects when it ends before that. */
  ready: Promise<void>;
  stop: () => Promise<void>;
}

const readyWithinMs = 60_000;
const stopWithinMs = 12_000;
const longestPauseMs = 30_000;
/** A process that ran this long counts as having recovered. */
const steadyMs = 60_000;

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/**
 * Starts a process and keeps it running: when it ends by itself it is restarted after a pause that doubles up to half a
 * minute. It gets an IPC channel, whose end tells it that the launcher is gone, and a session of its own, so that
 * Ctrl-C reaches only the launcher, which stops everything in order.
 */
export function startChild(plan: ProcessPlan, watcher: ChildWatcher): Child {
  const state: { current?: ChildProcess; wanted: boolean; pauseMs: number; lastLines: string[] } = {
    wanted: true,
    pauseMs: 500,
    lastLines: [],
  };

  const launch = (ended: (how: string, ranMs: number) => void): void => {
    const began = Date.now();
    const child = fork(plan.script, plan.args ?? [], {
      env: plan.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    state.current = child;
    for (const stream of ['stdout', 'stderr'] as const) {
      const input = child[stream];
      if (input === null) continue;
      createInterface({ input }).on('line', (text) => {
        state.lastLines = [...state.lastLines.slice(-9), text];
        watcher.line(plan.name, text, stream);
      });
    }
    child.once('error', (error) => watcher.tell(`${plan.name} could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      watcher.changed();
      ended(signal ?? `code ${code}`, Date.now() - began);
    });
    watcher.changed();
  };

  const startAgain = async (how: string, ranMs: number): Promise<void> => {
    if (!state.wanted) return;
    if (ranMs > steadyMs) state.pauseMs = 500;
    watcher.tell(`${plan.name} ended unexpectedly (${how}); it starts again in ${state.pauseMs / 1000} s.`);
    await sleep(state.pauseMs);
    state.pauseMs = Math.min(state.pauseMs * 2, longestPauseMs);
    if (state.wanted) launch((nextHow, nextMs) => void startAgain(nextHow, nextMs));
  };

  const ready = new Promise<void>((resolve, reject) => {
    let isReady = false;
    launch((how, ranMs) => {
      if (isReady) void startAgain(how, ranMs);
      else reject(new Error(`${plan.name} did not start (${how}):\n${state.lastLines.join('\n')}`));
    });
    const confirm = async (): Promise<void> => {
      await Promise.all(plan.healthUrls.map(responds));
      isReady = true;
    };
    confirm().then(resolve, reject);
  });

  const stop = async (): Promise<void> => {
    state.wanted = false;
    const child = state.current;
    if (child === undefined || !isRunning(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const tooLong = setTimeout(() => {
      watcher.tell(`${plan.name} did not stop within ${stopWithinMs / 1000} s and was killed.`);
      child.kill('SIGKILL');
    }, stopWithinMs);
    await gone;
    clearTimeout(tooLong);
  };

  const pid = () => (state.current !== undefined && isRunning(state.current) ? state.current.pid : undefined);
  return { name: plan.name, pid, ready, stop };
}

async function responds(url: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  let last = 'no response';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (response.ok) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    }
    await sleep(100);
  }
  throw new Error(`${url} did not become ready within ${readyWithinMs / 1000} s (${last}).`);
}
