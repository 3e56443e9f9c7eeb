import { announceStartsAndEnds } from './features/events/events.ts';
import { alarmOfUnregistered, finishDocumentJob, invoiceStartedCycles } from './features/documents/documents.ts';
import { remindCustomers, sendMail } from './features/mail/mail.ts';
import { deliverWebhook } from './features/webhooks/webhooks.ts';
import type { Portal } from './portal.ts';

/** How often time is looked at while it can be moved: a year of cycles is to be watched in a minute. */
const movedClockMs = 2000;

/** What time alone causes: the invoices of cycles that start, and reminders. Each is done once, however often this is called. */
export async function runRounds(portal: Portal): Promise<void> {
  await invoiceStartedCycles(portal);
  await remindCustomers(portal);
  await announceStartsAndEnds(portal);
  await alarmOfUnregistered(portal);
}

/** Works everything that follows documents, mails and time. */
export async function workRounds(portal: Portal): Promise<{ stop: () => void }> {
  await portal.jobs.work('finish-document', ({ documentId }) => finishDocumentJob(portal, documentId));
  await portal.jobs.work('send-mail', ({ mailId }) => sendMail(portal, mailId));
  await portal.jobs.work('deliver-webhook', (job) => deliverWebhook(portal, job));
  await portal.jobs.work('rounds', () => runRounds(portal));
  if (!portal.settings.standins) return { stop: () => undefined };
  const timer = setInterval(() => {
    runRounds(portal).catch((error: unknown) => portal.log.warn({ err: error }, 'a round failed'));
  }, movedClockMs);
  return { stop: () => clearInterval(timer) };
}
