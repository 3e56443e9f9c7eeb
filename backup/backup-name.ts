/** The name of a backup's file: `octroi-2026-11-23T020000Z.tar.gz.age`. Names sort by time. */
export const backupName = /^octroi-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz(\.age)?$/;

/** When a backup was begun, by its name (epoch milliseconds). */
export function begunAt(name: string): number {
  const [, day, hours, minutes, seconds] = /^octroi-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z/.exec(name) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}
