import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isRejected, openPool } from '#shared/database/clients.ts';
import type { Day } from '#shared/domain/day.ts';
import { recordsBytes, typeOffset } from '#shared/domain/logged-call.ts';
import type { Networks } from '#shared/platform/addresses.ts';
import type { Log } from '#shared/platform/log.ts';
import { type Batch, type Change, openBatches } from './batches.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { KeyClients } from './key-clients.ts';
import { RefusedCalls, type Summary } from './refused-calls.ts';

/** Writes calls to the database in batches, independent of counting. */
export interface RequestLog {
  /** Records a call as the last one of the returned batch; undefined if it isn't logged by itself: too many were refused, or wait for the database. */
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
/** Limits memory use while the database is down. */
const maxWaiting = 100_000;

/** A correction of a call whose batch is sealed. */
interface Correction extends Change {
  batchId: string;
  day: Day;
  index: number;
  /** Contains both types, since a dictionary only grows. */
  dictionary: string;
  status: number;
}

export function startRequestLog(databaseUrl: string, log: Log, proxies?: Networks): RequestLog {
  // A separate connection, so counting never waits for it. Losing the last records in a crash of the database is acceptable.
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: 'octroi gateway request log',
      max: 1,
      min: 1,
      statement_timeout: 10_000,
      connectionTimeoutMillis: 5000,
      options: '-c synchronous_commit=off',
    },
    (error) => log.debug({ err: error }, 'the request log lost its connection'),
  );
  const filling = openBatches();
  const clients = new KeyClients(proxies);
  const refusedCalls = new RefusedCalls();
  /** Sealed batches, being written or to be retried. */
  let batches: Batch[] = [];
  const corrections: Correction[] = [];
  let pendingCalls = 0;
  let dropped = 0;
  let droppedBefore = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  let closing = false;

  /** Writes batches. If the database rejects one, it is logged and skipped, so that the others are written. */
  const writeOrSkip = async (chunk: readonly Batch[]): Promise<void> => {
    try {
      await writeBatches(pool, chunk);
    } catch (error) {
      if (!isRejected(error)) throw error;
      if (chunk.length > 1) {
        for (const batch of chunk) await writeOrSkip([batch]);
      } else {
        const { constraint } = error;
        log.error(
          { batch: chunk[0]?.id, calls: chunk[0]?.calls, constraint },
          'the database rejected a batch of the request log',
        );
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
    await clients.write(pool);
    // Batches first, since corrections update their rows.
    for (let next = corrections[0]; next !== undefined; next = corrections[0]) {
      const correction = next;
      await writeCorrection(pool, correction).catch((error: unknown) => {
        if (!isRejected(error)) throw error;
        log.error(
          { batch: correction.batchId, constraint: error.constraint },
          'the database rejected a correction of the request log',
        );
      });
      corrections.shift();
    }
  };
  const turn = async (): Promise<void> => {
    try {
      await write();
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
      corrections.push({
        ...change,
        batchId: batch.id,
        day: batch.day,
        index,
        dictionary: batch.dictionary(),
        status: after.status,
      });
    },
    state: () => ({ waiting: pendingCalls, dropped: droppedBefore + dropped }),
    close: async () => {
      clearInterval(timer);
      closing = true;
      await writing;
      refusedCalls.takeAll().forEach(addSummary);
      await turn();
      await pool.end();
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

async function writeBatches(pool: Pool, batches: readonly Batch[]): Promise<void> {
  let bytes = 0;
  await pool.query({
    name: 'log-requests',
    text: `
      insert into request_log
        (id, activation_id, key_id, day, test, from_at, to_at, calls, counted, statuses, dictionary, records, problems, unlisted)
      select id, activation_id, key_id, day, test, to_timestamp(from_ms / 1000.0), to_timestamp(to_ms / 1000.0), calls, counted,
        statuses::smallint[], dictionary, substr($12::bytea, begins, bytes), problems::jsonb, unlisted
      from unnest($1::uuid[], $2::text[], $3::text[], $4::date[], $5::boolean[], $6::float8[], $7::float8[], $8::integer[],
        $9::integer[], $10::text[], $11::text[], $13::integer[], $14::integer[], $15::text[],
        $16::integer[]) as b (id, activation_id, key_id, day, test, from_ms, to_ms, calls, counted, statuses, dictionary, begins, bytes, problems, unlisted)
      on conflict (id, day) do nothing`,
    values: [
      batches.map((batch) => batch.id),
      batches.map((batch) => batch.activationId),
      batches.map((batch) => batch.keyId),
      batches.map((batch) => batch.day),
      batches.map((batch) => batch.test),
      batches.map((batch) => batch.fromMs),
      batches.map((batch) => batch.toMs),
      batches.map((batch) => batch.calls),
      batches.map((batch) => batch.counted),
      batches.map((batch) => `{${[...batch.statuses].join(',')}}`),
      batches.map((batch) => batch.dictionary()),
      // One buffer for all records, which needs no escaping.
      Buffer.concat(batches.map((batch) => batch.records())),
      batches.map(({ calls }) => (bytes += recordsBytes(calls)) - recordsBytes(calls) + 1),
      batches.map(({ calls }) => recordsBytes(calls)),
      batches.map((batch) => batch.problems()),
      batches.map((batch) => batch.unlisted),
    ],
  });
}

/** The bytes of a type in a record. */
function bytesOf(type: number): Buffer {
  return Buffer.of(type >>> 8, type);
}

/** Idempotent: it changes nothing if the row already has this correction or a later one. */
async function writeCorrection(pool: Pool, correction: Correction): Promise<void> {
  const { batchId, day, index, from, to, dictionary, status, lessCounted } = correction;
  await pool.query(
    `update request_log
     set records = overlay(records placing $2 from $3), dictionary = $4, counted = counted - $5,
       statuses = array_append(array_remove(statuses, $6), $6)
     where id = $1 and day = $8 and substr(records, $3, 2) = $7`,
    [batchId, bytesOf(to), typeOffset(index) + 1, dictionary, lessCounted, status, bytesOf(from), day],
  );
}
