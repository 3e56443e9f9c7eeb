import { setTimeout as sleep } from 'node:timers/promises';
import type { Networks } from '#shared/platform/addresses.ts';
import type { Log } from '#shared/platform/log.ts';
import { type LogCorrection, LogRejection } from '#shared/request-log/log.ts';
import { type Batch, openBatches } from './batches.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { KeyClients } from './key-clients.ts';
import type { Places } from './places.ts';
import { RefusedCalls, type Summary } from './refused-calls.ts';

/** Writes calls to the log in batches, independent of counting. */
export interface RequestLog {
  /** Records a call as the last one of the returned batch; undefined if it isn't logged by itself: too many were refused, or wait for the log. */
  record: (call: CallInfo, outcome: Outcome, latencyMs: number) => Batch | undefined;
  /** Notes from where a key is used. */
  clients: Pick<KeyClients, 'note'>;
  /** Corrects the outcome of call `index` of a batch. */
  correct: (batch: Batch, index: number, call: CallInfo, before: Outcome, after: Outcome) => void;
  /** Calls that wait to be written, and how many never will be, because too many waited. */
  state: () => { waiting: number; dropped: number };
  /** Tries once to write everything recorded. */
  close: () => Promise<void>;
}

const intervalMs = 500;
/**
 * Statements are limited in size and spread out, because PostgreSQL often shares its cores with the gateway: one large statement would
 * delay calls.
 */
const maxCalls = 5000;
const maxBatches = 100;
const maxPauseMs = 10;
/** Limits memory use while the log is down. */
const maxWaiting = 100_000;

export function startRequestLog(
  { writer, pool }: Pick<Places, 'writer' | 'pool'>,
  log: Log,
  proxies?: Networks,
): RequestLog {
  const filling = openBatches();
  const clients = new KeyClients(proxies);
  const refusedCalls = new RefusedCalls();
  /** Sealed batches, being written or to be retried. */
  let batches: Batch[] = [];
  const corrections: LogCorrection[] = [];
  let pendingCalls = 0;
  let dropped = 0;
  let droppedBefore = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  let closing = false;

  /** Writes batches. If the log rejects one, that is noted and it is skipped, so that the others are written. */
  const writeOrSkip = async (chunk: readonly Batch[]): Promise<void> => {
    try {
      await writer.append(chunk);
    } catch (error) {
      if (!(error instanceof LogRejection)) throw error;
      if (chunk.length > 1) {
        for (const batch of chunk) await writeOrSkip([batch]);
      } else {
        const { rule } = error;
        log.error({ batch: chunk[0]?.id, calls: chunk[0]?.calls, rule }, 'a batch of the request log was rejected');
      }
    }
  };

  const add = (call: CallInfo, outcome: Outcome, latencyMs: number): Batch => {
    pendingCalls += 1;
    return filling.add(call, outcome, Math.max(0, Math.round(latencyMs)));
  };
  const addSummary = (summary: Summary): void =>
    add(summary.call, summary.outcome, summary.latencyMs).addOthers(summary);

  const write = async (): Promise<void> => {
    if (pendingCalls < maxWaiting) refusedCalls.take().forEach(addSummary);
    batches.push(...filling.take());
    const pauseMs = Math.min(maxPauseMs, intervalMs / 2 / batches.length);
    while (batches.length > 0) {
      const chunk = firstChunk(batches);
      await writeOrSkip(chunk);
      pendingCalls -= chunk.reduce((sum, batch) => sum + batch.calls, 0);
      batches = batches.slice(chunk.length);
      if (batches.length > 0 && !closing) await sleep(pauseMs);
    }
    // Batches first, since corrections update their rows.
    for (let next = corrections[0]; next !== undefined; next = corrections[0]) {
      const correction = next;
      await writer.correct(correction).catch((error: unknown) => {
        if (!(error instanceof LogRejection)) throw error;
        log.error({ batch: correction.batch.id, rule: error.rule }, 'a correction of the request log was rejected');
      });
      corrections.shift();
    }
  };
  const turn = async (): Promise<void> => {
    // Whichever of the two is away, the other is written.
    const noted = await clients.write(pool).catch((error: unknown) => ({ error }));
    try {
      await write();
      if (noted !== undefined) throw noted.error;
      if (failing) log.info('the request log is written again');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ reason: reasonOf(error) }, 'could not write the request log; it is retried');
      failing = true;
    }
    if (dropped > 0) log.warn({ dropped }, 'calls were counted but not written to the request log');
    droppedBefore += dropped;
    dropped = 0;
    writing = undefined;
  };
  const timer = setInterval(() => {
    if (pendingCalls + corrections.length + clients.pending + refusedCalls.pending > 0) writing ??= turn();
  }, intervalMs).unref();

  return {
    clients,
    record: (call, outcome, latencyMs) => {
      // What is dropped takes nothing of its customer's rate, and is in no summary either.
      if (pendingCalls >= maxWaiting) {
        dropped += 1;
        return undefined;
      }
      if (outcome.reason === 'refused' && !refusedCalls.admit(call, outcome, latencyMs)) return undefined;
      return add(call, outcome, latencyMs);
    },
    correct: (batch, index, call, before, after) => {
      if (batch.sealed && corrections.length >= maxWaiting) return;
      const change = batch.change(index, call, before, after);
      if (change === undefined || !batch.sealed) return;
      corrections.push({ ...change, batch, index, status: after.status });
    },
    state: () => ({ waiting: pendingCalls, dropped: droppedBefore + dropped }),
    close: async () => {
      clearInterval(timer);
      closing = true;
      await writing;
      refusedCalls.takeAll().forEach(addSummary);
      await turn();
    },
  };
}

/** The message only, since the details of an error may contain a call. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first batches, up to the limits of one statement, and at least one. */
function firstChunk(batches: readonly Batch[]): Batch[] {
  let calls = 0;
  const end = batches.findIndex((batch, index) => {
    calls += batch.calls;
    return index > 0 && (calls > maxCalls || index >= maxBatches);
  });
  return batches.slice(0, end === -1 ? undefined : end);
}
