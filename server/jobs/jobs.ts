import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import PgBoss from 'pg-boss';
import { isDatabaseAway } from '#shared/database/clients.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { isRetryable } from '#shared/database/transaction.ts';
import type { Log } from '#shared/platform/log.ts';
import { traced } from '#shared/platform/tracing.ts';
import { currentWork, workIn } from '#shared/platform/work-context.ts';

/** Work that must be done even if the process dies: each kind of job and its data. */
export interface JobData {
  'clean-up': object;
  /** Makes a document's PDF, after registering the document where required. */
  'finish-document': { documentId: string };
  'send-mail': { mailId: string };
  /** `tries`: the attempts so far when it was planned; if the delivery was tried since, another job handles it. */
  'deliver-webhook': { deliveryId: string; tries: number };
  /** The same for the provider's own webhooks. */
  'deliver-provider-webhook': { deliveryId: string; tries: number };
  'deliver-failing-webhook': { deliveryId: string; tries: number };
  /** Work that is due by time alone: invoices of cycles that start, reminders. */
  rounds: object;
  /** Reads the payment provider's settlements, once a day. */
  settlements: object;
  /** Takes replies from the mailbox of support. */
  'support-mail': object;
  /** Asks the gateway whether each API can be used. */
  'api-status': object;
  'verify-ledger': object;
  /** Checks whether a verification of the whole ledger is due, and runs it. */
  'verify-whole-ledger': object;
}

export type JobName = keyof JobData;

export interface Jobs {
  /** Writes a job in the transaction of its cause: both happen, or neither. */
  send: <Name extends JobName>(
    tx: Db | Tx,
    name: Name,
    data: JobData[Name],
    options?: { startAfterSeconds?: number },
  ) => Promise<void>;
  /** Runs jobs of a kind; a job that throws is retried with back-off, for days. */
  work: <Name extends JobName>(name: Name, work: (data: JobData[Name]) => Promise<void>) => Promise<void>;
  /** How many jobs of each kind wait for their turn or their next attempt. */
  waiting: () => Promise<{ name: JobName; waiting: number }[]>;
  /** How many attempts have failed in this process, by kind. */
  failedAttempts: () => ReadonlyMap<JobName, number>;
  stop: () => Promise<void>;
}

/** `workers`: how many jobs of a kind run at the same time; default 1. */
const names: Record<
  JobName,
  { retryLimit: number; retryDelay: number; cron?: string; workers?: number; expireInSeconds?: number }
> = {
  'clean-up': { retryLimit: 2, retryDelay: 60, cron: '*/15 * * * *' },
  'finish-document': { retryLimit: 30, retryDelay: 2, workers: 4 },
  'send-mail': { retryLimit: 30, retryDelay: 2, workers: 8 },
  // The delivery plans its own retries; these are for a process that died or a database that was unavailable.
  'deliver-webhook': { retryLimit: 30, retryDelay: 2, workers: 8 },
  'deliver-provider-webhook': { retryLimit: 30, retryDelay: 2, workers: 4 },
  'deliver-failing-webhook': { retryLimit: 30, retryDelay: 2, workers: 4 },
  rounds: { retryLimit: 0, retryDelay: 1, cron: '* * * * *' },
  settlements: { retryLimit: 0, retryDelay: 1, cron: '20 * * * *', expireInSeconds: 3600 },
  'support-mail': { retryLimit: 0, retryDelay: 1, cron: '* * * * *', expireInSeconds: 600 },
  'api-status': { retryLimit: 0, retryDelay: 1, cron: '* * * * *' },
  'verify-ledger': { retryLimit: 0, retryDelay: 1, cron: '* * * * *' },
  'verify-whole-ledger': { retryLimit: 0, retryDelay: 1, cron: '*/5 * * * *', expireInSeconds: 4 * 3600 },
};

/** How long jobs that have started may take to end when the portal stops; what has not ended is tried again. */
const gracefulMs = 5000;

const jobNames = Object.keys(names).filter((name): name is JobName => name in names);

/** Opens the queue in the portal's own database. `onlySends`: for a command, which ends before anything is due. */
export async function openJobs(db: Db, log: Log, { onlySends = false } = {}): Promise<Jobs> {
  let stopping = false;
  const running = createRunning();
  const failedAttempts = new Map<JobName, number>();
  const boss = new PgBoss({
    db: retrying(executorOf(db), { running, stopping: () => stopping, log }),
    monitorStateIntervalSeconds: 60,
    schedule: !onlySends,
    supervise: !onlySends,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue reported an error'));
  await oneAtATime(db, async () => {
    await boss.start();
    for (const [name, { retryLimit, retryDelay, cron, expireInSeconds = 120 }] of Object.entries(names)) {
      await boss.createQueue(name, { name, retryLimit, retryDelay, retryBackoff: true, expireInSeconds });
      if (cron) await boss.schedule(name, cron, {});
    }
  });
  return {
    send: async (tx, name, data, options) => {
      // A job goes on with the trace of its cause.
      const traceparent = currentWork()?.span?.traceparent;
      const payload = traceparent === undefined ? data : { ...data, traceparent };
      await boss.send(name, payload, { db: executorOf(tx), startAfter: options?.startAfterSeconds ?? 0 });
    },
    work: async (name, work) => {
      const options = { pollingIntervalSeconds: 0.5, batchSize: 1 };
      for (let worker = 0; worker < (names[name].workers ?? 1); worker += 1) {
        const id = await boss.work<JobData[typeof name] & { traceparent?: string }>(name, options, async (jobs) => {
          // Look for the next job at once: otherwise a worker does at most two jobs a second.
          boss.notifyWorker(id);
          for (const job of jobs) {
            try {
              const { traceparent: parent } = job.data;
              const run = () => traced(`job ${name}`, { kind: 'consumer', parent }, () => work(job.data));
              await running.during(workIn({ job: name, jobId: job.id }, run));
            } catch (error) {
              failedAttempts.set(name, (failedAttempts.get(name) ?? 0) + 1);
              log.warn({ err: error, job: name, jobId: job.id }, 'a job failed and will be retried');
              throw error;
            }
          }
        });
      }
    },
    waiting: () =>
      Promise.all(
        jobNames.map(async (name) => ({ name, waiting: await boss.getQueueSize(name, { before: 'active' }) })),
      ),
    failedAttempts: () => failedAttempts,
    stop: async () => {
      stopping = true;
      const stopped = boss.stop({ graceful: true, close: false, wait: true, timeout: gracefulMs });
      // pg-boss waits for the jobs that it has started, not for a statement that is about to bring one.
      const ended = stopped.then(running.ended);
      await Promise.race([ended, sleep(gracefulMs + 1000, undefined, { ref: false })]);
    },
  };
}

/** An arbitrary number that nothing else uses for an advisory lock: the letters "jobs". */
const jobsLock = 0x6a6f6273;

/** Portals that start at the same time would otherwise interfere while creating the queue's tables. */
async function oneAtATime(db: Db, work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${jobsLock})`.execute(connection);
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${jobsLock})`.execute(connection);
    }
  });
}

/** What is under way. */
interface Running {
  /** Counts `work` as under way until it settles. */
  during: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Resolves when nothing is under way, and nothing has followed from it. */
  ended: () => Promise<void>;
}

function createRunning(): Running {
  const all = new Set<Promise<unknown>>();
  return {
    during: async (work) => {
      all.add(work);
      try {
        return await work;
      } finally {
        all.delete(work);
      }
    },
    ended: async () => {
      while (all.size > 0) {
        await Promise.allSettled(all);
        await turn();
      }
    },
  };
}

type Executor = ReturnType<typeof executorOf>;

/**
 * Repeats the queue's own statements until PostgreSQL is back. pg-boss awaits neither `complete` nor `fail`: their rejection would end
 * the process, and a job whose end was not recorded would wait for two minutes. All of them are safe to repeat. One that fails
 * while the queue stops is not repeated, and never settles.
 */
function retrying(
  { executeSql }: Executor,
  { running, stopping, log }: { running: Running; stopping: () => boolean; log: Log },
): Executor {
  const repeated: Executor['executeSql'] = async (text, values) => {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
      try {
        return await executeSql(text, values);
      } catch (error) {
        if (stopping() || !(isDatabaseAway(error) || isRetryable(error))) throw error;
      }
      await sleep(pauseMs);
    }
  };
  return {
    executeSql: async (text, values) => {
      try {
        return await running.during(repeated(text, values));
      } catch (error) {
        if (!stopping()) throw error;
        log.warn({ err: error }, 'the job queue could not end a statement while it stopped');
        return new Promise<never>(() => {});
      }
    },
  };
}

/** Runs the queue's statements. Some texts contain several statements with a transaction of their own. */
function executorOf(db: Db | Tx) {
  return {
    executeSql: (text: string, values: unknown[]) =>
      db.isTransaction
        ? run(db, text, values)
        : db.connection().execute(async (connection) => {
            try {
              return await run(connection, text, values);
            } catch (error) {
              // A text that failed half-way must not leave its transaction open for the next user of the connection.
              await sql`rollback`.execute(connection).catch(() => undefined);
              throw error;
            }
          }),
  };
}

async function run(on: Db | Tx, text: string, values: unknown[]) {
  const { rows } = await on.executeQuery(CompiledQuery.raw(text, values));
  return { rows };
}
