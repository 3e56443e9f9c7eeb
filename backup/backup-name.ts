import { istTime } from '#shared/domain/day.ts';

/**
 * The name of a backup's file, with its time in India: `octroi-2026-11-23T073000IST.tar.gz.age`. Earlier versions named them by UTC (`…Z`).
 */
export const backupName = /^octroi-\d{4}-\d{2}-\d{2}T\d{6}(Z|IST)\.tar\.gz(\.age)?$/;

/** The name of the file of a backup that begins now. */
export function fileNameOf(kind: 'octroi' | 'base', at: Date, isEncrypted: boolean): string {
  const stamp = istTime(at).replace(' IST', 'IST').replace(' ', 'T').replaceAll(':', '');
  return `${kind}-${stamp}.tar.gz${isEncrypted ? '.age' : ''}`;
}

/** When a backup was begun, by its name (epoch milliseconds). */
export function begunAt(name: string): number {
  const [, day, hours, minutes, seconds, zone] =
    /^octroi-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})(Z|IST)/.exec(name) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}${zone === 'IST' ? '+05:30' : 'Z'}`);
}
