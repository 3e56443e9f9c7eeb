/** One gateway of the comparison. */
export interface Peer {
  name: string;
  /** What it checks and counts, in a few words. */
  does: string;
  /** Can it hold a customer to a number of calls per day? */
  hasQuota: boolean;
  /** Where calls with a quota go, when that is decided by the path. */
  limitedPath?: string;
  start: (place: Place) => Promise<Running>;
}

/** What every peer is given: the same API behind, the same keys, a port and a folder of its own. */
export interface Place {
  folder: string;
  port: number;
  productPort: number;
  /** Keys whose limits are never reached. */
  openKeys: readonly string[];
  /** Keys with `quota` calls a day. */
  limitedKeys: readonly string[];
  quota: number;
}

export interface Running {
  /** It and everything that works for it alone. */
  pids: () => number[];
  /** kill -9 of all of it, and a new start on what is left on the disk. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A limit that is never reached. */
export const unlimited = 1_000_000_000;

export const pathOfCalls = '/tax-lookup/v1/ok';

/** A peer whose programs are started again as they were. */
export async function runPrograms(
  start: () => Promise<{ pids: () => number[]; end: (signal?: NodeJS.Signals) => Promise<void> }>,
): Promise<Running> {
  let programs = await start();
  return {
    pids: () => programs.pids(),
    crash: async () => {
      await programs.end('SIGKILL');
      programs = await start();
    },
    stop: () => programs.end(),
  };
}
