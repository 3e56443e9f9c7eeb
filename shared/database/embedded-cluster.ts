import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './embedded-binaries.ts';
import type { ClusterPlace } from './embedded-place.ts';
import type { Postmaster } from './postmaster.ts';
import { archiveSettings } from './wal-archive.ts';

/** This program parses PostgreSQL's messages, so they must not be translated. */
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
const maxLogBytes = 10_000_000;
/** After a crash PostgreSQL replays its log before it accepts connections. */
const recoveryMs = 300_000;

/**
 * Creates an empty cluster: UTF-8 with PostgreSQL's built-in collation, so that sorting does not depend on the
 * machine's locales. It gets its final name only when it is complete; the next attempt discards an interrupted one.
 */
export function createCluster(binaries: Binaries, place: ClusterPlace, password: string, durable = true): void {
  const unfinished = `${place.cluster}.new`;
  const passwordFile = join(place.folder, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user.ids.uid !== undefined && place.user.ids.gid !== undefined) {
    chownSync(passwordFile, place.user.ids.uid, place.user.ids.gid);
  }
  const options = ['--username=octroi', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions'];
  options.push(
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--pwfile=${passwordFile}`,
    `--pgdata=${unfinished}`,
  );
  if (!durable) options.push('--no-sync');
  try {
    const made = spawnSync(binaries.initdb, options, {
      ...place.user.ids,
      cwd: place.folder,
      env: environment,
      encoding: 'utf8',
    });
    if (made.status !== 0) {
      throw new Error(`PostgreSQL could not make its data folder: ${made.error?.message ?? made.stderr.trim()}`);
    }
    renameSync(unfinished, place.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

export interface LaunchOptions {
  port: number;
  logFile: string;
  durable?: boolean;
  /** The folder in which the write-ahead log is kept. */
  walArchive?: string | undefined;
}

/**
 * Starts PostgreSQL in its own session, so that Ctrl-C in the terminal does not reach it and it survives a killed
 * parent. Returns the postmaster when `ready` finds it, or PostgreSQL's output when it exited instead.
 */
export async function launchPostgres(
  binaries: Binaries,
  place: ClusterPlace,
  options: LaunchOptions,
  ready: () => Promise<Postmaster | undefined>,
): Promise<Postmaster | string> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // A year of the request log has a table for each day, and what reads all of it locks 1,500 tables and indexes.
    max_locks_per_transaction: '256',
    ...(options.walArchive !== undefined && archiveSettings(options.walArchive)),
    // What is not durable belongs to tests: three files at once have a hundred connections when one of them runs many writers.
    ...(options.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
      : { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(options.logFile);
  const child = spawn(binaries.postgres, ['-D', place.cluster, ...args], {
    ...place.user.ids,
    cwd: place.folder,
    env: environment,
    detached: true,
    stdio: ['ignore', log.file, log.file],
  });
  closeSync(log.file);
  child.unref();
  return awaitReady(child, ready, () => readFileSync(options.logFile).subarray(log.start).toString().trim());
}

async function awaitReady(
  child: ChildProcess,
  ready: () => Promise<Postmaster | undefined>,
  said: () => string,
): Promise<Postmaster | string> {
  const end: { fault?: string } = {};
  child.once('error', (error) => (end.fault = error.message));
  child.once('exit', () => (end.fault = said() || 'PostgreSQL exited without a message'));
  const deadline = Date.now() + recoveryMs;
  while (end.fault === undefined && Date.now() < deadline) {
    const running = await ready();
    if (running !== undefined && running.pid === child.pid) {
      child.removeAllListeners();
      return running;
    }
    await sleep(20);
  }
  return end.fault ?? 'it is still starting after five minutes; wait for it to finish, then start again';
}

function openLog(logFile: string): { file: number; start: number } {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(logFile, `${logFile}.1`);
  const file = openSync(logFile, 'a', 0o600);
  if (existsSync(logFile)) chmodSync(logFile, 0o600);
  return { file, start: size > maxLogBytes ? 0 : size };
}
