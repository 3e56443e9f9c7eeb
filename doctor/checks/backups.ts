import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupName } from '#backup/backup-name.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { reasonOf } from '#doctor/reason.ts';

const hourMs = 3_600_000;
/** A nightly backup, and some hours for it. */
const maxAgeMs = 30 * hourMs;

export const backups: Check = {
  name: 'backups',
  about: 'is there a backup of last night, and is it encrypted?',
  examine: ({ backup: { backupDir: folder, backupRecipient }, isProduction, now }) => {
    const remedy =
      'Make one every night: docs/operating/backups.md; with systemd: systemctl enable --now octroi-backup.timer';
    if (folder === undefined) {
      if (!isProduction) return [unchecked('BACKUP_DIR is not set; a trial needs none.')];
      return [fault('BACKUP_DIR is not set.', 'When the disk is lost, all payments and documents are.', remedy)];
    }
    const names = listBackups(folder);
    if (typeof names === 'string')
      return [
        fault(
          `${folder} cannot be read: ${names}.`,
          'Backups are not made, or not found.',
          'Create the folder, or correct BACKUP_DIR.',
        ),
      ];
    const newest = names.toSorted().at(-1);
    if (newest === undefined)
      return [
        fault(`There is no backup in ${folder}.`, 'When the disk is lost, all payments and documents are.', remedy),
      ];
    const { mtimeMs, size } = statSync(join(folder, newest));
    const hours = Math.floor((now() - mtimeMs) / hourMs);
    const findings: Finding[] = [];
    if (now() - mtimeMs > maxAgeMs)
      findings.push(
        fault(
          `The newest backup, ${newest}, is ${hours} hours old.`,
          'Everything since then would be lost with the disk.',
          'Look at the log of the nightly backup (journalctl -u octroi-backup), and make one now: octroi backup',
        ),
      );
    if (size === 0)
      findings.push(
        fault(
          `The newest backup, ${newest}, is empty.`,
          'It restores nothing.',
          'Make room on the disk, and make one now.',
        ),
      );
    if (!newest.endsWith('.age') && isProduction)
      findings.push(
        warning(
          `${newest} is not encrypted.`,
          'Who finds the file reads every customer’s details.',
          'Set BACKUP_RECIPIENT: octroi backup key makes a key pair.',
        ),
      );
    if (findings.length === 0) findings.push(fine(`The newest of ${names.length} backups is ${hours} hours old.`));
    if (isProduction && (backupRecipient?.length ?? 0) === 0 && newest.endsWith('.age'))
      findings.push(warning('BACKUP_RECIPIENT is not set any more.', 'The next backup fails.', 'Set it again.'));
    return findings;
  },
};

function listBackups(folder: string): string[] | string {
  if (!existsSync(folder)) return 'there is no such folder';
  try {
    return readdirSync(folder).filter((name) => backupName.test(name));
  } catch (error) {
    return reasonOf(error);
  }
}
