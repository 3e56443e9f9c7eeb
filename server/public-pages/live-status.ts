import type { StatusNow } from '#shared/contract/public-pages.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { Portal } from '#server/portal.ts';

/** Reads how the APIs stand. */
export type ReadStatus = (portal: Portal) => Promise<StatusNow>;

/** For how long one reading serves everybody. */
export const statusMs = 30_000;

export interface LiveStatus {
  /** Reads it again when it is old, once for all who ask. What can't be read is unknown. */
  refresh: () => Promise<void>;
  now: () => StatusNow;
  /** Another one after each reading. */
  version: () => number;
}

export function followStatus(portal: Portal, read: ReadStatus): LiveStatus {
  let known: StatusNow | undefined;
  let readAt = -Infinity;
  let version = 0;
  let reading: Promise<void> | undefined;
  const readOnce = async (): Promise<void> => {
    readAt = portal.machineClock();
    version += 1;
    try {
      known = await read(portal);
    } catch (error) {
      portal.log.warn({ err: error }, 'the status of the APIs could not be read');
      known = undefined;
    }
  };
  return {
    refresh: async () => {
      if (reading === undefined && portal.machineClock() - readAt < statusMs) return;
      await (reading ??= readOnce().finally(() => (reading = undefined)));
    },
    now: () => known ?? { today: dayOf(portal.machineClock()), apis: [] },
    version: () => version,
  };
}
