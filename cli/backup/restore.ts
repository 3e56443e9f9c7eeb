import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkArchive } from '#backup/archive.ts';
import { openBackupPlace } from '#backup/backup-place.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { nothingOutside, readSeriesAfter, type SeriesOutside } from '#backup/series-outside.ts';
import { type BackupSettings, readBackupSettings } from '#backup/config.ts';
import {
  checkRestore,
  finishMove,
  finishRestore,
  restoreBackup,
  type Restored,
  type RestoreTarget,
  withConnection,
} from '#backup/restore-backup.ts';
import { type PointInTime, restoreBase } from '#backup/restore-base.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { removeEmbedded } from '#shared/database/embedded.ts';
import { rememberDatabase } from '#shared/database/database-memory.ts';
import { requireDatabase } from '#shared/database/require-database.ts';
import { finishing, readSetback, type Setback } from '#shared/database/setback.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { fileReason } from '#shared/platform/file-reason.ts';
import { createLog } from '#shared/platform/log.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { type DocumentPlaceSettings, inDatabase } from '#server/document-files/settings.ts';
import { readOperatorSettings } from '#server/config.ts';
import { openDocumentFiles } from '#server/document-files/document-files.ts';
import { readPlaceOfPortal } from '#server/document-settings.ts';
import { withDatabase, withDatabaseUrl, withExistingUrl } from '#server/operator-database.ts';
import { report, reportFinished } from './restore-report.ts';

interface RestoreOptions {
  identity?: string;
  wal?: string;
  at?: string;
  timeline?: string;
  seriesAfter?: string | undefined;
  json?: true;
}

interface FinishOptions {
  finish?: true;
  nothingLost?: true;
  yes?: true;
}

/** `octroi restore`: into DATABASE_URL, or a new embedded database in DATA_DIR. */
export async function runRestore(file: string | undefined, options: RestoreOptions & FinishOptions): Promise<void> {
  loadEnvFile();
  if ((options.nothingLost || options.yes) && !options.finish)
    throw new CommandFailed('--nothing-lost and --yes belong to --finish.', exitCodes.usage);
  if ((file === undefined) !== (options.finish === true))
    throw new CommandFailed('Name either the backup to restore, or --finish.', exitCodes.usage);
  if (options.seriesAfter !== undefined && options.nothingLost && !options.yes)
    throw new CommandFailed('--series-after is for what lost something: leave --nothing-lost out.', exitCodes.usage);
  if (file === undefined) return finish(options);
  const settings = readBackupSettings({ env: process.env });
  const moment = readMoment(settings, options);
  const identities = await readIdentities(options.identity);
  const outside = outsideOf(settings, options, file);
  await withFile(file, settings, async (path) => {
    if (moment !== undefined) return restoreToMoment(path, identities, settings, moment, options.json, outside);
    const { journalDir, dataDir } = settings;
    const folders = { journalDir, filesDir: join(dataDir, 'restored') };
    const documents = placeIn(folders.filesDir, settings);
    await checkRestore(path, identities, folders);
    const restored = await withDatabaseUrl(settings, (databaseUrl) =>
      restoreBackup(path, identities, { databaseUrl, ...folders, documents, outside, ...surroundings() }),
    );
    return report(restored, options.json, [
      `Journals are in ${journalDir}, the catalogue and other files in ${folders.filesDir}.`,
      ...hintOf(restored, documents),
      settings.databaseUrl === undefined
        ? 'The archived log of the old database is not of this one: with WAL_ARCHIVE_DIR, make a base backup after the start: octroi backup base'
        : 'The users of octroi database roles have no rights in a new database: if the processes use them, run octroi database roles again before the start.',
      'Set the secrets again (the manifest lists their names), then start Octroi.',
    ]);
  });
}

/** `octroi restore --finish`: what follows a restore, for one that was interrupted and for a database that other tools put back. */
async function finish({ json, nothingLost, yes, seriesAfter }: RestoreOptions & FinishOptions): Promise<void> {
  const settings = readOperatorSettings({ env: process.env });
  const outside = outsideOf(readBackupSettings({ env: process.env }), { seriesAfter });
  await withExistingUrl(settings, async (databaseUrl) => {
    await requireDatabase(databaseUrl, { isRehearsal: settings.rehearsal, isFinishing: true });
    const found = await lookBack(settings.dataDir, databaseUrl);
    if (nothingLost) {
      if (!(await finishMove(databaseUrl, { ...surroundings(), evenBack: yes === true, outside })))
        throw new CommandFailed(refusalOfNothingLost(found));
      return printResult(json, { finished: true }, [
        'What was valid stays valid; documents go on in their new series.',
      ]);
    }
    if (found === undefined && !yes)
      throw new CommandFailed(
        `Nothing here says that the database lacks anything. If it does, as a copy of the whole machine or a snapshot from before a process ran: ${finishing} --yes. It ends every session, revokes the tokens of operators, closes the series of documents and stops those of customers.`,
      );
    const { now, log, say } = surroundings();
    const place = await withDatabase(settings, (db) => readPlaceOfPortal(db, process.env, { moves: false }));
    const finished = await finishRestore(databaseUrl, { now, say, files: openDocumentFiles(place, log), outside });
    reportFinished(finished, json, {}, [
      'Go through the rest of the list: docs/operating/backups.md#restore',
      'Then start Octroi.',
    ]);
  });
}

/** What there is to finish, also if no process has started since: the folder of the portal remembers how far the database had come. */
async function lookBack(dataDir: string, databaseUrl: string): Promise<Setback | undefined> {
  const { look } = rememberDatabase(dataDir, createLog('restore', { level: 'silent' }));
  return withConnection(databaseUrl, async (db, pool) => {
    await look(pool);
    return (await readSetback(db))?.setback;
  });
}

const refusalOfNothingLost = (found: Setback | undefined): string =>
  found === undefined
    ? 'No fail-over waits to be finished, and nothing was ended. Only if something was lost: leave --nothing-lost out.'
    : found === 'RESTORED'
      ? 'A restore lacks what happened since the backup: leave --nothing-lost out.'
      : 'A process had seen later changes than the database has: leave --nothing-lost out. Only if you know that it lacks nothing, as after a copy of it ran with the same DATA_DIR: add --yes.';

/** To which moment; none for a backup without a log. */
function readMoment(settings: BackupSettings, { wal, at, timeline }: RestoreOptions): PointInTime | undefined {
  if (wal === undefined) {
    if (at === undefined && timeline === undefined) return undefined;
    throw new CommandFailed(
      `--${at === undefined ? 'timeline' : 'at'} needs --wal, the folder of the archived log.`,
      exitCodes.usage,
    );
  }
  const until = at === undefined ? undefined : new Date(at);
  if (until !== undefined && (Number.isNaN(until.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(at ?? '')))
    throw new CommandFailed(
      '--at must be a moment with its time zone, such as 2026-11-23T10:15:00+05:30.',
      exitCodes.usage,
    );
  if (timeline !== undefined && !/^[1-9]\d{0,8}$/.test(timeline))
    throw new CommandFailed('--timeline must be the number of a timeline, such as 1.', exitCodes.usage);
  return {
    walArchive: (cluster) =>
      isAddress(wal) ? openBackupPlace(`${wal.replace(/\/+$/, '')}/${cluster}`, settings) : join(resolve(wal), cluster),
    until,
    timeline: timeline === undefined ? undefined : Number(timeline),
  };
}

async function restoreToMoment(
  path: string,
  identities: readonly string[],
  settings: BackupSettings,
  moment: PointInTime,
  json: true | undefined,
  outside: SeriesOutside,
): Promise<void> {
  if (settings.databaseUrl !== undefined)
    throw new CommandFailed('A base backup becomes an embedded database: unset DATABASE_URL.', exitCodes.usage);
  const restored = await restoreBase(path, identities, moment, {
    ...surroundings(),
    outside,
    documents: settings,
    dataDir: settings.dataDir,
    recipients: settings.backupRecipient,
  });
  report(restored, json, [
    'Start a gateway on the journal that it had, set the secrets again, then start Octroi.',
    'Make a new base backup at once after the start: octroi backup base',
  ]);
}

/** Where others that were restored from the same may have left word of their series: beside the backup, and in the folders of processes. */
function outsideOf(settings: BackupSettings, { seriesAfter }: RestoreOptions, file?: string): SeriesOutside {
  const { backupDir, dataDir, backupJournals } = settings;
  const beside =
    file === undefined ? undefined : isAddress(file) ? file.slice(0, file.lastIndexOf('/')) : dirname(resolve(file));
  const places = new Set(
    [backupDir, beside].flatMap((place) => (place === undefined ? [] : isAddress(place) ? place : resolve(place))),
  );
  return {
    memories: [dataDir, ...backupJournals],
    places: [...places].map((place) => openBackupPlace(place, settings)),
    after: seriesAfter === undefined ? undefined : seriesSaid(seriesAfter),
  };
}

function seriesSaid(letters: string): SeriesOutside['after'] {
  try {
    return readSeriesAfter(letters);
  } catch (error) {
    throw new CommandFailed(`--series-after: ${reasonOf(error)}`, exitCodes.usage);
  }
}

/** Where PDFs go that were in a folder: to DOCUMENTS_PLACE, or beside the other files. */
function placeIn(filesDir: string, settings: BackupSettings): DocumentPlaceSettings {
  const { documentsPlace } = settings;
  return {
    ...settings,
    documentsPlace: documentsPlace === inDatabase ? resolve(filesDir, 'documents') : documentsPlace,
  };
}

function hintOf({ manifest }: Restored, { documentsPlace }: DocumentPlaceSettings): string[] {
  if ((manifest.documents?.included ?? 0) === 0) return [];
  return [
    `PDFs of documents are in ${documentsPlace}: start with DOCUMENTS_PLACE=${documentsPlace}, and run octroi documents move after any change of it.`,
  ];
}

/** A file of a store is fetched first. */
async function withFile(file: string, settings: BackupSettings, work: (path: string) => Promise<void>): Promise<void> {
  if (!isAddress(file)) return work(file);
  const folder = mkdtempSync(join(tmpdir(), 'octroi-fetched-'));
  return withCleanUp(
    async () => {
      const at = file.lastIndexOf('/');
      const name = file.slice(at + 1);
      const path = join(folder, name);
      await openBackupPlace(file.slice(0, at), settings).get(name, path);
      return work(path);
    },
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

/** `octroi backup drill`: the same into a temporary folder, which is removed. */
export async function runDrill(file: string, options: RestoreOptions): Promise<void> {
  loadEnvFile();
  const identities = await readIdentities(options.identity);
  const settings = readBackupSettings({ env: process.env });
  const moment = readMoment(settings, options);
  await withFile(file, settings, (path) => drill(path, identities, settings, moment, options.json));
}

async function drill(
  file: string,
  identities: readonly string[],
  settings: BackupSettings,
  moment: PointInTime | undefined,
  json: true | undefined,
): Promise<void> {
  await checkArchive(file, identities);
  const folder = mkdtempSync(join(tmpdir(), 'octroi-drill-'));
  const dataDir = join(folder, 'data');
  await withCleanUp(
    async () => {
      const restored =
        moment === undefined
          ? await withDatabaseUrl({ dataDir, databaseUrl: undefined }, (databaseUrl) =>
              restoreBackup(file, identities, {
                databaseUrl,
                journalDir: join(folder, 'journal'),
                filesDir: join(folder, 'files'),
                documents: { ...settings, documentsPlace: join(folder, 'files', 'documents') },
                outside: nothingOutside,
                ...surroundings(),
              }),
            )
          : await restoreBase(file, identities, moment, {
              ...surroundings(),
              documents: settings,
              outside: nothingOutside,
              dataDir,
              recipients: undefined,
            });
      report(restored, json, ['The drill’s copy is removed.']);
    },
    async () => {
      // As root, the database itself lies elsewhere.
      if (existsSync(dataDir)) await removeEmbedded(dataDir);
      rmSync(folder, { recursive: true, force: true });
    },
  );
}

function surroundings(): Pick<RestoreTarget, 'now' | 'log' | 'say'> {
  return {
    now: Date.now,
    log: createLog('restore', { level: 'error' }),
    say: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** The secret keys in a file in the format of `age-keygen`. */
async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailed(`${file} can't be read: ${fileReason(error)}.`);
  });
  const keys = text.split(/\s+/).filter((word) => word.startsWith('AGE-SECRET-KEY-'));
  if (keys.length === 0) throw new CommandFailed(`${file} has no secret key of age (AGE-SECRET-KEY-…).`);
  return keys;
}
