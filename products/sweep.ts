import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { deleteOldResponses } from '#products/idempotency/stored-responses.ts';
import { deleteOldTestNumbers } from '#products/store/numbers.ts';
import { deleteOldRegistrations } from '#products/store/sandbox-registrations.ts';
import type { Store } from '#products/store/store.ts';

const everyMs = 15 * 60_000;

/**
 * Deletes at once, and then every 15 minutes, what was promised to be kept for a time only: customers that call no more
 * would leave it for ever. Every process does so, and each skips the rows that another one is deleting.
 */
export function startSweep(store: Store, now: Clock, log: Log): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const sweep = async (): Promise<void> => {
    try {
      const responses = await deleteOldResponses(store, now(), stopping.signal);
      const registrations = await deleteOldRegistrations(store, now(), stopping.signal);
      const testNumbers = await deleteOldTestNumbers(store, now(), stopping.signal);
      if (responses + registrations + testNumbers > 0)
        log.info({ responses, registrations, testNumbers }, 'old rows were deleted');
    } catch (error) {
      log.warn({ err: error }, 'could not delete old rows; the next round tries again');
    }
  };
  const run = (): void => void (running ??= sweep().finally(() => (running = undefined)));

  run();
  const timer = setInterval(run, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
