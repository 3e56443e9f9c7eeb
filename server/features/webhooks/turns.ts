import { AsyncLocalStorage } from 'node:async_hooks';
import type { Portal } from '#server/portal.ts';
import { type DeliveryJob, deliverWebhook } from './deliver.ts';
import { selectDueOwner } from './store.ts';

/** Attempts of one customer that run at the same time in a portal: far fewer than its workers, so that other customers find one. */
const maxRunning = 2;

/** When a delivery is sent that is still waiting, or whose portal has died meanwhile: as late as any job whose portal died. */
const laterSeconds = 120;
/** How soon a place that no attempt has taken is noticed. */
const lookMs = 1000;

/** The attempts of a customer. */
interface Line {
  running: Set<string>;
  /** Sends the job of a waiting attempt, by attempt, oldest first; false when it is no longer due. */
  waiting: Map<string, () => Promise<boolean>>;
  /** Looks again whether an attempt can be sent. */
  look?: NodeJS.Timeout | undefined;
}

/**
 * Delivers webhooks so that a slow receiver delays only its owner: a customer has at most two attempts running in this portal. A further
 * job ends at once and waits in memory, and each attempt that ends sends the job that has waited longest. A waiting job is in the queue too,
 * for later, because the portal may stop before its turn.
 */
export function deliverInTurns(portal: Portal): (job: DeliveryJob) => Promise<void> {
  const lines = new Map<string, Line>();

  const sendIfDue = async (job: DeliveryJob) => {
    if ((await selectDueOwner(portal.db, job)) === undefined) return false;
    await portal.jobs.send(portal.db, 'deliver-webhook', job);
    return true;
  };

  const look = async (customerId: string, line: Line): Promise<void> => {
    line.look = undefined;
    if (line.running.size < maxRunning) await sendNext(customerId, line);
  };

  const sendNext = async (customerId: string, line: Line): Promise<void> => {
    try {
      for (const [attempt, send] of line.waiting) {
        line.waiting.delete(attempt);
        if (await send()) break;
      }
    } catch (error) {
      // Nothing is lost: what waits is in the queue too.
      portal.log.warn({ err: error }, 'a waiting delivery could not be sent');
    }
    // Another portal may take what was sent and keep it waiting: then no attempt that ends here would send the next one.
    if (line.waiting.size > 0) line.look ??= setTimeout(() => void look(customerId, line), lookMs).unref();
    else if (line.running.size === 0 && lines.get(customerId) === line) lines.delete(customerId);
  };

  return async (job) => {
    const customerId = (await selectDueOwner(portal.db, job))?.customerId;
    if (typeof customerId !== 'string') return;
    const line: Line = lines.get(customerId) ?? { running: new Set(), waiting: new Map() };
    lines.set(customerId, line);
    const attempt = `${job.deliveryId} ${job.tries}`;
    if (line.running.size >= maxRunning || line.running.has(attempt)) {
      // Bound: the job stays in the trace of its own cause, not of the attempt that sends it.
      line.waiting.set(
        attempt,
        AsyncLocalStorage.bind(() => sendIfDue(job)),
      );
      return portal.jobs.send(portal.db, 'deliver-webhook', job, { startAfterSeconds: laterSeconds });
    }
    line.waiting.delete(attempt);
    line.running.add(attempt);
    try {
      await deliverWebhook(portal, job);
    } finally {
      line.running.delete(attempt);
      await sendNext(customerId, line);
    }
  };
}
