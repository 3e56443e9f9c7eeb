import { AsyncLocalStorage } from 'node:async_hooks';
import type { Portal } from '#server/portal.ts';
import { type DeliveryJob, deliverWebhook } from './deliver.ts';
import { deliveryJobOf } from './queue.ts';
import { selectDueOwner, type WebhookOwner } from './store.ts';

export const deliveryJobs = ['deliver-webhook', 'deliver-provider-webhook', 'deliver-failing-webhook'] as const;
type DeliveryQueue = (typeof deliveryJobs)[number];

/** Receivers that failed last have workers of their own: however many are silent, no delivery to another one waits for them. */
const queueOf = (due: WebhookOwner & { isFailing: boolean }): DeliveryQueue =>
  due.isFailing ? 'deliver-failing-webhook' : deliveryJobOf(due);

/** Attempts of one customer, or to one webhook of the provider, that run at the same time in a portal: far fewer than its workers, so that others find one. */
const maxRunning = ({ customerId }: WebhookOwner) => (customerId === null ? 1 : 2);

/** When a delivery is sent that is still waiting, or whose portal has died meanwhile: as late as any job whose portal died. */
const laterSeconds = 120;
/** How soon a place that no attempt has taken is noticed. */
const lookMs = 1000;

/** The attempts of a customer, or to a webhook of the provider. */
interface Line {
  owner: WebhookOwner;
  running: Set<string>;
  /** Sends the job of a waiting attempt, by attempt, oldest first; false when it is no longer due. */
  waiting: Map<string, () => Promise<boolean>>;
  /** Looks again whether an attempt can be sent. */
  look?: NodeJS.Timeout | undefined;
}

/**
 * Delivers webhooks so that a slow receiver delays only its owner: a customer has at most two attempts running in this portal, and each webhook of
 * the provider, whose programs are several, one. A further job ends at once and waits in memory, and each attempt that ends sends the job that has
 * waited longest. A waiting job is in the queue too, for later, because the portal may stop before its turn. One whose receiver has failed or recovered
 * since it was sent goes to the queue of those.
 */
export function deliverInTurns(portal: Portal): (job: DeliveryJob, queue: DeliveryQueue) => Promise<void> {
  const lines = new Map<string, Line>();

  const sendIfDue = async (job: DeliveryJob) => {
    const due = await selectDueOwner(portal.db, job);
    if (due === undefined) return false;
    await portal.jobs.send(portal.db, queueOf(due), job);
    return true;
  };

  const look = async (key: string, line: Line): Promise<void> => {
    line.look = undefined;
    if (line.running.size < maxRunning(line.owner)) await sendNext(key, line);
  };

  const sendNext = async (key: string, line: Line): Promise<void> => {
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
    if (line.waiting.size > 0) line.look ??= setTimeout(() => void look(key, line), lookMs).unref();
    else if (line.running.size === 0 && lines.get(key) === line) lines.delete(key);
  };

  return async (job, queue) => {
    const due = await selectDueOwner(portal.db, job);
    if (due === undefined) return;
    if (queueOf(due) !== queue) return portal.jobs.send(portal.db, queueOf(due), job);
    const key = due.customerId ?? due.webhookId;
    const line: Line = lines.get(key) ?? { owner: due, running: new Set(), waiting: new Map() };
    lines.set(key, line);
    const attempt = `${job.deliveryId} ${job.tries}`;
    if (line.running.size >= maxRunning(due) || line.running.has(attempt)) {
      // Bound: the job stays in the trace of its own cause, not of the attempt that sends it.
      line.waiting.set(
        attempt,
        AsyncLocalStorage.bind(() => sendIfDue(job)),
      );
      return portal.jobs.send(portal.db, queue, job, { startAfterSeconds: laterSeconds });
    }
    line.waiting.delete(attempt);
    line.running.add(attempt);
    try {
      await deliverWebhook(portal, job);
    } finally {
      line.running.delete(attempt);
      await sendNext(key, line);
    }
  };
}
