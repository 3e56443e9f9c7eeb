import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { pathOfCalls } from './peer.ts';
import { loadCore } from './processes.ts';

const runProgram = promisify(execFile);

export interface LoadResult {
  calls: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Responses other than 2xx, and broken connections. */
  faults: number;
}

/** Of paced calls: the number of 200 and of 503 responses. */
export interface PacedLoad extends LoadResult {
  completed: number;
  shed: number;
}

/** What to call, with which keys, how many connections, and how long. */
export interface Load {
  port: number;
  keys: readonly string[];
  connections: number;
  seconds: number;
  /** A folder for a file with the keys. */
  folder: string;
}

/** Runs wrk, which has little overhead of its own, with one of `programs/`. */
async function runWrk({ port, keys, connections, seconds, folder }: Load, script: string, env: Record<string, string>) {
  const keysFile = join(folder, `keys-${port}.txt`);
  writeFileSync(keysFile, keys.join('\n'));
  const load = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency'];
  const path = projectFolder('tests', 'bench', 'gateway', 'programs', script);
  const { stdout } = await runProgram(
    'taskset',
    ['-c', String(loadCore), ...load, '-s', path, `http://127.0.0.1:${port}${pathOfCalls}`],
    { env: { ...process.env, KEYS_FILE: keysFile, ...env } },
  );
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  const result: LoadResult = {
    calls: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/^ +50%\s+(\S+)/m.exec(stdout)?.[1]),
    p99Ms: milliseconds(/^ +99%\s+(\S+)/m.exec(stdout)?.[1]),
    faults:
      number(/Non-2xx or 3xx responses: (\d+)/) +
      number(/connect (\d+)/) +
      number(/read (\d+)/) +
      number(/timeout (\d+)/),
  };
  return { ...result, completed: number(/completed (\d+)/), shed: number(/shed (\d+)/) };
}

/** As many calls as the callers can make, each with a random key. */
export function saturate(load: Load): Promise<LoadResult> {
  return runWrk(load, 'any-key.lua', {});
}

/**
 * About `perSecond` calls per second, at random times like those of many independent callers; 503 are counted as
 * `shed`.
 */
export function pace(load: Load, perSecond: number): Promise<PacedLoad> {
  return runWrk(load, 'paced.lua', { MEAN_PAUSE_MS: String((load.connections / perSecond) * 1000) });
}

/** wrk's `812.00us`, `1.20ms`, `2.01s`. */
function milliseconds(text = ''): number {
  const factors = { us: 0.001, ms: 1, s: 1000 };
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return unit === 'us' || unit === 'ms' || unit === 's' ? Number(value) * factors[unit] : Number.NaN;
}
