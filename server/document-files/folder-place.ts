import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, putFile, syncNames, writeSynced } from '#shared/platform/synced-files.ts';
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
      // Whoever wrote it may have been killed before its name was on the disk.
      if (there?.equals(pdf)) return syncNames(folder, nameOf(hash));
      if (there !== undefined) throw new NameTaken(folder, hash);
      await putFile(folder, nameOf(hash), pdf);
    },
    reach: async () => void (await stat(folder)),
    probe: async () => {
      const path = join(folder, `.probe.${randomBytes(6).toString('hex')}.part`);
      await writeSynced(path, Buffer.from('octroi'), folder);
      await rm(path);
    },
  };
}
