import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withCleanUp } from '#platform/clean-up.ts';
import { fileReason } from '#platform/file-reason.ts';
import { CommandFailed } from './command-result.ts';

/**
 * Writes a file that only its owner can read. It is opened before the work, so that a wrong place is noticed at once, and a file that was
 * cut off never has the name. Another command may write the same one at the same time.
 */
export async function writeWholeFile<Result>(
  file: string,
  work: (write: (content: Readable) => Promise<void>) => Promise<Result>,
): Promise<Result> {
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
