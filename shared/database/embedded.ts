import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { openClient } from './clients.ts';
import { findBinaries, majorOf } from './embedded-binaries.ts';
import { createCluster, launchPostgres } from './embedded-cluster.ts';
import { type ClusterPlace, clusterFolder, findClusterPlace, sharedPlace } from './embedded-place.ts';
import { findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { archiveHistories, archiveSettings, clusterIdOf, makeArchiveFolder, walArchiveOf } from './wal-archive.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** The folder of PostgreSQL's own log; it must exist. */
  logFile: string;
  /** False in tests only: commits are not forced to the disk. */
  durable?: boolean;
  /** This process keeps the server for others, and may restart one that was left behind with other settings. */
  isKeeper?: boolean;
  /** While a cluster is brought to a new major version: which of the two. Neither is archived. */
  upgrading?: { programs: string } | { cluster: string };
  /** A restore of the files, which nobody else may start before it is marked in the database. */
  isRestoring?: boolean;
  /** Receives messages for the operator at the terminal. */
  tell?: (line: string) => void;
}

export interface EmbeddedServer {
  databaseUrl: string;
  port: number;
  pid: number;
  /** True when it was still running because the process that had started it was killed. */
  attached: boolean;
  /** Fast shutdown; everything committed is on disk. */
  stop: () => Promise<void>;
}

export const databaseName = 'octroi';
const timeoutMs = 40_000;
/** In a data folder whose files are being restored. */
export const unfinishedRestore = 'restore-unfinished';

/**
 * Starts the PostgreSQL that belongs to a data folder, creating its cluster the first time, or attaches to it when it
 * is still running. The caller must hold the lock of the data folder. Listens on 127.0.0.1 only, with a random password
 * stored in the data folder (mode 0600).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  makeFolder(options.dataDir);
  const dataDir = realpathSync(options.dataDir);
  if (options.isRestoring !== true && existsSync(join(dataDir, unfinishedRestore)))
    throw new Error(`The restore into ${dataDir} did not finish. Restore again, into a new data folder.`);
  const { upgrading } = options;
  const found = findClusterPlace(dataDir, options.tell ?? (() => {}));
  const cluster = upgrading && 'cluster' in upgrading ? join(found.folder, upgrading.cluster) : found.cluster;
  const place = { ...found, cluster };
  const programs = upgrading && 'programs' in upgrading ? upgrading.programs : undefined;
  const copies = process.getuid?.() === 0 ? sharedPlace : place.folder;
  const password = readPassword(dataDir, existsSync(found.cluster));
  const binaries = findBinaries(place.user, copies, programs);
  if (!existsSync(place.cluster)) createCluster(binaries, place, password, options.durable);
  requireMajor(place.cluster, majorOf(binaries, place.user));

  const archive = upgrading ? undefined : walArchiveOf(dataDir);
  const walArchive = archive && join(archive, clusterIdOf(place.cluster));
  const deadline = Date.now() + timeoutMs;
  let lastFault = 'it did not become ready';
  while (Date.now() < deadline) {
    const running = findPostmaster(place.cluster);
    if (running?.ready === true) {
      if (options.isKeeper === true && !(await archivesTo(running, password, walArchive))) {
        await stopPostmaster(running.pid);
        continue;
      }
      const fault = await prepareDatabase(running, password);
      if (fault === undefined) return server(running, password, true);
      lastFault = fault;
    } else if (running === undefined) {
      const port = await choosePort(dataDir);
      if (archive !== undefined && walArchive !== undefined) {
        makeArchiveFolder(archive, place.user);
        archiveHistories(place.cluster, walArchive, place.user, options.tell ?? (() => {}));
      }
      const launched = await launchPostgres(binaries, place, { ...options, walArchive, port }, () =>
        readyPostmaster(place, password),
      );
      if (typeof launched !== 'string') return server(launched, password, false);
      lastFault = launched;
      if (!isPassing(launched)) break;
    }
    await sleep(100);
  }
  throw new Error(`PostgreSQL did not start: ${lastFault}\nIts log: ${options.logFile}`);
}

/** The major version of PostgreSQL that made a cluster. */
export function majorOfCluster(cluster: string): string {
  return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
}

function requireMajor(cluster: string, programs: string): void {
  const made = majorOfCluster(cluster);
  if (made === programs) return;
  throw new Error(
    `The database in ${cluster} is of PostgreSQL ${made}, which the programs of PostgreSQL ${programs} can't read. Bring it over with octroi upgrade cluster, which needs the programs of PostgreSQL ${made}.`,
  );
}

/**
 * Stops the PostgreSQL of a data folder, if it runs, and removes the folder with all its contents, including a database
 * stored elsewhere. For temporary data only.
 */
export async function removeEmbedded(dataDir: string): Promise<void> {
  const folder = clusterFolder(dataDir);
  const running = findPostmaster(join(folder, 'cluster'));
  if (running !== undefined) await stopPostmaster(running.pid);
  for (const gone of [folder, dataDir]) rmSync(gone, { recursive: true, force: true });
}

function server(running: Postmaster, password: string, attached: boolean): EmbeddedServer {
  return {
    databaseUrl: address(running.port, password, databaseName),
    port: running.port,
    pid: running.pid,
    attached,
    stop: () => stopPostmaster(running.pid),
  };
}

function address(port: number, password: string, database: string): string {
  return `postgres://octroi:${password}@127.0.0.1:${port}/${database}`;
}

/** After kill -9, old backends may need a moment to exit, and another program may have taken the port: retry. */
function isPassing(fault: string): boolean {
  return /already exists|still in use|another server|Address already in use|could not create any TCP|could not bind/i.test(
    fault,
  );
}

async function readyPostmaster(place: ClusterPlace, password: string): Promise<Postmaster | undefined> {
  const running = findPostmaster(place.cluster);
  if (running?.ready !== true) return undefined;
  return (await prepareDatabase(running, password)) === undefined ? running : undefined;
}

/** Whether a server that was left behind archives its log as is wanted now. Undecided: it does not respond, which is reported elsewhere. */
async function archivesTo(running: Postmaster, password: string, folder: string | undefined): Promise<boolean> {
  const wanted = folder === undefined ? '' : archiveSettings(folder).archive_command;
  const client = openClient({
    connectionString: address(running.port, password, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  try {
    await client.connect();
    const found = await client.query(
      `select case current_setting('archive_mode') when 'on' then current_setting('archive_command') else '' end as command`,
    );
    const [archiving] = checkedRows(z.object({ command: z.string() }), found);
    return archiving?.command === wanted;
  } catch {
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Connects, creates the database if it does not exist, and explains a failure. */
async function prepareDatabase(running: Postmaster, password: string): Promise<string | undefined> {
  const client = openClient({
    connectionString: address(running.port, password, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  try {
    await client.connect();
    const found = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function readPassword(dataDir: string, clusterExists: boolean): string {
  const file = join(dataDir, 'postgres-password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (clusterExists) throw new Error(`The database's password is missing. Put the file ${file} back from your backup.`);
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** The previous port if it is free, else a new one assigned by the system. */
async function choosePort(dataDir: string): Promise<number> {
  const file = join(dataDir, 'postgres-port');
  const lastPort = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = (await tryPort(lastPort)) ?? (await tryPort(0));
  if (port === undefined) throw new Error('No port on 127.0.0.1 is free for PostgreSQL.');
  writeFileSync(file, `${port}\n`);
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' ? bound?.port : undefined));
    });
  });
}
