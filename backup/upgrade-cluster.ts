import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binariesVersion } from '#shared/database/embedded-binaries.ts';
import { findClusterPlace, upgradedName } from '#shared/database/embedded-place.ts';
import { majorOfCluster, startEmbedded } from '#shared/database/embedded.ts';
import { findPostmaster, stopPostmaster } from '#shared/database/postmaster.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { FolderLocked, lockFolder } from '#shared/platform/folder-lock.ts';
import type { Log } from '#shared/platform/log.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import type { DocumentFiles } from '#server/document-files/document-files.ts';
import { type Copied, copyDatabase } from './copy-database.ts';
import { BackupFault } from './manifest.ts';

export interface ClusterUpgrade extends Copied {
  /** Major versions of PostgreSQL. */
  from: string;
  to: string;
  /** The old cluster, unchanged. */
  kept: string;
}

export interface UpgradeTarget {
  dataDir: string;
  /** A folder with `bin`, `lib` and `share` of the PostgreSQL that made the cluster. */
  programs: string;
  log: Log;
  /** To verify PDFs outside the database. */
  files: DocumentFiles;
  say: (line: string) => void;
}

/** While it is filled; whatever is in it may be thrown away. */
const nextName = 'cluster.next';

/**
 * Brings the embedded database to the major version of PostgreSQL that this version brings: a new cluster is filled from the old one and
 * compared with it, and takes its place in the last step. Until then the old one is what it was.
 */
export async function upgradeCluster(target: UpgradeTarget): Promise<ClusterUpgrade> {
  const { dataDir } = target;
  if (!existsSync(dataDir)) throw new BackupFault(`There is no data folder ${dataDir}.`);
  const unlock = await lockFolder(dataDir, 'data', `octroi upgrade cluster, process ${process.pid}`).catch(
    (error: unknown) => {
      if (!(error instanceof FolderLocked)) throw error;
      throw new BackupFault(`Octroi runs on ${dataDir} (${error.holder}). Stop it first.`);
    },
  );
  try {
    return await upgrade(target);
  } finally {
    await unlock();
  }
}

async function upgrade({ dataDir, programs, log, files, say }: UpgradeTarget): Promise<ClusterUpgrade> {
  const { folder, cluster } = findClusterPlace(dataDir, say);
  if (!existsSync(cluster)) throw new BackupFault(`There is no embedded database in ${dataDir}.`);
  const from = majorOfCluster(cluster);
  const [to = ''] = binariesVersion().split('.');
  if (Number(from) >= Number(to))
    throw new BackupFault(`The database in ${cluster} is of PostgreSQL ${from}; this version brings ${to}.`);
  const kept = join(folder, `cluster.${from}`);
  if (existsSync(kept)) throw new BackupFault(`${kept} is in the way: move it elsewhere.`);
  const next = join(folder, nextName);
  const upgraded = join(folder, upgradedName);
  // Of an attempt that was interrupted. The old cluster may have gone on since.
  for (const left of [next, upgraded]) await discard(left);
  const running = findPostmaster(cluster);
  if (running !== undefined) await stopPostmaster(running.pid);

  makeFolder(join(dataDir, 'logs'));
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const portFile = join(dataDir, 'postgres-port');
  const port = existsSync(portFile) ? readFileSync(portFile, 'utf8') : undefined;
  say(`Starting PostgreSQL ${from}, and ${to} beside it …`);
  const old = await startEmbedded({ dataDir, logFile, upgrading: { programs } });
  let copied: Copied;
  let isCopied = false;
  try {
    copied = await withCleanUp(
      async () => {
        const fresh = await startEmbedded({ dataDir, logFile, upgrading: { cluster: nextName } });
        say('Copying the tables …');
        const copying = () => copyDatabase(old.databaseUrl, fresh.databaseUrl, { log, say, files });
        const result = await withCleanUp(copying, fresh.stop);
        isCopied = true;
        return result;
      },
      async () => {
        await old.stop();
        if (port !== undefined) writeFileSync(portFile, port);
        // Half a copy may have filled the disk that the old cluster needs.
        if (!isCopied) await discard(next);
      },
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupFault(`The copy failed: ${reason}. The database is what it was.`, { cause: error });
  }
  renameSync(next, upgraded);
  renameSync(cluster, kept);
  renameSync(upgraded, cluster);
  return { ...copied, from, to, kept };
}

async function discard(cluster: string): Promise<void> {
  if (!existsSync(cluster)) return;
  const running = findPostmaster(cluster);
  if (running !== undefined) await stopPostmaster(running.pid);
  rmSync(cluster, { recursive: true });
}
