import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { appliedMigrations } from '#shared/database/migrate.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { DocumentFiles } from '#server/document-files/document-files.ts';
import { type ArchiveWriter, createArchive } from './archive.ts';
import { addOutsidePdfs, listOutsidePdfs } from './document-archive.ts';
import { dumpTables } from './dump-tables.ts';
import { BackupFault, type Manifest } from './manifest.ts';

export interface BackupSource {
  databaseUrl: string;
  /** The folders of gateways' journals; a folder that does not exist is left out. */
  journalDirs: readonly string[];
  /** Other folders that belong to the installation, by the name that they get in the backup. */
  folders: ReadonlyMap<string, string>;
  /** Reads PDFs outside the database. */
  documentFiles: DocumentFiles;
  settings: Manifest['settings'];
  /** The version of Octroi. */
  version: string;
}

/**
 * Writes one consistent backup of everything durable to a new file. The database is read in one snapshot. The journals are copied before it:
 * a line that the gateway deletes meanwhile was counted by then and is in the snapshot; and after it, for the calls of the meantime.
 */
export async function createBackup(
  source: BackupSource,
  path: string,
  recipients: readonly string[],
): Promise<Manifest> {
  if (existsSync(path)) throw new BackupFault(`${path} exists already.`);
  const client = openClient({ connectionString: source.databaseUrl, application_name: 'octroi backup' });
  await client.connect();
  let archive: ArchiveWriter | undefined;
  try {
    archive = await createArchive(path, recipients);
    const before = await addJournals(archive, source.journalDirs, 'before');
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const facts = await readFacts(client);
    const tables = await dumpTables(client, archive);
    const outside = await listOutsidePdfs(client);
    await client.query('commit');
    await addJournals(archive, source.journalDirs, 'after');
    for (const [name, folder] of source.folders) await addFolder(archive, name, folder);
    const documents = await addOutsidePdfs(archive, source.documentFiles, outside);
    const manifest: Manifest = {
      format: 1,
      ...facts,
      octroi: source.version,
      tables,
      files: archive.files(),
      journals: { known: facts.journals, included: before },
      documents,
      settings: source.settings,
    };
    await archive.finish(manifest);
    return manifest;
  } catch (error) {
    await archive?.abandon();
    throw error;
  } finally {
    await client.end();
  }
}

/** What the database says of itself. */
export async function readFacts(client: ClientBase) {
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0) throw new BackupFault('The database is empty: there is nothing to back up.');
  const found = await client.query(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt", version() as postgres,
       coalesce((select position from ledger_head), 0)::float8 as position,
       coalesce((select encode(hash, 'hex') from ledger_head), '') as hash,
       (select position::float8 from seal_head) as "sealPosition", (select encode(hash, 'hex') from seal_head) as "sealHash",
       array(select id from journals order by id) as journals`,
  );
  const facts = z.object({
    takenAt: z.string(),
    postgres: z.string(),
    position: z.number(),
    hash: z.string(),
    sealPosition: z.number(),
    sealHash: z.string(),
    journals: z.array(z.string()),
  });
  const [row] = checkedRows(facts, found);
  if (row === undefined) throw new Error('the database did not describe itself');
  const { position, hash, sealPosition, sealHash, ...rest } = row;
  const applied = migrations.map(({ name, checksum }) => ({ name, checksum }));
  return {
    ...rest,
    ledger: { position, hash },
    seals: { position: sealPosition, hash: sealHash },
    migrations: applied,
    productMigrations: await appliedMigrations(client, 'products'),
  };
}

/** Copies the journals and returns their ids. */
async function addJournals(
  archive: ArchiveWriter,
  folders: readonly string[],
  when: 'before' | 'after',
): Promise<string[]> {
  const ids: string[] = [];
  for (const folder of folders) {
    const idFile = join(folder, 'id');
    if (!existsSync(idFile)) continue;
    const id = (await readFile(idFile, 'utf8')).trim();
    ids.push(id);
    for (const name of readdirSync(folder).filter((each) => /^(id|\d{16}\.log)$/.test(each)))
      await addFile(archive, `journals/${when}/${id}/${name}`, join(folder, name));
  }
  return ids;
}

async function addFolder(archive: ArchiveWriter, name: string, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    await addFile(archive, `${name}/${relative(folder, path)}`, path);
  }
}

/** Adds a file as it is now: a journal may grow while it is read. One that the gateway has just deleted was counted, and is left out. */
async function addFile(archive: ArchiveWriter, name: string, path: string): Promise<void> {
  const size = await stat(path).then(
    (about) => about.size,
    () => undefined,
  );
  if (size === undefined) return;
  await archive.add(name, size === 0 ? nothing() : createReadStream(path, { end: size - 1 }));
}

async function* nothing(): AsyncGenerator<Buffer> {}
