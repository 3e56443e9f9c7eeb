import { istTime } from '#shared/domain/day.ts';

/** Of the whole installation, or of the files of the embedded database. */
export type BackupKind = 'octroi' | 'base';

const pattern = /^(octroi|base)-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})IST-([0-9a-f]{8})\.tar\.gz(?:\.age)?$/;

/** The name of the file of a backup that begins now: with its time in India and its installation, since several may share a place. */
export function fileNameOf(kind: BackupKind, at: Date, isEncrypted: boolean, installation: string): string {
  const stamp = istTime(at).replace(' IST', 'IST').replace(' ', 'T').replaceAll(':', '');
  return `${kind}-${stamp}-${installation}.tar.gz${isEncrypted ? '.age' : ''}`;
}

/** What the name of a backup says; `begunAt` in epoch milliseconds. */
export function readName(name: string): { kind: BackupKind; begunAt: number; installation: string } | undefined {
  const [, kind, day, hours, minutes, seconds, installation = ''] = pattern.exec(name) ?? [];
  if (kind !== 'octroi' && kind !== 'base') return undefined;
  return { kind, begunAt: Date.parse(`${day}T${hours}:${minutes}:${seconds}+05:30`), installation };
}
