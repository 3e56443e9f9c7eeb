import { Command, Option } from 'commander';
import { runBackup } from './backup.ts';
import { runBaseBackup } from './base.ts';
import { createKey } from './key.ts';
import { runDrill, runRestore } from './restore.ts';
import { runSchedule } from './schedule.ts';

const asJson = ['--json', 'print the result as JSON'] as const;
const wal = [
  '--wal <place>',
  'for a base backup: the folder of the archived log (WAL_ARCHIVE_DIR), or its address in an S3-compatible store',
] as const;
const at = [
  '--at <time>',
  'up to which moment, such as 2026-11-23T10:15:00+05:30; default: the end of the log',
] as const;
const timeline = [
  '--timeline <number>',
  'along which timeline of PostgreSQL; default: the one that was archived last',
] as const;
const identity = ['--identity <file>', 'file with the secret key of age'] as const;

/** `octroi backup …`: write a backup, prove it. */
export function backupCommand(): Command {
  const backup = new Command('backup')
    .description('Back up everything durable into one file: database, journals, catalogue. The product may be running.')
    .option('--to <place>', 'folder for the backups, or an S3-compatible address with a bucket; default: BACKUP_DIR')
    .option('--keep <count>', 'afterwards keep only this many of the newest backups there')
    .addOption(new Option('--nightly', 'as every night: afterwards keep BACKUP_KEEP of them').conflicts('keep'))
    .option('--unencrypted', 'do not encrypt, although BACKUP_RECIPIENT is not set')
    .option(...asJson)
    .addHelpText(
      'after',
      `
Encrypts for the public keys in BACKUP_RECIPIENT (separated by commas). Keep the secret key elsewhere: without it no backup can be read.

Examples:
  octroi backup key > octroi-backup-key.txt
  BACKUP_RECIPIENT=age1… octroi backup --to /mnt/backups --keep 14
  octroi backup --to https://s3.ap-south-1.amazonaws.com/my-bucket/octroi
  octroi backup drill /mnt/backups/octroi-2026-11-23T020000IST-3f9a1c7e.tar.gz.age --identity octroi-backup-key.txt`,
    )
    .action(runBackup);
  backup
    .command('key')
    .description('Print a new key pair: the public key for BACKUP_RECIPIENT, the secret one to keep elsewhere.')
    .action(createKey);
  backup
    .command('schedule')
    .description(
      'Run until stopped, and make a backup every night at BACKUP_TIME; BACKUP_KEEP of them are kept. If BACKUP_DIR is a store, the log in WAL_ARCHIVE_DIR is sent there twice a minute.',
    )
    .option('--unencrypted', 'do not encrypt, although BACKUP_RECIPIENT is not set')
    .action(runSchedule);
  backup
    .command('base')
    .description(
      'Copy the files of the embedded database: with the log in WAL_ARCHIVE_DIR they can be restored to any later moment.',
    )
    .option('--to <place>', 'folder for the backups, or an S3-compatible address with a bucket; default: BACKUP_DIR')
    .option('--unencrypted', 'do not encrypt, although BACKUP_RECIPIENT is not set')
    .option(...asJson)
    .addHelpText('after', '\nExample:\n  octroi backup base --to /mnt/backups')
    .action(runBaseBackup);
  backup
    .command('drill <file>')
    .description('Prove a backup: restore it into a temporary database, verify the ledger, remove it again.')
    .option(...identity)
    .option(...wal)
    .option(...at)
    .option(...timeline)
    .option(...asJson)
    .action(runDrill);
  return backup;
}

/** `octroi restore`: a backup into a new installation. */
export function restoreCommand(): Command {
  return new Command('restore')
    .argument('[file]', 'the backup, or its address in an S3-compatible store')
    .description('Restore a backup into an empty database and data folder, and verify the ledger.')
    .option(...identity)
    .option(...wal)
    .option(...at)
    .option(...timeline)
    .option('--finish', 'what follows a restore, for one that was interrupted or a database that other tools put back')
    .option(
      '--series-after <letters>',
      'begin after these series, such as B of OCT/26-27/B00017: the furthest on papers',
    )
    .option('--nothing-lost', 'with --finish: after a fail-over to a replica that had everything; ends nothing')
    .option(
      '--yes',
      'with --finish: although nothing says that the database lacks anything; with --nothing-lost, although a process says so',
    )
    .option(...asJson)
    .addHelpText(
      'after',
      `
Restores into DATABASE_URL, or into a new embedded database in DATA_DIR. Nothing is overwritten. Exits with 3 if the ledger does not hold.

Examples:
  DATA_DIR=/srv/octroi octroi restore octroi-2026-11-23T020000IST-3f9a1c7e.tar.gz.age --identity octroi-backup-key.txt
  DATA_DIR=/srv/octroi octroi restore base-2026-11-22T020000IST-3f9a1c7e.tar.gz.age --identity octroi-backup-key.txt --wal /mnt/wal --at 2026-11-23T10:15:00+05:30`,
    )
    .action(runRestore);
}
