import { AsyncLocalStorage } from 'node:async_hooks';
import type { Portal } from '#server/portal.ts';
import { type DeliveryJob, deliverWebhook } from './deliver.ts';
import { selectDueCustomer } from './store.ts';

/** Attempts of one customer that run at the same time in a portal: far fewer than its workers, so that other customers find one. */
const maxRunning = 2;

/** When a delivery is sent that is still waiting, or whose portal has died meanwhile: as late as any job whose portal died. */
const laterSeconds = 120;

/** The attempts of a customer. */
interface Line {
  running: number;
  /** Sends the job of a waiting attempt, by attempt, oldest first; false when it is no longer due. */
  waiting: Map<string, () => Promise<boolean>>;
}

/**
 * Delivers webhooks so that a slow receiver delays only its owner: a customer has at most two attempts running in this portal. A further
 * job ends at once and waits in memory, and each attempt that ends sends the job that has waited longest. A waiting job is in the queue too,
 * for later, because the portal may stop before its turn.
 */
export function deliverInTurns(portal: Portal): (job: DeliveryJob) => Promise<void> {
  const lines = new Map<string, Line>();

  const sendIfDue = async (job: DeliveryJob) => {
    if ((await selectDueCustomer(portal.db, job)) === undefined) return false;
    await portal.jobs.send(portal.db, 'deliver-webhook', job);
    return true;
  };

  const sendNext = async (customerId: string, line: Line) => {
    for (const [attempt, send] of line.waiting) {
      line.waiting.delete(attempt);
      if (await send()) break;
    }
    const isIdle = line.running === 0 && line.waiting.size === 0;
    if (isIdle && lines.get(customerId) === line) lines.delete(customerId);
  };

  return async (job) => {
    const customerId = await selectDueCustomer(portal.db, job);
    if (customerId === undefined) return;
    const line = lines.get(customerId) ?? { running: 0, waiting: new Map<string, () => Promise<boolean>>() };
    lines.set(customerId, line);
    const attempt = `${job.deliveryId} ${job.tries}`;
    if (line.running >= maxRunning) {
      // Bound: the job stays in the trace of its own cause, not of the attempt that sends it.
      line.waiting.set(
        attempt,
        AsyncLocalStorage.bind(() => sendIfDue(job)),
      );
      return portal.jobs.send(portal.db, 'deliver-webhook', job, { startAfterSeconds: laterSeconds });
    }
    line.waiting.delete(attempt);
    line.running += 1;
    try {
      await deliverWebhook(portal, job);
    } finally {
      line.running -= 1;
      await sendNext(customerId, line);
    }
  };
}
