import { dayOf } from '#domain/day.ts';
import { mailMonths } from './features/accountants/accountants.ts';
import { announceNewNetworks } from './features/api-keys/api-keys.ts';
import { removeLatePacks } from './features/cycles/cycles.ts';
import { announceDeprecations, announceStartsAndEnds, remindCustomers } from './features/timed-events/timed-events.ts';
import {
  alertDeadlines,
  alertRemittances,
  alertUnregistered,
  finishDocumentJob,
  warnOfLetters,
} from './features/documents/documents.ts';
import { invoiceStartedCycles } from './features/refunds/refunds.ts';
import { sendMail } from './features/mail/mail.ts';
import { deliverInTurns } from './features/webhooks/webhooks.ts';
import { sweepErased } from './features/privacy/privacy.ts';
import { remindOfEvidence } from './features/payments/payments.ts';
import { followSettlements } from './features/settlements/settlements.ts';
import { takeMails } from './features/support/support.ts';
import { deleteChanges, isDoneFor, readChanges, setDoneFor } from './rounds/changes.ts';
import { deleteOldRows } from './retention/delete-old.ts';
import { addDaysAhead } from './retention/request-log-days.ts';
import { createRound } from './rounds/round.ts';
import type { Portal } from './portal.ts';
import { watchCertificate } from './signature/certificate-watch.ts';

/** How often rounds run while time can be moved: a year of cycles should pass in a minute. */
const movedClockMs = 2000;

/** Maximum number of customer changes that one round reads. */
const maxChangesPerRound = 2000;

/** Advisory locks of these rounds: the letters "roun", "sett", "clea" and "mbox". */
const roundsLock = 0x726f756e;
const settlementsLock = 0x73657474;
const cleanUpLock = 0x636c6561;
const mailboxLock = 0x6d626f78;

/**
 * Work that is due by time alone: the invoices of cycles that start, and reminders. Each is done once, however often this runs.
 * The first round of a day looks at every customer, later ones only at customers whose cycles or webhooks have changed.
 */
export async function runRounds(portal: Portal, stopping?: AbortSignal): Promise<void> {
  const today = dayOf(portal.clock());
  await invoiceStartedCycles(portal, stopping);
  await removeLatePacks(portal);
  await setDoneFor(portal.db, 'late-packs', today);
  const changes = await readChanges(portal.db, 'rounds', maxChangesPerRound);
  const isDone = await isDoneFor(portal.db, 'rounds', today);
  if (!isDone) warnOfLetters(portal, today);
  if (!isDone) await alertDeadlines(portal);
  if (!isDone) await alertRemittances(portal);
  const scope = { customers: isDone ? changes.customerIds : ('all' as const), stopping };
  await remindCustomers(portal, scope);
  await announceStartsAndEnds(portal, today, scope);
  if (!isDone) await announceDeprecations(portal, today, scope);
  await alertUnregistered(portal);
  await remindOfEvidence(portal);
  await announceNewNetworks(portal);
  await mailMonths(portal, stopping);
  if (!isDone) watchCertificate(portal);
  if (stopping?.aborted) return;
  await setDoneFor(portal.db, 'rounds', today);
  await deleteChanges(portal.db, 'rounds', changes);
}

/** Runs the jobs for documents, mails, webhooks and time. */
export async function startRoundWorkers(portal: Portal): Promise<{ stop: () => Promise<void> }> {
  const round = createRound(portal.db, roundsLock, (stopping) => runRounds(portal, stopping));
  await portal.jobs.work('finish-document', ({ documentId }) => finishDocumentJob(portal, documentId));
  await portal.jobs.work('send-mail', ({ mailId }) => sendMail(portal, mailId));
  await portal.jobs.work('deliver-webhook', deliverInTurns(portal));
  await portal.jobs.work('rounds', async () => {
    await round.run();
  });
  const cleanUp = createRound(portal.db, cleanUpLock, async (stopping) => {
    const now = { machine: new Date(portal.machineClock()), today: dayOf(portal.clock()), keep: portal.settings };
    await addDaysAhead(portal.db, now.today);
    const deleted = await deleteOldRows(portal.db, now, stopping);
    const ofErased = await sweepErased(portal.db, now.machine, stopping);
    portal.log.info({ deleted, ofErased }, 'old rows were deleted');
  });
  await portal.jobs.work('clean-up', async () => {
    await cleanUp.run();
  });
  const settlements = createRound(portal.db, settlementsLock, (stopping) => followSettlements(portal, stopping));
  await portal.jobs.work('settlements', async () => {
    await settlements.run();
  });
  const mailbox = createRound(portal.db, mailboxLock, (stopping) => takeMails(portal, stopping));
  await portal.jobs.work('support-mail', async () => {
    await mailbox.run();
  });
  // A minute is too long to wait when the clock can be moved.
  const timer = portal.settings.standins
    ? setInterval(() => {
        for (const each of [round, settlements])
          each.run().catch((error: unknown) => portal.log.warn({ err: error }, 'a round failed'));
      }, movedClockMs)
    : undefined;
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all([round.stop(), settlements.stop(), cleanUp.stop(), mailbox.stop()]);
    },
  };
}
