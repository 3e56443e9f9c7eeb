import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DocumentPlace, nameOf, NameTaken } from './document-place.ts';

/** A folder, which must exist: one that is not mounted is not replaced by an empty one. Other machines may share it. */
export function folderPlace(folder: string): DocumentPlace {
  const get = async (hash: string): Promise<Buffer | undefined> => {
    try {
      return await readFile(join(folder, nameOf(hash)));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Throws if the whole folder is missing.
      await stat(folder);
      return undefined;
    }
  };
  return {
    address: folder,
    get,
    put: async (hash, pdf) => {
      const there = await get(hash);
      const path = join(folder, nameOf(hash));
      // Whoever wrote it may have been killed before its name was on the disk.
      if (there?.equals(pdf)) return syncNames(folder, path);
      if (there !== undefined) throw new NameTaken(folder, hash);
      await makeFolder(dirname(path));
      const unfinished = join(dirname(path), `.${hash}.${randomBytes(6).toString('hex')}.part`);
      try {
        await writeSynced(unfinished, pdf, folder);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncNames(folder, path);
    },
    reach: async () => void (await stat(folder)),
    probe: async () => {
      const path = join(folder, `.probe.${randomBytes(6).toString('hex')}.part`);
      await writeSynced(path, Buffer.from('octroi'), folder);
      await rm(path);
    },
  };
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await giveToOwnerOf(dirname(path), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

async function writeSynced(path: string, content: Buffer, folder: string): Promise<void> {
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

/** The name of a file in one of the folders of the place, and that of the folder. */
async function syncNames(folder: string, path: string): Promise<void> {
  await sync(dirname(path));
  await sync(folder);
}

/** A name is on the disk once its folder is synced (fsync(2)). */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
