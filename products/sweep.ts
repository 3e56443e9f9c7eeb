import { Gauge } from 'prom-client';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Metrics } from '#shared/platform/metrics.ts';
import { deleteOldResponses } from '#products/idempotency/stored-responses.ts';
import { deleteOldTestNumbers } from '#products/store/numbers.ts';
import { deleteOldRegistrations } from '#products/store/sandbox-registrations.ts';
import type { Store } from '#products/store/store.ts';

const everyMs = 15 * 60_000;

/**
 * Deletes at once, and then every 15 minutes, what was promised to be kept for a time only: customers that call no more
 * would leave it for ever. Every process does so, and each skips the rows that another one is deleting. A round that fails is measured like
 * the portal's work that is due by time, so that the same alert rings.
 */
export function startSweep(store: Store, now: Clock, log: Log, metrics?: Metrics): { stop: () => Promise<void> } {
  const failed =
    metrics &&
    new Gauge({
      name: 'octroi_failed_timed_work',
      help: 'Whether deleting old rows failed the last time',
      registers: [metrics],
    });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const sweep = async (): Promise<void> => {
    try {
      const responses = await deleteOldResponses(store, now(), stopping.signal);
      const registrations = await deleteOldRegistrations(store, now(), stopping.signal);
      const testNumbers = await deleteOldTestNumbers(store, now(), stopping.signal);
      if (responses + registrations + testNumbers > 0)
        log.info({ responses, registrations, testNumbers }, 'old rows were deleted');
      failed?.set(0);
    } catch (error) {
      failed?.set(1);
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
