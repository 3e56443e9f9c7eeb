import { accessSync, constants, existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Check, fault, fine, type Finding } from '#doctor/finding.ts';
import { fileReason } from '#shared/platform/file-reason.ts';

/** As many links one after the other as Linux follows. */
const mostLinks = 40;

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
};

/** Where a link leads that leads to nothing, itself a link if it leads in a circle: no folder can be made in its place. */
function brokenLink(path: string): string | undefined {
  if (existsSync(path) || !isLink(path)) return undefined;
  let end = path;
  for (let followed = 0; followed < mostLinks && isLink(end); followed += 1)
    end = resolve(dirname(end), readlinkSync(end));
  return end;
}

/** The folder itself, or the one above it in which it will be created. */
function nearest(folder: string): string {
  return existsSync(folder) || brokenLink(folder) !== undefined || dirname(folder) === folder
    ? folder
    : nearest(dirname(folder));
}

type Kind = 'folder' | 'file';

/** Why a folder or file can't be used in this way; undefined when it can. */
function whyNot(path: string, kind: Kind, access: number): string | undefined {
  const missing = brokenLink(path);
  if (missing !== undefined)
    return `${path} is a link to ${isLink(missing) ? 'itself' : `${missing}, which does not exist`}`;
  try {
    if (statSync(path).isDirectory() !== (kind === 'folder')) return `${path} is not a ${kind}`;
    accessSync(path, access);
    return undefined;
  } catch (error) {
    return fileReason(error);
  }
}

/** Why nothing can be written to a folder or file; undefined when something can. */
const whyNotWritable = (path: string, kind: Kind = 'folder'): string | undefined =>
  whyNot(path, kind, kind === 'folder' ? constants.W_OK | constants.X_OK : constants.W_OK);

/** The same of a folder that may have to be made first. */
function whyNotMade(folder: string): string | undefined {
  const there = nearest(folder);
  const why = whyNotWritable(there);
  return why === undefined || there === folder || why.includes(there) ? why : `${why} (in ${there})`;
}

export const journalFolder: Check = {
  name: 'journal',
  about: 'the folder of the gateway’s journal: there, and writable',
  examine: ({ journalDir: folder }) => {
    const why = whyNotMade(folder);
    if (why === undefined) return [fine(`${folder} is writable.`)];
    return [
      fault(
        `The journal cannot be written to ${folder}: ${why}.`,
        'The gateway does not start: it could not prove which calls it has counted.',
        'Create the folder for the user that runs the gateway, with the mode 0700, or set JOURNAL_DIR to another one.',
      ),
    ];
  },
};

/** What each setting that names a place needs there. */
export const places: Check = {
  name: 'places',
  about:
    'ACCESS_LOG, WAL_ARCHIVE_DIR and the folder of temporary files: writable? RATES_DIR: is its notifications.yaml readable?',
  examine: ({ gateway: { accessLog }, backup: { walArchiveDir }, env }) => [
    ...(accessLog === undefined ? [] : [examineAccessLog(accessLog)]),
    ...(walArchiveDir === undefined ? [] : [examineWalArchive(walArchiveDir)]),
    ...(env['RATES_DIR'] ? [examineRates(env['RATES_DIR'])] : []),
    examineTemporary(env),
  ],
};

function examineAccessLog(file: string): Finding {
  // Through a link to nothing, the file is made where it leads.
  const end = brokenLink(file) ?? file;
  const folder = dirname(end);
  const why = existsSync(file) || isLink(end) ? whyNotWritable(file, 'file') : whyNotWritable(folder);
  if (why === undefined) return fine(`${file} is writable.`);
  return fault(
    `ACCESS_LOG cannot be written to ${file}: ${why}.`,
    'Calls are served and counted, and their lines are lost.',
    `Create ${folder} for the user that runs the gateway, or correct ACCESS_LOG.`,
  );
}

function examineWalArchive(folder: string): Finding {
  const why = whyNotMade(folder);
  if (why === undefined) return fine(`${folder} is writable.`);
  return fault(
    `The log of PostgreSQL cannot be archived in ${folder}: ${why}.`,
    'Nothing can be restored to a moment, and the log fills the disk.',
    'Create or mount the folder for the user that runs PostgreSQL, or correct WAL_ARCHIVE_DIR.',
  );
}

/** The file that a folder of rates must have. What is in it and in the others, only the products can check. */
const ratesFile = 'notifications.yaml';

function examineRates(folder: string): Finding {
  const file = join(folder, ratesFile);
  const why = whyNot(file, 'file', constants.R_OK);
  if (why === undefined) return fine(`${file} is readable; the products check the rates when they start.`);
  return fault(
    `RATES_DIR is ${folder}, and ${file} cannot be read: ${why}.`,
    'The products do not start.',
    'Correct RATES_DIR, or delete it to use the rates as shipped.',
  );
}

/** Where Node looks for the folder of temporary files, in this order; without any it is /tmp (os.tmpdir()). */
const temporarySettings = ['TMPDIR', 'TMP', 'TEMP'];

function examineTemporary(env: Readonly<Record<string, string>>): Finding {
  const setting = temporarySettings.find((name) => env[name]);
  const folder = (setting && env[setting]) ?? '/tmp';
  const why = whyNotWritable(folder);
  if (why === undefined) return fine(`${folder} is writable.`);
  return fault(
    `Temporary files cannot be written to ${folder}: ${why}.`,
    'PDFs, backups and changes of the catalogue fail.',
    setting === undefined
      ? `Make ${folder} writable; in a container mount a tmpfs there.`
      : `Correct ${setting} or delete it; in a container mount a tmpfs at /tmp.`,
  );
}
