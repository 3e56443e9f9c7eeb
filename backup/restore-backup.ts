import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { type BegunSeries, begunSchema, selectBegun } from '#shared/database/begun-series.ts';
import { openClient } from '#shared/database/clients.ts';
import { connect, type Tx } from '#shared/database/connect.ts';
import { applyMigrations, appliedMigrations, readChanges, readMigrations } from '#shared/database/migrate.ts';
import { nextMove, readSetback } from '#shared/database/setback.ts';
import { dayOf, istTime } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import type { Log } from '#shared/platform/log.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { checkFolder, makeFolder } from '#shared/platform/make-folder.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type DocumentFiles, openDocumentFiles } from '#server/document-files/document-files.ts';
import type { DocumentPlaceSettings } from '#server/document-files/settings.ts';
import { closeSeries, followPlace } from '#server/features/documents/numbers.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { type AfterRestoreReport, endAfterRestore } from './after-restore.ts';
import { checkArchive, readArchive } from './archive.ts';
import { createDocumentWriter, type DocumentWriter } from './document-archive.ts';
import { startLoading } from './load-tables.ts';
import { BackupFault, type Manifest } from './manifest.ts';
import { type KnownOutside, noteOutside, readOutside, type SeriesOutside, unnotedText } from './series-outside.ts';
import { stopSeries } from './stop-series.ts';

export interface RestoreTarget {
  /** An empty database. */
  databaseUrl: string;
  /** The folder that gets the journals, each in a folder of its id; it must not exist or be empty. */
  journalDir: string;
  /** The folder that gets catalogue, brand and whatever else was in the backup; it must not exist or be empty. */
  filesDir: string;
  /** The place of PDFs outside the database; those of folders go there. A folder in `filesDir` is made. */
  documents: DocumentPlaceSettings;
  /** Where others that were restored from the same left word of their series. */
  outside: SeriesOutside;
  now: () => number;
  log: Log;
  /** Hears of each step. */
  say: (line: string) => void;
}

export interface Restored extends Finished {
  manifest: Manifest;
}

export interface Finished extends AfterRestoreReport {
  /** What the ledger's verification found; none if the books hold. */
  faults: string[];
  /** The series of documents that were closed, so that no number is used twice. */
  closedSeries: string[];
  /** Those in which they continue, and who outside the database knew of series. */
  begins: string[];
  outside: Omit<KnownOutside, 'begun'>;
}

/**
 * Restores a backup into an empty database and empty folders, then verifies the ledger. Throws a BackupFault before anything is written if the backup or the target is not fit.
 */
export async function restoreBackup(
  path: string,
  identities: readonly string[],
  target: RestoreTarget,
): Promise<Restored> {
  const { databaseUrl, log, say } = target;
  await checkRestore(path, identities, target);
  say('Reading the whole backup, to see that it is undamaged …');
  const manifest = await readArchive(path, identities);
  const files = openDocumentFiles(target.documents, log, { onlyStores: true });
  const documents = await documentWriterFor(manifest, files, target.filesDir);
  if (manifest.cluster !== undefined)
    throw new BackupFault(`${path} is a base backup: restore it with --wal and the folder of the archived log.`);
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi restore' });
  await client.connect();
  try {
    await makeTables(client, manifest);
    await withConnection(databaseUrl, async (db) => (await openJobs(db, log, { onlySends: true })).stop());
    say('Loading the tables and files …');
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    const loader = await startLoading(client, manifest.tables);
    const write = createFileWriter(target, manifest);
    await readArchive(path, identities, async ({ file, data }) => {
      if (file.startsWith('tables/')) await loader.load(file.slice('tables/'.length), data);
      else if (file.startsWith('documents/')) await documents.write(file, data);
      else await write(file, data);
    });
    await documents.finish();
    await loader.finish(manifest.tables);
    await markRestored(client, `was restored from the backup of ${istTime(new Date(manifest.takenAt))}`);
    await client.query('commit');
    await applyMigrations(client, readMigrations());
  } finally {
    await client.end();
  }
  return { manifest, ...(await finishRestore(databaseUrl, { ...target, files })) };
}

/** Throws unless the file is readable and the folders are empty and writable: before a database is made for it. */
export async function checkRestore(
  path: string,
  identities: readonly string[],
  { journalDir, filesDir }: Pick<RestoreTarget, 'journalDir' | 'filesDir'>,
): Promise<void> {
  await checkArchive(path, identities);
  for (const folder of [journalDir, filesDir]) {
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new BackupFault(`${folder} is not empty.`);
    checkFolder(folder);
  }
}

/** Until `finishRestore` nothing starts on the database: a restore that ends before would leave one that looks sound. */
export async function markRestored(client: ClientBase, reason: string): Promise<void> {
  await client.query(`update installation set setback = 'RESTORED', setback_reason = $1`, [reason]);
}

/**
 * What follows every restore, whatever put the rows back: it is another installation, documents go on in new series, those of customers in
 * theirs when they say where, what lets somebody in ends, and the ledger is verified.
 */
export async function finishRestore(
  databaseUrl: string,
  { now: clock, say, files, outside }: Pick<RestoreTarget, 'now' | 'say' | 'outside'> & { files: DocumentFiles },
): Promise<Finished> {
  return withConnection(databaseUrl, async (db) => {
    const now = clock();
    const stopped = await stopSeries(databaseUrl, dayOf(now));
    const { series, ended, lookAt } = await db.transaction().execute(async (tx) => {
      const { setback_reason: noted, origin } = await tx
        .selectFrom('installation')
        .select(['setback_reason', 'origin'])
        .forUpdate()
        .executeTakeFirstOrThrow();
      const reason = `The database ${noted ?? `was put back before ${istTime(new Date(now))}`}`;
      const series = await closeSeriesAfter(tx, origin, new Date(now), reason, outside);
      const after = await endAfterRestore(tx, new Date(now), reason);
      // Backups and log of the one it was restored from may lie in the same place: it is another installation.
      await sql`update installation set id = default, runs_on = database_place(), moved_at = ${sql.raw(nextMove)}, setback = null,
        setback_reason = null`.execute(tx);
      return { series, ...after };
    });
    say('Verifying the ledger …');
    const { faults } = await verifyLedgerOf(db, { files });
    return { faults, ...series, ended: [...ended, stopped], lookAt };
  });
}

/** The next series follow all that anybody knows of, and word of them is left before the first number can be taken. */
async function closeSeriesAfter(
  tx: Tx,
  origin: string,
  now: Date,
  reason: string,
  outside: SeriesOutside,
): Promise<Pick<Finished, 'closedSeries' | 'begins' | 'outside'>> {
  const financialYear = financialYearOf(dayOf(now.getTime()));
  const known = await readOutside(outside, origin, financialYear);
  const { closed, begins } = await closeSeries(tx, financialYear, now, reason, known.begun);
  await noteOutside(outside, origin, await begunIn(tx), known);
  const { knownBy, silent, unnoted } = known;
  return { closedSeries: closed, begins, outside: { knownBy, silent, unnoted } };
}

async function begunIn(tx: Tx): Promise<BegunSeries> {
  const found = await sql`select (${sql.raw(selectBegun)}) as begun`.execute(tx);
  return checkedRows(z.object({ begun: begunSchema }), found)[0]?.begun ?? {};
}

/**
 * After a fail-over to a replica that had everything, whether or not a portal has run since: what is valid stays valid. `evenBack`: the operator says so of
 * a database that a process holds for older, as after a copy of it was tried with the same folder. False if there is nothing of the kind to finish.
 */
export async function finishMove(
  databaseUrl: string,
  { now: clock, say, evenBack, outside }: Pick<RestoreTarget, 'now' | 'say' | 'outside'> & { evenBack: boolean },
): Promise<boolean> {
  return withConnection(databaseUrl, (db) =>
    db.transaction().execute(async (tx) => {
      const found = (await readSetback(tx))?.setback;
      if (found !== 'MOVED' && !(found === 'WENT_BACK' && evenBack)) return false;
      const now = clock();
      const financialYear = financialYearOf(dayOf(now));
      await followPlace(tx, financialYear, new Date(now));
      if (found === 'WENT_BACK') {
        const { origin } = await tx.selectFrom('installation').select('origin').executeTakeFirstOrThrow();
        const series = await closeSeriesAfter(
          tx,
          origin,
          new Date(now),
          'The database was held for an older one',
          outside,
        );
        for (const place of series.outside.unnoted) say(unnotedText(place));
        // What processes remember is of another installation then.
        await sql`update installation set id = default, moved_at = ${sql.raw(nextMove)}`.execute(tx);
      }
      await tx.updateTable('installation').set({ setback: null, setback_reason: null }).execute();
      return true;
    }),
  );
}

/** Throws before anything is written if PDFs can't be. */
async function documentWriterFor(manifest: Manifest, files: DocumentFiles, filesDir: string): Promise<DocumentWriter> {
  const { place: address } = files;
  const none = { write: async () => {}, finish: async () => {} };
  if ((manifest.documents?.included ?? 0) === 0) return none;
  if (resolve(address).startsWith(resolve(filesDir) + sep)) makeFolder(address, 0o700);
  const place = files.open(address);
  await place.probe().catch((cause: unknown) => {
    throw new BackupFault(`The PDFs of the backup can't be written to ${address}.`, { cause });
  });
  return createDocumentWriter(place);
}

export async function withConnection<Result>(
  databaseUrl: string,
  work: (db: ReturnType<typeof connect>['db'], pool: ReturnType<typeof connect>['pool']) => Promise<Result>,
): Promise<Result> {
  const { db, pool, close } = connect(databaseUrl, { applicationName: 'octroi restore', statementTimeoutMs: 600_000 });
  try {
    return await work(db, pool);
  } finally {
    await close();
  }
}

/** Makes the tables as they were when the backup was made. Throws if those of this version of Octroi are others. */
export async function makeTables(
  client: ClientBase,
  manifest: Pick<Manifest, 'migrations' | 'productMigrations' | 'octroi'>,
): Promise<void> {
  if ((await appliedMigrations(client)).length > 0)
    throw new BackupFault('The database is not empty. Restore into a new one: nothing is ever overwritten.');
  const parts = [
    { wanted: manifest.migrations, known: readMigrations(), schema: undefined },
    {
      wanted: manifest.productMigrations,
      known: readChanges(projectFolder('products', 'migrations')),
      schema: 'products',
    },
  ];
  for (const { wanted, known, schema } of parts) {
    const isKnown = wanted.every(
      ({ name, checksum }, index) =>
        known[index]?.name === name && (known[index].checksum === checksum || known[index].whole !== undefined),
    );
    // The schema as a whole is made as this version has it.
    if (!isKnown || (schema === undefined && known.length !== wanted.length))
      throw new BackupFault(
        `The backup was made by Octroi ${manifest.octroi}, whose tables are not those of this version. Restore it with that version, then upgrade.`,
      );
  }
  for (const { wanted, known, schema } of parts)
    if (wanted.length > 0) await applyMigrations(client, known.slice(0, wanted.length), schema);
}

/**
 * Writes the files of journals and folders. The copy of a journal that was made after the snapshot replaces the one before it. The only
 * journal gets the folder itself, as a gateway expects it; several get a folder each.
 */
function createFileWriter(
  { journalDir, filesDir }: RestoreTarget,
  { journals }: Manifest,
): (file: string, data: Buffer) => Promise<void> {
  const begun = new Set<string>();
  const placeOf = (file: string): { folder: string; name: string } => {
    const [, id = '', name] = /^journals\/(?:before|after)\/([^/]+)\/([^/]+)$/.exec(file) ?? [];
    if (name === undefined) return { folder: filesDir, name: file };
    return { folder: journalDir, name: journals.included.length === 1 ? name : join(id, name) };
  };
  return async (file, data) => {
    const { folder, name } = placeOf(file);
    const path = resolve(folder, name);
    if (!path.startsWith(resolve(folder) + sep))
      throw new BackupFault(`The backup has a file outside its folder: ${file}`);
    makeFolder(dirname(path), 0o700);
    await writeFile(path, data, { flag: begun.has(file) ? 'a' : 'w', mode: 0o600 });
    begun.add(file);
  };
}
