import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileNameOf } from '#backup/backup-name.ts';
import { createBaseBackup } from '#backup/base-backup.ts';
import { readOwner } from '#backup/owner.ts';
import { noteSeries } from '#backup/series-outside.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { withExistingUrl } from '#server/operator-database.ts';
import { type BackupOptions, describe, openWork, planBackup, settingsInUse, summary } from './backup.ts';

/** `octroi backup base`: the files of the embedded database. */
export async function runBaseBackup(options: BackupOptions): Promise<void> {
  const plan = planBackup(options);
  const { settings, place, recipients } = plan;
  if (settings.databaseUrl !== undefined)
    throw new CommandFailed(
      'Use the tools of your own PostgreSQL: a base backup is of the embedded one.',
      exitCodes.usage,
    );
  const work = await openWork(plan);
  await withCleanUp(
    async () => {
      const source = { dataDir: settings.dataDir, settings: settingsInUse(), version: octroiVersion() };
      const begun = new Date();
      const { name, made, manifest } = await withExistingUrl(settings, async (databaseUrl) => {
        const { installation, origin, begun: series } = await readOwner(databaseUrl);
        await noteSeries(place, origin, series);
        const name = fileNameOf('base', begun, recipients.length > 0, installation);
        const made = join(work, name);
        return { name, made, manifest: await createBaseBackup({ ...source, databaseUrl }, made, recipients) };
      });
      const { size: bytes } = await stat(made);
      await place.put(name, made);
      const path = place.describe(name);
      printResult(options.json, { path, bytes, ...summary(manifest) }, [
        `${path}, ${(bytes / 1024 / 1024).toFixed(1)} MB${recipients.length === 0 ? ', not encrypted' : ''}`,
        ...describe(manifest),
      ]);
    },
    () => rmSync(work, { recursive: true, force: true }),
  );
}
