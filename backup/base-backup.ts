import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { clusterIdOf } from '#shared/database/wal-archive.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { createArchive } from './archive.ts';
import { countByPlace, listOutsidePdfs } from './document-archive.ts';
import { readFacts } from './create-backup.ts';
import { BackupFault, type Manifest } from './manifest.ts';

/** Folders whose contents PostgreSQL creates again, and those of its log, which the archive has (PostgreSQL, "Backing Up the Data Directory"). */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|.*\.part|pgsql_tmp.*|pg_internal\.init.*)$/;

export interface BaseSource {
  databaseUrl: string;
  /** The data folder with the embedded database. */
  dataDir: string;
  settings: Manifest['settings'];
  version: string;
}

const stopRow = z.object({ label: z.string(), spaces: z.string().nullable() });

/**
 * Copies the files of the embedded database while it runs. Together with the archive of its log from then on, the copy can be brought to any
 * point in time. It has everything, the database's password too.
 */
export async function createBaseBackup(
  source: BaseSource,
  path: string,
  recipients: readonly string[],
): Promise<Manifest> {
  const cluster = join(clusterFolder(source.dataDir), 'cluster');
  const client = openClient({ connectionString: source.databaseUrl, application_name: 'octroi base backup' });
  await client.connect();
  const archive = await createArchive(path, recipients);
  try {
    await requireArchiving(client);
    const facts = await readFacts(client);
    const elsewhere = countByPlace(await listOutsidePdfs(client));
    await client.query(`select pg_backup_start('octroi', fast => true)`);
    const directories = [''];
    for await (const entry of filesOf(cluster)) {
      if (entry.isFolder) directories.push(entry.name);
      else await archive.add(`cluster/${entry.name}`, contentOf(join(cluster, entry.name)));
    }
    const stopped = await client.query(
      'select labelfile as label, spcmapfile as spaces from pg_backup_stop(wait_for_archive => true)',
    );
    const [end] = checkedRows(stopRow, stopped);
    if (end === undefined || end.spaces)
      throw new BackupFault('The database has tablespaces, which a base backup cannot have.');
    await archive.add('cluster/backup_label', bytes(Buffer.from(end.label)));
    await archive.add('postgres-password', bytes(await readFile(join(source.dataDir, 'postgres-password'))));
    const manifest: Manifest = {
      format: 1,
      ...facts,
      octroi: source.version,
      tables: {},
      cluster: { id: clusterIdOf(cluster), directories },
      files: archive.files(),
      journals: { known: facts.journals, included: [] },
      documents: { included: 0, unreadable: [], elsewhere },
      settings: source.settings,
    };
    await archive.finish(manifest);
    return manifest;
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    // Ending the session ends a backup that was begun.
    await client.end();
  }
}

async function requireArchiving(client: ClientBase): Promise<void> {
  const found = await client.query(`select current_setting('archive_mode') as mode`);
  if (checkedRows(z.object({ mode: z.string() }), found)[0]?.mode !== 'on')
    throw new BackupFault(
      'The log is not archived. Set WAL_ARCHIVE_DIR, start Octroi again, and then make the base backup.',
    );
}

async function* filesOf(cluster: string): AsyncGenerator<{ name: string; isFolder: boolean }> {
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const name = relative(cluster, join(entry.parentPath, entry.name));
    if (leftOut.test(entry.name) || emptied.some((folder) => name.startsWith(`${folder}/`) && !isKeptFolder(name)))
      continue;
    yield { name, isFolder: entry.isDirectory() };
  }
}

/** PostgreSQL does not start without these. */
const isKeptFolder = (name: string): boolean => name === 'pg_wal/archive_status' || name === 'pg_wal/summaries';

/** A file that disappears meanwhile was removed by PostgreSQL; its log says so. */
async function* contentOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

async function* bytes(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
