import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { isDatabaseAway } from '#shared/database/clients.ts';
import type { Day } from '#shared/domain/day.ts';
import type { IdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import type { RecoveredLines } from '#gateway/journal/files.ts';
import type { Journal } from '#gateway/journal/journal.ts';
import { type CallTally, countCalls, countedPosition, type UncountedCalls } from '#gateway/journal/store.ts';
import type { Log } from '#shared/platform/log.ts';
import type { QuotaDesk } from './desk.ts';
import { toStored } from './returns.ts';
import { heldLeases, releaseQuota } from './store.ts';

/** Counts the journal's calls in the database and releases unused units, one statement at a time. */
export interface Counting {
  /** Runs now instead of at the next interval. */
  runNow: () => void;
  /** The connection to the database broke: it may have failed over and lost its last transactions, so both are compared. */
  onReconnected: () => void;
  /** Sequence of the newest line of the journal that the database has counted. */
  countedTo: () => number;
  /** False once the database has refused to count for some seconds, although it can be reached. */
  healthy: () => boolean;
  /** Counts and releases everything. If the database fails it rejects, and the next start does the rest. */
  finish: () => Promise<void>;
}

const intervalMs = 500;
/** Long enough for a fail-over, or for locks that others hold. */
const unhealthyMs = 5000;

/** Sums up calls of the same kind. */
function merge(calls: readonly CallTally[]): CallTally[] {
  const kinds = new Map<string, CallTally>();
  for (const call of calls) {
    const kind = `${call.key} ${call.lease} ${call.cycle} ${call.day} ${call.class} ${call.counted} ${call.units}`;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { ...call });
    else {
      known.calls += call.calls;
      known.lastMs = Math.max(known.lastMs, call.lastMs);
    }
  }
  return [...kinds.values()];
}

interface Batch {
  from: number;
  to: number;
  calls: CallTally[];
}

/**
 * Counts the calls that an earlier process left in the journal, then releases its leases. The position is stored together with the counts,
 * so each call is counted once even if this process is killed on the way.
 */
export async function catchUp(pool: Pool, journal: Journal, counted: number, log: Log): Promise<void> {
  const { uncounted } = await countLeft(pool, journal, counted, log);
  logUncounted(uncounted, log);
  journal.deleteCounted(journal.position());
}

export interface CountedLeft {
  /** How many calls were counted. */
  calls: number;
  /** Calls that can't be. */
  uncounted: UncountedCalls[];
}

/** The same for a transaction that may not commit: the journal's lines are kept, and calls that can't be counted are not logged. */
export async function countLeft(
  pool: Pool | ClientBase,
  journal: Journal,
  counted: number,
  log: Log,
): Promise<CountedLeft> {
  const recovered = journal.recover(counted);
  const left = await countLines(pool, journal.id, { from: counted, to: journal.position() }, recovered, log);
  if (recovered.lines.length > 0)
    log.info({ calls: left.calls }, 'counted the calls that the previous process left in its journal');
  await releaseQuota(pool, journal.id, await heldLeases(pool, journal.id));
  return left;
}

/** Counts lines that were read from the journal's files. */
async function countLines(
  pool: Pool | ClientBase,
  journalId: string,
  { from, to }: Pick<Batch, 'from' | 'to'>,
  { lines, lost }: RecoveredLines,
  log: Log,
): Promise<CountedLeft> {
  if (lost > 0)
    log.warn({ lost }, 'a power cut lost groups of calls that were not on the disk yet; they are not charged');
  const first = lines[0]?.sequence ?? to + 1;
  if (first > from + 1 && lost === 0) {
    log.error(
      { counted: from, first },
      'the database is older than the journal: it has lost the counts of the calls in between',
    );
  }
  if (to === from) return { calls: 0, uncounted: [] };
  const merged = merge(lines.flatMap((line) => line.calls));
  // What a lost line counted can't be taken back, wherever it stood.
  const calls = first > from + 1 || lost > 0 ? merged.filter((tally) => tally.calls > 0) : merged;
  const uncounted = await countCalls(pool, journalId, from, to, calls);
  return { calls: sumOf(calls) - sumOf(uncounted), uncounted };
}

const sumOf = (tallies: readonly { calls: number }[]): number => tallies.reduce((total, { calls }) => total + calls, 0);

/** The journal deletes its lines, so the log has all that is known of these calls. */
function logUncounted(uncounted: readonly UncountedCalls[], log: Log): void {
  for (const { fault, ...calls } of uncounted)
    if (fault === null)
      log.error(
        calls,
        'calls were not counted, since the database does not have their plan: it was restored from a backup that is older',
      );
    else log.error({ ...calls, fault }, 'calls were not counted, since the database rejects them');
}

export interface CountingDeps {
  pool: Pool;
  journal: Journal;
  desk: QuotaDesk;
  idempotentCalls: IdempotentCalls;
  today: () => Day;
  log: Log;
}

export function startCounting({ pool, journal, desk, idempotentCalls, today, log }: CountingDeps): Counting {
  let batch: Batch | undefined;
  let countedTo = journal.position();
  let running: Promise<void> | undefined;
  let runAgain = false;
  /** Of the last run: the database couldn't be reached, or it was and refused. */
  let failing: 'away' | 'refused' | undefined;
  /** Since when the database refuses, by the monotonic clock. */
  let refusedSinceMs: number | undefined;
  /** What the database has may be older than what this process knows. */
  let mayHaveLost = false;

  /** Counts again what the database has lost. Then all units that no call uses go back, since it may have lost its last grants and returns too. */
  const compare = async (): Promise<void> => {
    if (!mayHaveLost) return;
    mayHaveLost = false;
    try {
      const position = await countedPosition(pool, journal.id);
      if (position > countedTo && position !== batch?.to)
        throw new Error(`the database has counted up to line ${position}, this gateway only up to ${countedTo}`);
      if (position < countedTo) {
        const span = { from: position, to: countedTo };
        const { calls, uncounted } = await countLines(pool, journal.id, span, journal.reread(position, countedTo), log);
        logUncounted(uncounted, log);
        log.warn({ calls, ...span }, 'the database had lost calls that it had counted; they are counted again');
      }
      desk.returnAll(await heldLeases(pool, journal.id));
    } catch (error) {
      mayHaveLost = true;
      throw error;
    }
  };

  const count = async (): Promise<void> => {
    // If a batch failed, it may have been counted nevertheless. Sending it again unchanged lets the database recognise it.
    if (batch === undefined && journal.position() > countedTo) {
      batch = { from: countedTo, to: journal.position(), calls: journal.drainWritten() };
    }
    if (batch === undefined) return;
    logUncounted(await countCalls(pool, journal.id, batch.from, batch.to, batch.calls), log);
    desk.confirm(batch.calls);
    countedTo = batch.to;
    batch = undefined;
    journal.deleteCounted(countedTo);
  };

  /** Runs after counting, so that the number of units in use by each lease is exact. */
  const releaseUnused = async (all: boolean): Promise<void> => {
    const release = desk.startRelease(today(), all);
    if (release.leases.length === 0 && release.replies.length === 0) return;
    try {
      desk.finishRelease(release, await releaseQuota(pool, journal.id, release.leases.map(toStored), release.replies));
    } catch (error) {
      desk.finishRelease(release, undefined);
      throw error;
    }
  };

  /** A refusal may mean that the database has lost what it counted before, so both are compared before the next attempt. */
  const countOrCompare = async (): Promise<void> => {
    await compare();
    await count().catch(async (error: unknown) => {
      mayHaveLost = true;
      if (isDatabaseAway(error)) throw error;
      await compare();
      await count();
    });
  };

  const runOnce = async (all: boolean): Promise<void> => {
    const refusals: unknown[] = [];
    await countOrCompare().catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      refusals.push(error);
    });
    // Their outcome changes how many units a lease uses, so this also comes before the release.
    await idempotentCalls.send();
    // While it isn't known what the database has counted, it has units of calls that are lost there.
    if (!mayHaveLost) await releaseUnused(all);
    if (refusals.length > 0) throw refusals[0];
  };

  /** Runs are serialized: a call that ends during `finish` triggers another run, and both would send the same batch. */
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (all: boolean): Promise<void> => {
    const next = last.then(() => runOnce(all));
    last = next.catch(() => {});
    return next;
  };

  const reportFault = (fault: 'away' | 'refused', error: unknown): void => {
    if (fault === 'refused') log.error({ err: error }, 'the database refuses to count calls; the journal keeps them');
    else log.warn({ err: error }, 'could not count calls in the database; the journal keeps them until it works again');
  };

  const runUntilDone = async (): Promise<void> => {
    do {
      runAgain = false;
      try {
        await enqueue(false);
        if (failing !== undefined) log.info('the database counts calls again');
        failing = undefined;
      } catch (error) {
        const fault = isDatabaseAway(error) ? 'away' : 'refused';
        if (fault !== failing) reportFault(fault, error);
        failing = fault;
      }
      if (failing === 'refused') refusedSinceMs ??= performance.now();
      else refusedSinceMs = undefined;
    } while (runAgain && failing === undefined);
    running = undefined;
  };

  const runNow = (): void => {
    runAgain = running !== undefined;
    running ??= runUntilDone();
  };

  const timer = setInterval(() => {
    desk.sweep();
    idempotentCalls.sweep();
    if (running === undefined) runNow();
  }, intervalMs).unref();

  return {
    runNow,
    onReconnected: () => {
      mayHaveLost = true;
      runNow();
    },
    countedTo: () => countedTo,
    healthy: () => refusedSinceMs === undefined || performance.now() - refusedSinceMs < unhealthyMs,
    finish: async () => {
      clearInterval(timer);
      await running;
      // A statement that is still running may return more units to release.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await enqueue(true);
        if (desk.isEmpty() && idempotentCalls.isEmpty()) return;
        await sleep(50);
      }
    },
  };
}
