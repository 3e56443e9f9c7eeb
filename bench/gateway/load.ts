import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '#platform/project-folder.ts';
import { pathOfCalls } from './peer.ts';
import { loadCore } from './processes.ts';

const runProgram = promisify(execFile);

export interface LoadResult {
  calls: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that were not 2xx, and broken connections. */
  faults: number;
}

/** As many calls as `connections` callers can make, each with one of the keys at random, from a program that hardly costs anything (wrk). */
export async function saturate(
  port: number,
  keys: readonly string[],
  connections: number,
  seconds: number,
  folder: string,
): Promise<LoadResult> {
  const keysFile = join(folder, `keys-${port}.txt`);
  writeFileSync(keysFile, keys.join('\n'));
  const { stdout } = await runProgram(
    'taskset',
    [
      '-c',
      String(loadCore),
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '--latency',
      '-s',
      projectFolder('bench', 'gateway', 'programs', 'any-key.lua'),
      `http://127.0.0.1:${port}${pathOfCalls}`,
    ],
    { env: { ...process.env, KEYS_FILE: keysFile } },
  );
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  return {
    calls: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/50%\s+(\S+)/.exec(stdout)?.[1]),
    p99Ms: milliseconds(/99%\s+(\S+)/.exec(stdout)?.[1]),
    faults:
      number(/Non-2xx or 3xx responses: (\d+)/) +
      number(/connect (\d+)/) +
      number(/read (\d+)/) +
      number(/timeout (\d+)/),
  };
}

/** wrk's `812.00us`, `1.20ms`, `2.01s`. */
function milliseconds(text = ''): number {
  const factors = { us: 0.001, ms: 1, s: 1000 };
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return unit === 'us' || unit === 'ms' || unit === 's' ? Number(value) * factors[unit] : Number.NaN;
}

/** So many calls a second, whatever the answers take; the 99th percentile in milliseconds (hey). */
export async function pace(port: number, key: string, perSecond: number, seconds: number): Promise<number> {
  const callers = Math.min(50, Math.max(1, Math.floor(perSecond / 20)));
  const { stdout } = await runProgram('taskset', [
    '-c',
    String(loadCore),
    'hey',
    '-z',
    `${seconds}s`,
    '-c',
    String(callers),
    '-q',
    String(perSecond / callers),
    '-H',
    `X-API-Key: ${key}`,
    `http://127.0.0.1:${port}${pathOfCalls}`,
  ]);
  return Number(/99% in ([\d.]+) secs/.exec(stdout)?.[1]) * 1000;
}
