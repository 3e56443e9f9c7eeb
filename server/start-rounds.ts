import { type Day, dayOf } from '#shared/domain/day.ts';
import { mailMonths } from './features/accountants/accountants.ts';
import { checkApis } from './features/api-status/api-status.ts';
import { announceNewNetworks } from './features/api-keys/api-keys.ts';
import { sumDays } from './features/bookkeeping/bookkeeping.ts';
import {
  announceDeprecations,
  announceStartsAndEnds,
  startsAndEnds,
  timedSteps,
} from './features/timed-events/timed-events.ts';
import {
  alertDeadlines,
  alertRemittances,
  alertUnregistered,
  finishDocumentJob,
  warnOfLetters,
} from './features/documents/documents.ts';
import { sendMail } from './features/mail/mail.ts';
import { deliverInTurns, deliveryJobs } from './features/webhooks/webhooks.ts';
import { sweepErased } from './features/privacy/privacy.ts';
import { remindOfEvidence } from './features/payments/dispute-events.ts';
import { followSettlements } from './features/settlements/settlements.ts';
import { takeMails } from './features/support/support.ts';
import { deleteChanges, readChanges, readDoneFor, type RoundScope, setDoneFor, setNotDone } from './rounds/changes.ts';
import { deleteOldRows } from './retention/delete-old.ts';
import { keepLogDays, moveLogDays } from './retention/request-log-days.ts';
import { createRound } from './rounds/round.ts';
import { type Items, openSteps, runStep } from './rounds/steps.ts';
import type { Portal } from './portal.ts';
import { watchCertificate } from './signature/certificate-watch.ts';

/** How often rounds run while time can be moved: a year of cycles should pass in a minute. */
const movedClockMs = 2000;

/** Maximum number of customer changes that one round reads. */
const maxChangesPerRound = 2000;

/** Advisory locks of these rounds: the letters "roun", "sett", "clea", "mbox" and "stat". */
const roundsLock = 0x726f756e;
const settlementsLock = 0x73657474;
const cleanUpLock = 0x636c6561;
const mailboxLock = 0x6d626f78;
const statusLock = 0x73746174;

/**
 * Work that is due by time alone: the invoices of cycles that start, and reminders. Each is done once, however often this runs. The steps don't
 * depend on each other, and one that fails leaves the others alone (`runStep`). The first run of a day looks at every customer, later ones only at
 * customers whose cycles or webhooks have changed, and at those for whom the step failed.
 */
export async function runRounds(portal: Portal, stopping?: AbortSignal): Promise<void> {
  const { db } = portal;
  const today = dayOf(portal.clock());
  const step = await openSteps(portal, stopping);
  const isDone = await readDoneFor(db, today);
  const done: string[] = [];
  /** Looks at everything once a day, and until then again after each failure. */
  const daily = async (name: string, work: (items: Items, isDone: boolean) => Promise<unknown>): Promise<void> => {
    const outcome = await step(name, (items) => work(items, isDone.has(name)));
    if (!isDone.has(name) && (outcome === 'done' || outcome === 'some-failed')) done.push(name);
    if (outcome === 'whole-failed') await setNotDone(db, name);
  };
  const onceADay = (name: string, work: () => unknown) =>
    daily(name, async (_items, isOver) => (isOver ? undefined : work()));
  const changes = await readChanges(db, 'rounds', maxChangesPerRound);
  const scoped = (name: string, work: (scope: RoundScope) => Promise<unknown>) =>
    daily(name, (items, isOver) =>
      work({ customers: isOver ? [...new Set([...changes.customerIds, ...items.due])] : 'all', items }),
    );

  for (const { name, isScoped, noted, work } of timedSteps) {
    if (isScoped) {
      await scoped(name, (scope) => work(portal, today, scope));
      continue;
    }
    const outcome = await step(name, (items) => work(portal, today, { customers: 'all', items }));
    if (noted !== undefined && !isDone.has(noted) && outcome === 'done') done.push(noted);
  }
  await onceADay('letters of undertaking', () => warnOfLetters(portal, today));
  await onceADay('deadlines of e-invoices', () => alertDeadlines(portal));
  await onceADay('payments from abroad', () => alertRemittances(portal));
  await scoped(startsAndEnds, (scope) => announceStartsAndEnds(portal, today, scope));
  await daily('deprecations', async (items, isOver) =>
    isOver && items.due.length === 0 ? undefined : announceDeprecations(portal, today, items),
  );
  await step('unregistered e-invoices', () => alertUnregistered(portal));
  await step('evidence for disputes', (items) => remindOfEvidence(portal, items));
  await step('new networks of keys', (items) => announceNewNetworks(portal, items));
  await step('papers for accountants', (items) => mailMonths(portal, items));
  await onceADay('sums of past days', () => sumDays(db, today));
  await onceADay('signing certificate', () => watchCertificate(portal));
  if (stopping?.aborted) return;
  await setDoneFor(db, done, today);
  await deleteChanges(db, 'rounds', changes);
}

/** Deletes what is older than its table keeps it, and what came after an erasure. */
export async function runCleanUp(portal: Portal, stopping?: AbortSignal): Promise<void> {
  const { db } = portal;
  const now = { machine: new Date(portal.machineClock()), today: dayOf(portal.clock()), keep: portal.settings };
  const logDeleted = (deleted: number) => portal.log.info({ deleted }, 'old rows were deleted');
  await runStep(portal, 'days of the request log', () => keepLogDays(portal.requestLog, now), stopping);
  await runStep(portal, 'old rows', (items) => deleteOldRows(db, now, items).then(logDeleted), stopping);
  // Before erased customers, whose calls it may just be writing.
  await runStep(portal, 'old days of the request log', () => moveOldDays(portal, now.today, stopping), stopping);
  await runStep(
    portal,
    'rows of erased customers',
    (items) => sweepErased(portal, now.machine, items).then(logDeleted),
    stopping,
  );
}

async function moveOldDays({ requestLog, log }: Portal, today: Day, stopping?: AbortSignal): Promise<void> {
  const days = await moveLogDays(requestLog, today, stopping);
  if (days > 0) log.info({ days }, 'days of the request log were moved to REQUEST_LOG_COLD_PLACE');
}

/** Runs the jobs for documents, mails, webhooks and time. */
export async function startRoundWorkers(portal: Portal): Promise<{ stop: () => Promise<void> }> {
  const round = createRound(portal.db, roundsLock, (stopping) => runRounds(portal, stopping));
  await portal.jobs.work('finish-document', ({ documentId }) => finishDocumentJob(portal, documentId));
  await portal.jobs.work('send-mail', ({ mailId }) => sendMail(portal, mailId));
  const deliver = deliverInTurns(portal);
  for (const name of deliveryJobs) await portal.jobs.work(name, (job) => deliver(job, name));
  await portal.jobs.work('rounds', async () => {
    await round.run();
  });
  const cleanUp = createRound(portal.db, cleanUpLock, (stopping) => runCleanUp(portal, stopping));
  await portal.jobs.work('clean-up', async () => {
    await cleanUp.run();
  });
  const settlements = createRound(portal.db, settlementsLock, async (stopping) => {
    await runStep(portal, 'settlements', () => followSettlements(portal, stopping), stopping);
  });
  await portal.jobs.work('settlements', async () => {
    await settlements.run();
  });
  const mailbox = createRound(portal.db, mailboxLock, async (stopping) => {
    await runStep(portal, 'replies by mail', (items) => takeMails(portal, items), stopping);
  });
  await portal.jobs.work('support-mail', async () => {
    await mailbox.run();
  });
  const status = createRound(portal.db, statusLock, async (stopping) => {
    await runStep(portal, 'status of the APIs', () => checkApis(portal), stopping);
  });
  await portal.jobs.work('api-status', async () => {
    await status.run();
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
      await Promise.all([round.stop(), settlements.stop(), cleanUp.stop(), mailbox.stop(), status.stop()]);
    },
  };
}
