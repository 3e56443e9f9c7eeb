import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { fileReason } from '#shared/platform/file-reason.ts';
import { CommandFailed, printResult } from './command-result.ts';

/**
 * Writes a file that only its owner can read. It is opened before the work, so that a wrong place is noticed at once, and a file that was
 * cut off never has the name. Another command may write the same one at the same time.
 */
export async function writeWholeFile<Result>(
  file: string,
  work: (write: (content: Readable) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  await removeLeftovers(file);
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.part`;
  const target = await openNew(file, unfinished);
  return withCleanUp(
    async () => {
      const result = await work((content) => pipeline(content, target.createWriteStream()));
      await rename(unfinished, file);
      return result;
    },
    async () => {
      await target.close();
      await rm(unfinished, { force: true });
    },
  );
}

/** Saves a file that a reply has in base64, and prints where it is. */
export async function saveFile(file: string, content: string, json: boolean | undefined): Promise<void> {
  const bytes = Buffer.from(content, 'base64');
  await writeWholeFile(file, (write) => write(Readable.from([bytes])));
  printResult(json, { file, bytes: bytes.length }, [`Written to ${file}`]);
}

const leftoverAgeMs = 24 * 3_600_000;

/** Removes what commands that were killed have left of this file: nobody knows the name, and it may hold personal data. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const isLeftover = (name: string) => /^\.[0-9a-f]{12}\.part$/.test(name.slice(basename(file).length));
  // A folder that is not there is reported by what writes into it.
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(basename(file)) && isLeftover(each))) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - leftoverAgeMs)
      await rm(join(folder, name), { force: true });
  }
}

async function openNew(file: string, unfinished: string): Promise<FileHandle> {
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw new CommandFailed(`${file} can't be written: it is a folder.`);
  return open(unfinished, 'wx', 0o600).catch((error: unknown) => {
    throw new CommandFailed(`${file} can't be written: ${fileReason(error)}.`);
  });
}
