import { join } from 'node:path';
import { datedUntil, listBackups, openBackupPlace } from '#backup/backup-place.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { type Owner, readOwner } from '#backup/owner.ts';
import { nextBackupAt } from '#backup/schedule.ts';
import { createWalShipper, type WalShipper, walPlaceOf } from '#backup/ship-wal.ts';
import { cleanUpAll } from '#shared/platform/clean-up.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { withExistingUrl } from '#server/operator-database.ts';
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
export async function keepBackingUp(
  plan: BackupPlan,
  log: Log,
  stopped: AbortSignal,
  { now = Date.now, everyMs = lookEveryMs } = {},
): Promise<void> {
  let notBefore = 0;
  let owner: Owner | undefined;
  let shipper: WalShipper | undefined;
  while (!stopped.aborted) {
    try {
      const at = now();
      let isDue = at >= notBefore && (owner === undefined || (await isBackupDue(plan, owner, at)));
      if (isDue) {
        // The database may have been restored since the last one, and is another installation then.
        const found = await withExistingUrl(plan.settings, readOwner);
        if (found.installation !== owner?.installation) shipper = openShipper(plan, found);
        owner = found;
        isDue = await isBackupDue(plan, owner, at);
      }
      if (isDue) {
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
    await pause(stopped, everyMs);
  }
}

async function isBackupDue({ place, settings }: BackupPlan, { installation }: Owner, at: number): Promise<boolean> {
  const { own } = await listBackups(place, installation);
  const newest = datedUntil(own, at).at(-1)?.at.getTime();
  return at >= nextBackupAt(at, settings.backupTime, newest);
}

/** A folder of backups needs none: the archive can lie beside it. */
function openShipper({ settings, folder, recipients }: BackupPlan, { cluster }: Owner): WalShipper | undefined {
  const { backupDir: to, walArchiveDir: archive } = settings;
  if (to === undefined || !isAddress(to) || archive === undefined) return undefined;
  makeWritableFolder(folder, 0o700);
  return createWalShipper(
    join(archive, cluster),
    openBackupPlace(walPlaceOf(to, cluster), settings),
    recipients,
    folder,
  );
}

function pause(stopped: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stopped.addEventListener('abort', done, { once: true });
    if (stopped.aborted) done();
  });
}
