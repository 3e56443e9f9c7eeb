import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Day } from '#domain/day.ts';
import type { Journal } from '#gateway/journal/journal.ts';
import type { IdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import { type CallTally, countCalls } from '#gateway/journal/store.ts';
import type { Log } from '#platform/log.ts';
import type { QuotaDesk } from './desk.ts';
import { toStored } from './returns.ts';
import { heldLeases, releaseQuota } from './store.ts';

/** Carries what stands in the journal into the database, and gives back what is not used, one statement after the other. */
export interface Counting {
  /** Does it now instead of at the next turn. */
  runNow: () => void;
  /** Counts and gives back everything; rejects when the database does not take it, and then the next start does it. */
  finish: () => Promise<void>;
}

const everyMs = 500;

/** Calls of the same kind as one number. */
function merge(calls: readonly CallTally[]): CallTally[] {
  const kinds = new Map<string, CallTally>();
  for (const call of calls) {
    const kind = `${call.key} ${call.lease} ${call.cycle} ${call.day} ${call.class} ${call.counted}`;
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
 * Counts what an earlier process wrote and could not count any more, then gives back what it held. The position is stored with the
 * counts, so that this happens once however often a process dies on the way.
 */
export async function catchUp(pool: Pool, journal: Journal, counted: number, log: Log): Promise<void> {
  const { lines, lost } = journal.recover(counted);
  if (lost > 0) log.warn({ lost }, 'a power cut took groups of calls that were not on the disk yet: they are free');
  const first = lines[0]?.sequence ?? counted + 1;
  if (first > counted + 1 && lost === 0) {
    log.error(
      { counted, first },
      'the database is older than the journal: the calls between them were counted in what it lost',
    );
  }
  const calls = merge(lines.flatMap((line) => line.calls));
  if (lines.length > 0) {
    await countCalls(pool, journal.id, counted, journal.position(), calls);
    log.info(
      { calls: calls.reduce((sum, tally) => sum + tally.calls, 0) },
      'counted the calls that the last process answered',
    );
  }
  await releaseQuota(pool, journal.id, await heldLeases(pool, journal.id));
  journal.deleteCounted(journal.position());
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
  let working: Promise<void> | undefined;
  let again = false;
  let failing = false;

  const count = async (): Promise<void> => {
    // A batch whose fate is unknown is sent again as it was: the database knows whether it has counted it.
    if (batch === undefined && journal.position() > countedTo) {
      batch = { from: countedTo, to: journal.position(), calls: journal.drainWritten() };
    }
    if (batch === undefined) return;
    await countCalls(pool, journal.id, batch.from, batch.to, batch.calls);
    desk.confirm(batch.calls);
    countedTo = batch.to;
    batch = undefined;
    journal.deleteCounted(countedTo);
  };

  /** Only after counting, so that what a lease keeps is known for certain. */
  const release = async (all: boolean): Promise<void> => {
    const what = desk.startRelease(today(), all);
    if (what.leases.length === 0 && what.answers.length === 0) return;
    try {
      desk.finishRelease(what, await releaseQuota(pool, journal.id, what.leases.map(toStored), what.answers));
    } catch (error) {
      desk.finishRelease(what, undefined);
      throw error;
    }
  };

  const workOnce = async (all: boolean): Promise<void> => {
    await count();
    // What they decide changes what a lease keeps, so this too comes before giving back.
    await idempotentCalls.send();
    await release(all);
  };

  /** One at a time: a call that ends while the gateway stops wakes a turn beside `finish`, and both would send the same batch. */
  let last: Promise<unknown> = Promise.resolve();
  const work = (all: boolean): Promise<void> => {
    const next = last.then(() => workOnce(all));
    last = next.catch(() => {});
    return next;
  };

  const turn = async (): Promise<void> => {
    do {
      again = false;
      try {
        await work(false);
        if (failing) log.info('counting goes on');
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the database takes no counts now; the journal keeps them');
        failing = true;
      }
    } while (again && !failing);
    working = undefined;
  };

  const runNow = (): void => {
    again = working !== undefined;
    working ??= turn();
  };

  const timer = setInterval(() => {
    desk.sweep();
    idempotentCalls.sweep();
    if (working === undefined) runNow();
  }, everyMs).unref();

  return {
    runNow,
    finish: async () => {
      clearInterval(timer);
      await working;
      // A statement that is still under way may bring more to give back.
      for (let attempt = 0; attempt < 20; attempt += 1) {
        await work(true);
        if (desk.isEmpty() && idempotentCalls.isEmpty()) return;
        await sleep(50);
      }
    },
  };
}
