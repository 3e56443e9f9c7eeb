import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Encrypter } from 'age-encryption';
import { datedUntil, listBackups, openBackupPlace } from '#backup/backup-place.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { isAddress } from '#shared/platform/s3-bucket.ts';
import { readOwner } from '#backup/owner.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { reasonOf } from '#shared/platform/reason.ts';

const hourMs = 3_600_000;
/** A nightly backup, and some hours for it. */
const maxAgeMs = 30 * hourMs;

export const backups: Check = {
  name: 'backups',
  about: 'is there a backup of last night, and is it encrypted?',
  examine: async (installation) => {
    const { backup, isProduction, now } = installation;
    const { backupDir, backupRecipient } = backup;
    const remedy =
      'Make one every night: docs/operating/backups.md; with systemd: systemctl enable --now octroi-backup.timer';
    const means = 'When the disk is lost, all payments and documents are.';
    if (backupDir === undefined) {
      if (!isProduction) return [unchecked('BACKUP_DIR is not set; a trial needs none.')];
      return [fault('BACKUP_DIR is not set.', means, remedy)];
    }
    const wrongKeys = examineRecipients(backupRecipient ?? []);
    const names = await read(backupDir, installation);
    if (typeof names === 'string')
      return [
        ...wrongKeys,
        fault(
          `${backupDir} cannot be read: ${names}.`,
          'Backups are not made, or not found.',
          'Create the folder, or correct BACKUP_DIR and the key of the store (BACKUP_S3_…).',
        ),
      ];
    const findings = [...wrongKeys, ...(await tryWriting(backupDir, backup)), ...besideData(backupDir, installation)];
    if (names === undefined)
      return [...findings, unchecked('The database, which says whose backups these are, cannot be read.')];
    if (names.others.length > 0)
      findings.push(
        warning(
          `${names.others.length} backups in ${backupDir} are of another installation, such as ${names.others.at(-1)?.name ?? ''}.`,
          'They don’t count here, and BACKUP_KEEP never deletes them.',
          'Give each installation a folder of its own (BACKUP_DIR). After a restore, delete those of the old one when you need them no more.',
        ),
      );
    const dated = datedUntil(names.own, now());
    const later = names.own.filter((each) => !dated.includes(each));
    if (later.length > 0)
      findings.push(
        warning(
          `${later.map(({ name }) => name).join(', ')}: dated later than now.`,
          'The clock was ahead when it was made. It does not count as a backup of last night, and BACKUP_KEEP never deletes it.',
          'Delete it once there is a newer backup.',
        ),
      );
    const newest = dated.at(-1);
    if (newest === undefined)
      return [...findings, fault(`There is no backup of this installation in ${backupDir}.`, means, remedy)];
    const { name, bytes } = newest;
    const ageMs = now() - newest.at.getTime();
    const hours = Math.floor(ageMs / hourMs);
    if (ageMs > maxAgeMs)
      findings.push(
        fault(
          `The newest backup, ${name}, is ${hours} hours old.`,
          'Everything since then would be lost with the disk.',
          'Look at the log of the nightly backup (journalctl -u octroi-backup), and make one now: octroi backup',
        ),
      );
    if (bytes === 0)
      findings.push(
        fault(
          `The newest backup, ${name}, is empty.`,
          'It restores nothing.',
          'Make room on the disk, and make one now.',
        ),
      );
    if (!name.endsWith('.age') && isProduction)
      findings.push(
        warning(
          `${name} is not encrypted.`,
          'Who finds the file reads every customer’s details.',
          'Set BACKUP_RECIPIENT: octroi backup key makes a key pair.',
        ),
      );
    if (findings.length === 0) findings.push(fine(`The newest of ${names.own.length} backups is ${hours} hours old.`));
    if (isProduction && (backupRecipient?.length ?? 0) === 0 && name.endsWith('.age'))
      findings.push(warning('BACKUP_RECIPIENT is not set any more.', 'The next backup fails.', 'Set it again.'));
    return findings;
  },
};

/** Folders whose loss a backup is for, as far as they are on this machine. */
function besideData(place: string, { dataDir, journalDir, portal, isProduction }: Installation): Finding[] {
  if (isAddress(place) || !isProduction) return [];
  const disk = statSync(place).dev;
  const documents = portal.documentsPlace ?? '';
  const data = [clusterFolder(dataDir), dataDir, journalDir, documents].find(
    (folder) => isAbsolute(folder) && existsSync(folder) && statSync(folder).dev === disk,
  );
  if (data === undefined) return [];
  return [
    warning(
      `BACKUP_DIR, ${place}, is on the same disk as ${data}.`,
      'A disk that fails takes the backups with what they are for.',
      'Set BACKUP_DIR to another disk, or to an S3-compatible store (https://host/bucket/folder).',
    ),
  ];
}

function examineRecipients(recipients: readonly string[]): Finding[] {
  return recipients.flatMap((recipient, index) => {
    const why = whyNoKey(recipient);
    if (why === undefined) return [];
    const which = recipients.length === 1 ? '' : `, key ${index + 1} of ${recipients.length}`;
    const shown = recipient.length > 30 ? `${recipient.slice(0, 12)}…${recipient.slice(-6)}` : recipient;
    return fault(
      `BACKUP_RECIPIENT${which}: ${shown} is no public key of age: ${why}.`,
      'The next backup fails.',
      'Copy it again, whole, from where octroi backup key printed it.',
    );
  });
}

/** Characters of a key that `octroi backup key` makes; the other kinds, with these prefixes, are longer or shorter. */
const keyLength = 62;
const otherKinds = /^age1(?:pq|tag|tagpq)1/;
/** Keys have no 1, b, i or o behind their prefix, since these are easily taken for others. */
const impossible = /[1bio]/;

/** A public key has a checksum, so that a letter lost or changed on the way is noticed. */
function whyNoKey(recipient: string): string | undefined {
  try {
    new Encrypter().addRecipient(recipient);
    return undefined;
  } catch (error) {
    // Its checksum is right.
    if (reasonOf(error) === 'invalid recipient') return 'it is of a kind that Octroi can’t encrypt for';
    const isOther = otherKinds.test(recipient);
    if (!isOther && recipient.length !== keyLength)
      return `it has ${recipient.length} characters instead of ${keyLength}`;
    const wrong = impossible.exec(recipient.replace(isOther ? otherKinds : /^age1/, ''))?.[0];
    return wrong === undefined
      ? 'a character in it is wrong or missing'
      : `it has the character ${wrong}, as no key has`;
  }
}

/** A key that may only list and read is noticed here, and not when the next backup is finished. */
async function tryWriting(place: string, settings: Installation['backup']): Promise<Finding[]> {
  try {
    await openBackupPlace(place, settings).probe();
    return [];
  } catch (error) {
    return [
      fault(
        `Nothing can be written to ${place}: ${reasonOf(error)}.`,
        'The next backup fails.',
        'Make the folder writable for the user that makes backups, or give the key of the store (BACKUP_S3_…) the right to write.',
      ),
    ];
  }
}

/** A sentence says why the place can't be read; undefined: whose the backups are, only the database can say. */
async function read(
  place: string,
  { backup, db, databaseUrl }: Installation,
): Promise<Awaited<ReturnType<typeof listBackups>> | string | undefined> {
  try {
    if (!isAddress(place) && !existsSync(place)) return 'there is no such folder';
    const opened = openBackupPlace(place, backup);
    if (db === undefined || databaseUrl === undefined) return void (await opened.list());
    return await listBackups(opened, (await readOwner(databaseUrl)).installation);
  } catch (error) {
    return reasonOf(error);
  }
}
