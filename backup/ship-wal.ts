import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeArchiveFolder } from '#shared/database/wal-archive.ts';
import type { ServerUser } from '#shared/database/embedded-user.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { decryptFile, encryptFile } from './archive.ts';
import { BackupFault } from './manifest.ts';
import type { BackupPlace } from './stored-backup.ts';

/** Finished files of an archived log, as PostgreSQL names them: segments, notes of base backups, histories of timelines. */
const archived = /^([0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)\.gz$/;
const encrypted = '.age';

/** The place of the archived log, below that of the backups. */
export const walPlaceOf = (place: string): string => `${place.replace(/\/+$/, '')}/wal`;

/** Copies what is new in an archive to another place, again and again. */
export interface WalShipper {
  /** Returns how many files were new. Throws at the first that could not be sent; the next call goes on there. */
  ship: () => Promise<number>;
}

/**
 * Segments go in their order, so that what is in the place has no gap. `work`: a folder for the encrypted copy. `recipients`: public keys of
 * age; none: they are sent as they are.
 */
export function createWalShipper(
  archive: string,
  place: BackupPlace,
  recipients: readonly string[],
  work: string,
): WalShipper {
  // The place is listed once: with a segment each minute it has thousands.
  let sent: Set<string> | undefined;
  return {
    ship: async () => {
      sent ??= new Set((await place.list()).map(({ name }) => name));
      const ending = recipients.length > 0 ? encrypted : '';
      const waiting = (await readdir(archive)).filter((name) => archived.test(name)).toSorted();
      let count = 0;
      for (const name of waiting.filter((each) => sent?.has(each + ending) !== true)) {
        const folder = mkdtempSync(join(work, '.wal-'));
        await withCleanUp(
          async () => {
            const copy = join(folder, name + ending);
            if (recipients.length > 0) await encryptFile(join(archive, name), copy, recipients);
            else await copyFile(join(archive, name), copy);
            await place.put(name + ending, copy);
          },
          () => rmSync(folder, { recursive: true, force: true }),
        );
        sent.add(name + ending);
        count += 1;
      }
      return count;
    },
  };
}

/** Fetches an archived log into a new folder that PostgreSQL's user can read. Files from before `since` are not needed. */
export async function fetchWal(
  place: BackupPlace,
  identities: readonly string[],
  folder: string,
  user: ServerUser,
  since: Date,
): Promise<void> {
  makeArchiveFolder(folder, user);
  const stored = (await place.list()).filter(({ name }) => archived.test(name.replace(/\.age$/, '')));
  const needed = stored.filter(({ name, at }) => at >= since || /\.history\./.test(name));
  if (needed.length === 0) throw new BackupFault(`There is no archive in ${place.describe('')}.`);
  for (const { name } of needed) {
    const plain = join(folder, name.replace(/\.age$/, ''));
    if (name.endsWith(encrypted)) {
      const sealed = `${plain}${encrypted}`;
      await place.get(name, sealed);
      await decryptFile(sealed, plain, identities);
      rmSync(sealed);
    } else await place.get(name, plain);
    if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(plain, user.ids.uid, user.ids.gid);
  }
}
