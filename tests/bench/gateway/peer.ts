/** One gateway of the comparison. */
export interface Peer {
  name: string;
  /** What it checks and counts, in a few words. */
  does: string;
  /** True when it can enforce a number of calls per day. */
  hasQuota: boolean;
  start: (place: Place) => Promise<Running>;
}

/** What every peer gets: the same API behind it, the same keys, a port and a folder of its own. */
export interface Place {
  folder: string;
  port: number;
  productPort: number;
  /** Keys whose limits are never reached. */
  openKeys: readonly string[];
  /** Keys with `quota` calls per day. */
  limitedKeys: readonly string[];
  quota: number;
}

export interface Running {
  /** Its process and all processes that only it uses. */
  pids: () => number[];
  /** Kills all of it with kill -9, and restarts it on the data left on disk. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A limit that is never reached. */
export const unlimited = 1_000_000_000;

export const pathOfCalls = '/tax-lookup/v1/ok';

/** A peer whose programs restart unchanged. */
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
