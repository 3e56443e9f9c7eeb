import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, fault, fine, type Finding } from '#doctor/finding.ts';
import { reasonOf } from '#platform/reason.ts';

/** The folder itself, or the one above it in which it will be created. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

/** Why nothing can be written to a folder or file; undefined when something can. */
function whyNotWritable(path: string, kind: 'folder' | 'file' = 'folder'): string | undefined {
  try {
    if (statSync(path).isDirectory() !== (kind === 'folder')) return `it is not a ${kind}`;
    accessSync(path, kind === 'folder' ? constants.W_OK | constants.X_OK : constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

const whereAndWhy = (there: string, folder: string, why: string): string =>
  there === folder ? why : `of ${there}, ${why}`;

export const journalFolder: Check = {
  name: 'journal',
  about: 'the folder of the gateway’s journal: there, and writable',
  examine: ({ journalDir: folder }) => {
    const there = nearest(folder);
    const why = whyNotWritable(there);
    if (why === undefined) return [fine(`${folder} is writable.`)];
    return [
      fault(
        `The journal cannot be written to ${folder}: ${whereAndWhy(there, folder, why)}.`,
        'The gateway does not start: it could not prove which calls it has counted.',
        'Create the folder for the user that runs the gateway, with the mode 0700, or set JOURNAL_DIR to another one.',
      ),
    ];
  },
};

/** What each setting that names a place needs there. */
export const places: Check = {
  name: 'places',
  about: 'ACCESS_LOG, WAL_ARCHIVE_DIR, RATES_DIR and the folder of temporary files: there, and usable',
  examine: ({ gateway: { accessLog }, backup: { walArchiveDir }, env }) => [
    ...(accessLog === undefined ? [] : [examineAccessLog(accessLog)]),
    ...(walArchiveDir === undefined ? [] : [examineWalArchive(walArchiveDir)]),
    ...(env['RATES_DIR'] ? [examineRates(env['RATES_DIR'])] : []),
    examineTemporary(env['TMPDIR'] || '/tmp'),
  ],
};

function examineAccessLog(file: string): Finding {
  const why = existsSync(file) ? whyNotWritable(file, 'file') : whyNotWritable(dirname(file));
  if (why === undefined) return fine(`${file} is writable.`);
  return fault(
    `ACCESS_LOG cannot be written to ${file}: ${why}.`,
    'Calls are served and counted, and their lines are lost.',
    `Create ${dirname(file)} for the user that runs the gateway, or correct ACCESS_LOG.`,
  );
}

function examineWalArchive(folder: string): Finding {
  const there = nearest(folder);
  const why = whyNotWritable(there);
  if (why === undefined) return fine(`${folder} is writable.`);
  return fault(
    `The log of PostgreSQL cannot be archived in ${folder}: ${whereAndWhy(there, folder, why)}.`,
    'Nothing can be restored to a moment, and the log fills the disk.',
    'Create or mount the folder for the user that runs PostgreSQL, or correct WAL_ARCHIVE_DIR.',
  );
}

/** The file that a folder of rates must have. */
const ratesFile = 'notifications.yaml';

function examineRates(folder: string): Finding {
  const file = join(folder, ratesFile);
  if (existsSync(file)) return fine(`${folder} has rates.`);
  return fault(
    `RATES_DIR is ${folder}, and there is no ${file}.`,
    'The products do not start.',
    'Correct RATES_DIR, or delete it to use the rates as shipped.',
  );
}

function examineTemporary(folder: string): Finding {
  const why = whyNotWritable(folder);
  if (why === undefined) return fine(`${folder} is writable.`);
  return fault(
    `Temporary files cannot be written to ${folder}: ${why}.`,
    'PDFs, backups and changes of the catalogue fail.',
    'Correct TMPDIR or delete it; in a container mount a tmpfs at /tmp.',
  );
}
