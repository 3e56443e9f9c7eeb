import { join } from 'node:path';
import { z } from 'zod';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type ConfigSource, readConfig } from '#shared/platform/read-config.ts';
import { secret, text, wholeNumber } from '#shared/platform/settings.ts';
import { documentPlaceFaults, documentPlaceSettings } from '#server/document-files/settings.ts';

const listed = (value: string): string[] => value.split(',').flatMap((part) => part.trim() || []);

/** The settings of a backup; those of the processes say where things are. */
export const backupSettings = z.object({
  dataDir: text('Folder for everything that must be kept: the database, journals, logs').default('./data'),
  databaseUrl: secret('Address of the PostgreSQL database; without it the embedded one in DATA_DIR').optional(),
  journalDir: text("Folder of the gateway's journal (default: journal in DATA_DIR)").optional(),
  catalogDir: text('Folder of the catalogue').default(projectFolder('catalog')),
  brandDir: text('Folder of the brand').optional(),
  backupDir: text(
    'Folder for backups, or the address of an S3-compatible store: https://host/bucket/folder',
  ).optional(),
  backupS3KeyId: text('Key id of that store').optional(),
  backupS3Secret: secret('Secret of that key').optional(),
  backupS3Region: text('Region of that store').default('us-east-1'),
  ...documentPlaceSettings,
  walArchiveDir: text('Folder in which the embedded PostgreSQL keeps its log').optional(),
  backupTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 02:30')
    .default('02:30')
    .describe('When a backup is made every night, by the clock of India'),
  backupKeep: wholeNumber(14, 0, 10_000, 'How many of the newest nightly backups to keep; 0 keeps all'),
  backupRecipient: z
    .string()
    .default('')
    .transform(listed)
    .pipe(z.array(z.string().regex(/^age1[a-z0-9]+$/, 'must be public keys of age, which begin with age1')))
    .describe('Public keys of age for which backups are encrypted, separated by commas; octroi backup key makes one')
    // Its other half is as easily copied.
    .meta({ besideSecret: true }),
  backupJournals: z
    .string()
    .default('')
    .transform(listed)
    .describe('Journal folders of several gateways on this machine, separated by commas (default: JOURNAL_DIR)'),
});

export type BackupSettings = Omit<z.output<typeof backupSettings>, 'journalDir'> & { journalDir: string };

/** Throws ConfigFaults, which lists all invalid settings. */
export function readBackupSettings(source: ConfigSource): BackupSettings {
  const config = readConfig(backupSettings, source, documentPlaceFaults);
  const journalDir = config.journalDir ?? join(config.dataDir, 'journal');
  return {
    ...config,
    journalDir,
    backupJournals: config.backupJournals.length > 0 ? config.backupJournals : [journalDir],
  };
}
