import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files in a folder that exists and that other machines may share; they are of the user to whom the folder belongs. */

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** What somebody who was killed meanwhile leaves beside a file. */
export const unfinishedEnd = '.part';

/** Writes a file whole or not at all, in place of one that has its name; `name` may be in folders of the folder. */
export async function putFile(folder: string, name: string, content: Buffer): Promise<void> {
  const path = join(folder, name);
  for (const parent of parentsOf(folder, name).toReversed()) if (parent !== folder) await makeFolder(parent);
  const unfinished = `${path}.${randomBytes(6).toString('hex')}${unfinishedEnd}`;
  try {
    await writeSynced(unfinished, content, folder);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncNames(folder, name);
}

/** From the folder of a file up to the folder itself. */
function parentsOf(folder: string, name: string): string[] {
  const parents: string[] = [];
  for (let at = dirname(name); at !== '.'; at = dirname(at)) parents.push(join(folder, at));
  return [...parents, folder];
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await giveToOwnerOf(dirname(path), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

export async function writeSynced(path: string, content: Buffer, folder: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveToOwnerOf(folder, path);
}

/** What a command of root writes must be readable for the portal, whose folder it is. */
async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  const file = await open(path);
  try {
    await file.chown(uid, gid);
  } finally {
    await file.close();
  }
}

/** The name of a file, and those of the folders that it is in: a name is on the disk once its folder is synced (fsync(2)). */
export async function syncNames(folder: string, name: string): Promise<void> {
  for (const parent of parentsOf(folder, name)) {
    const handle = await open(parent);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
