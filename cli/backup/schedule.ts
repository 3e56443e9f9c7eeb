import { existsSync } from 'node:fs';
import { datedUntil, listBackups, openBackupPlace } from '#backup/backup-place.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { nextBackupAt } from '#backup/schedule.ts';
import { createWalShipper, type WalShipper, walPlaceOf } from '#backup/ship-wal.ts';
import { cleanUpAll } from '#shared/platform/clean-up.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { type BackupOptions, type BackupPlan, makeBackup, nightlyKeep, planBackup } from './backup.ts';

const lookEveryMs = 30_000;
const retryMs = 15 * 60_000;

/** `octroi backup schedule`: runs until it is stopped. */
export async function runSchedule(options: BackupOptions): Promise<void> {
  const plan = planBackup(options);
  const log = createLog('backup');
  const life = createProcessLife(log, 60_000);
  const stopped = new AbortController();
  life.onStop('unfinished backup', cleanUpAll);
  life.onStop('schedule', () => stopped.abort());
  log.info({ time: plan.settings.backupTime, to: plan.place.describe('') }, 'ready');
  await keepBackingUp({ ...plan, keep: nightlyKeep(plan.settings) }, log, stopped.signal);
}

/** Makes a backup whenever one is due. A failed one is tried again after a quarter of an hour. */
export async function keepBackingUp(plan: BackupPlan, log: Log, stopped: AbortSignal, now = Date.now): Promise<void> {
  let notBefore = 0;
  const shipper = await openShipper(plan);
  while (!stopped.aborted) {
    try {
      const at = now();
      const newest = datedUntil(await listBackups(plan.place), at)
        .at(-1)
        ?.at.getTime();
      if (at >= Math.max(notBefore, nextBackupAt(at, plan.settings.backupTime, newest))) {
        const { path, bytes, deleted, manifest } = await makeBackup(plan);
        log.info({ path, bytes, deleted }, 'made a backup');
        const unreadable = manifest.documents?.unreadable ?? [];
        if (unreadable.length > 0)
          log.error(
            { unreadable },
            'PDFs could not be read and are not in the backup, so no older one is deleted: octroi verify-ledger',
          );
      }
    } catch (error) {
      notBefore = now() + retryMs;
      log.error({ err: error }, 'could not make a backup; it is tried again in 15 minutes');
    }
    try {
      const count = (await shipper?.ship()) ?? 0;
      if (count > 0) log.debug({ count }, 'sent the archived log');
    } catch (error) {
      log.error({ err: error }, 'could not send the archived log; it is tried again in half a minute');
    }
    await pause(stopped);
  }
}

/** A folder of backups needs none: the archive can lie beside it. */
async function openShipper({ settings, folder, recipients }: BackupPlan): Promise<WalShipper | undefined> {
  const { backupDir: to, walArchiveDir: archive } = settings;
  if (to === undefined || !isAddress(to) || archive === undefined || !existsSync(archive)) return undefined;
  makeWritableFolder(folder, 0o700);
  return createWalShipper(archive, openBackupPlace(walPlaceOf(to), settings), recipients, folder);
}

function pause(stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, lookEveryMs);
    stopped.addEventListener('abort', done, { once: true });
    if (stopped.aborted) done();
  });
}
