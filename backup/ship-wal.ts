import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readdir, stat, utimes } from 'node:fs/promises';
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

/** The place of a cluster's log, below that of the backups. */
export const walPlaceOf = (place: string, cluster: string): string => `${place.replace(/\/+$/, '')}/wal/${cluster}`;

/** Copies what is new in an archive to another place, again and again. */
export interface WalShipper {
  /** Returns how many files were new. Throws at the first that could not be sent; the next call goes on there. */
  ship: () => Promise<number>;
}

/**
 * Segments go in their order, so that what is in the place has no gap. Archive and place are of one cluster: only there does a name say what
 * is in a segment. `work`: a folder for the encrypted copy. `recipients`: public keys of age; none: they are sent as they are.
 */
export function createWalShipper(
  archive: string,
  place: BackupPlace,
  recipients: readonly string[],
  work: string,
): WalShipper {
  // The place is listed once: with a segment each minute it has thousands.
  let stored: Map<string, number> | undefined;
  const sent = new Set<string>();
  return {
    ship: async () => {
      stored ??= new Map((await place.list()).map(({ name, bytes }) => [name, bytes]));
      const ending = recipients.length > 0 ? encrypted : '';
      // PostgreSQL makes the folder with its first segment.
      const there = existsSync(archive) ? await readdir(archive) : [];
      const waiting = there.filter((name) => archived.test(name)).toSorted();
      let count = 0;
      for (const name of waiting.filter((each) => !sent.has(each))) {
        const bytes = stored.get(name + ending);
        if (bytes === undefined) {
          await send(name, archive, place, recipients, work);
          count += 1;
        } else if (!couldBe(bytes, (await stat(join(archive, name))).size, ending === encrypted))
          throw otherFile(place, name + ending);
        sent.add(name);
      }
      return count;
    },
  };
}

const otherFile = (place: BackupPlace, name: string): BackupFault =>
  new BackupFault(`${place.describe(name)} is another file: a second copy of this cluster writes there.`);

/** What age writes before the contents: the keys of a few recipients. */
const maxHeaderBytes = 4096;
const ageNonceBytes = 16;
const ageChunkBytes = 64 * 1024;
const ageTagBytes = 16;

/** Whether a stored file of this size can be one of the archive; an encrypted one is larger, also by what depends on its recipients. */
function couldBe(storedBytes: number, bytes: number, isEncrypted: boolean): boolean {
  if (!isEncrypted) return storedBytes === bytes;
  const chunks = Math.max(1, Math.ceil(bytes / ageChunkBytes));
  const headerBytes = storedBytes - (ageNonceBytes + bytes + chunks * ageTagBytes);
  return headerBytes > 0 && headerBytes <= maxHeaderBytes;
}

/** Sends one file of an archive. Another one of its name is never replaced, and is a fault; the same may have arrived unseen. */
async function send(
  name: string,
  archive: string,
  place: BackupPlace,
  recipients: readonly string[],
  work: string,
): Promise<void> {
  const folder = mkdtempSync(join(work, '.wal-'));
  await withCleanUp(
    async () => {
      const isSealed = recipients.length > 0;
      const target = isSealed ? name + encrypted : name;
      const copy = join(folder, target);
      if (isSealed) await encryptFile(join(archive, name), copy, recipients);
      else await copyFile(join(archive, name), copy);
      const has = await place.sizeOf(target);
      if (has === undefined) await place.put(target, copy);
      else if (has !== (await stat(copy)).size) throw otherFile(place, target);
    },
    () => rmSync(folder, { recursive: true, force: true }),
  );
}

/** Sends what a place lacks of the histories of timelines. */
export async function sendHistories(
  archive: string,
  place: BackupPlace,
  recipients: readonly string[],
  work: string,
): Promise<void> {
  for (const name of (await readdir(archive)).filter((each) => each.endsWith('.history.gz'))) {
    const sizes = await Promise.all([name, name + encrypted].map(place.sizeOf));
    if (sizes.every((size) => size === undefined)) await send(name, archive, place, recipients, work);
  }
}

/**
 * Fetches an archived log into a new folder that PostgreSQL's user can read; its files have the times at which they came into the place. Files
 * from before `since` are not needed.
 */
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
  for (const { name, at } of needed) {
    const plain = join(folder, name.replace(/\.age$/, ''));
    if (name.endsWith(encrypted)) {
      const sealed = `${plain}${encrypted}`;
      await place.get(name, sealed);
      await decryptFile(sealed, plain, identities);
      rmSync(sealed);
    } else await place.get(name, plain);
    await utimes(plain, at, at);
    if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(plain, user.ids.uid, user.ids.gid);
  }
}
