import { existsSync, statSync } from 'node:fs';
import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { isAddress, s3AccountOf } from '#shared/platform/s3-bucket.ts';
import { type BackupKind, readName } from './backup-name.ts';
import { BackupFault } from './manifest.ts';
import { createS3Place } from './s3.ts';
import type { BackupPlace, StoredBackup } from './stored-backup.ts';

/** The account at a store; missing for a folder. */
export interface StoreSettings {
  backupS3KeyId?: string | undefined;
  backupS3Secret?: string | undefined;
  backupS3Region?: string | undefined;
}

/** `place`: a folder, or an address with a bucket. */
export function openBackupPlace(place: string, settings: StoreSettings): BackupPlace {
  if (!isAddress(place)) return folderPlace(resolve(place));
  const { backupS3KeyId: keyId, backupS3Secret: secret, backupS3Region: region } = settings;
  return createS3Place(s3AccountOf(place, { keyId, secret, region }, 'BACKUP'));
}

function folderPlace(folder: string): BackupPlace {
  const check = (): void => makeWritableFolder(folder, 0o700);
  return {
    check: async () => check(),
    probe: async () => check(),
    describe: (name) => join(folder, name),
    sizeOf: async (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size,
    list: async () => {
      const names = await readdir(folder).catch(() => [] as string[]);
      return names.flatMap((name) => {
        // A file that another process has removed or renamed meanwhile is not there.
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return found === undefined ? [] : { name, bytes: found.size, at: found.mtime };
      });
    },
    put: async (name, path) => {
      check();
      if (existsSync(join(folder, name))) throw new BackupFault(`${join(folder, name)} exists already.`);
      // It gets its name when it is complete, also on another file system.
      const unfinished = join(folder, `${name}.part`);
      await rename(path, unfinished).catch(() => copyFile(path, unfinished));
      await rename(unfinished, join(folder, name));
    },
    get: (name, path) => copyFile(join(folder, name), path),
    remove: (name) => rm(join(folder, name)),
  };
}

/** A finished backup, with what its name says. */
export type NamedBackup = StoredBackup & NonNullable<ReturnType<typeof readName>>;

/** The finished backups in a place, oldest first: this installation's, and those of others that share the place. */
export async function listBackups(
  place: BackupPlace,
  installation: string,
  kind: BackupKind = 'octroi',
): Promise<{ own: NamedBackup[]; others: NamedBackup[] }> {
  const all = (await place.list())
    .flatMap((stored) => {
      const said = readName(stored.name);
      return said?.kind === kind ? { ...stored, ...said } : [];
    })
    .toSorted((a, b) => a.begunAt - b.begunAt);
  const isOwn = (each: NamedBackup): boolean => each.installation === installation;
  return { own: all.filter(isOwn), others: all.filter((each) => !isOwn(each)) };
}

/**
 * Those that are dated until now. A backup that was made while the clock was ahead has a later name: as the newest one it would keep others
 * from being made until then, and have the next one deleted as the oldest.
 */
export function datedUntil(backups: readonly NamedBackup[], now: number): NamedBackup[] {
  return backups.filter(({ begunAt }) => begunAt <= now);
}
