import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { openPool } from '#database/clients.ts';
import { callRecordBytes, sortInRecord } from '#domain/logged-call.ts';
import type { Log } from '#platform/log.ts';
import { type Batch, type CallInfo, type Change, openBatches, type Outcome } from './batches.ts';

/** Writes calls to the database in batches, beside the counting and never in its way. */
export interface RequestLog {
  /** Notes a call, and answers the batch at whose end it is; undefined when too much waits for the database already. */
  note: (about: CallInfo, outcome: Outcome, latencyMs: number) => Batch | undefined;
  /** Another word on the call at a place of a batch, counted from 0. */
  correct: (batch: Batch, place: number, about: CallInfo, before: Outcome, after: Outcome) => void;
  /** Writes what is noted, as far as the database takes it now. */
  close: () => Promise<void>;
}

const everyMs = 500;
/**
 * One statement takes so many calls or batches at most, and the next follows after a pause: while PostgreSQL works on half a second's
 * calls at once, calls wait for the core that it shares with the gateway.
 */
const mostCalls = 5000;
const mostBatches = 100;
const longestPauseMs = 10;
/** More than this is not held: a database that takes nothing for long must not fill the memory. */
const maxWaiting = 100_000;

/** A word on a call whose batch is written, or on its way. */
interface Correction extends Change {
  batchId: string;
  place: number;
  /** With both sorts in it; it only grows. */
  dictionary: string;
  status: number;
}

export function startRequestLog(databaseUrl: string, log: Log): RequestLog {
  // A connection of its own, so that counting never waits for it; what a crash of the database loses here is no money.
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
  /** What is being written, or could not be written yet. */
  let batches: Batch[] = [];
  const corrections: Correction[] = [];
  let held = 0;
  let dropped = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  let closing = false;

  /** Writes batches. One that the database will never take must not keep the others from it: it is told of and left out. */
  const writeOrLeave = async (some: readonly Batch[]): Promise<void> => {
    try {
      await writeBatches(pool, some);
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (some.length > 1) {
        for (const batch of some) await writeOrLeave([batch]);
      } else {
        const { constraint } = error;
        log.error(
          { batch: some[0]?.id, calls: some[0]?.calls, constraint },
          'the database refused a batch of the request log',
        );
      }
    }
  };

  const write = async (): Promise<void> => {
    batches.push(...filling.take());
    const pauseMs = Math.min(longestPauseMs, everyMs / 2 / batches.length);
    while (batches.length > 0) {
      const some = firstOf(batches);
      await writeOrLeave(some);
      held -= some.reduce((sum, batch) => sum + batch.calls, 0);
      batches = batches.slice(some.length);
      if (batches.length > 0 && !closing) await sleep(pauseMs);
    }
    // Batches come first: a correction is of a call that stands in one.
    for (let next = corrections[0]; next !== undefined; next = corrections[0]) {
      const correction = next;
      await writeCorrection(pool, correction).catch((error: unknown) => {
        if (!isRefused(error)) throw error;
        log.error(
          { batch: correction.batchId, constraint: error.constraint },
          'the database refused a word of the request log',
        );
      });
      corrections.shift();
    }
  };
  const turn = async (): Promise<void> => {
    try {
      await write();
      if (failing) log.info('the request log goes on');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ reason: reasonOf(error) }, 'the database takes no request log now');
      failing = true;
    }
    if (dropped > 0) log.warn({ dropped }, 'calls were counted but not written to the request log');
    dropped = 0;
    writing = undefined;
  };
  const timer = setInterval(() => {
    if (held + corrections.length > 0) writing ??= turn();
  }, everyMs).unref();

  return {
    note: (about, outcome, latencyMs) => {
      if (held >= maxWaiting) {
        dropped += 1;
        return undefined;
      }
      held += 1;
      return filling.add(about, outcome, Math.max(0, Math.round(latencyMs)));
    },
    correct: (batch, place, about, before, after) => {
      if (batch.sealed && corrections.length >= maxWaiting) return;
      const change = batch.change(place, about, before, after);
      if (change === undefined || !batch.sealed) return;
      corrections.push({ ...change, batchId: batch.id, place, dictionary: batch.dictionary(), status: after.status });
    },
    close: async () => {
      clearInterval(timer);
      closing = true;
      await writing;
      await turn();
      await pool.end();
    },
  };
}

/** Did the database understand the statement and refuse what it says (SQLSTATE classes 22 and 23)? It would do so each time. */
function isRefused(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '');
}

/** Without its details, in which a call may stand. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** As many of the first batches as one statement takes, and one at least. */
function firstOf(batches: readonly Batch[]): Batch[] {
  let calls = 0;
  const end = batches.findIndex((batch, index) => {
    calls += batch.calls;
    return index > 0 && (calls > mostCalls || index >= mostBatches);
  });
  return batches.slice(0, end === -1 ? undefined : end);
}

async function writeBatches(pool: Pool, batches: readonly Batch[]): Promise<void> {
  let records = 0;
  await pool.query({
    name: 'log-requests',
    text: `
      insert into request_batches
        (id, activation_id, key_id, day, test, from_at, to_at, calls, counted, statuses, dictionary, records)
      select id, activation_id, key_id, day, test, to_timestamp(from_ms / 1000.0), to_timestamp(to_ms / 1000.0), calls, counted,
        statuses::smallint[], dictionary, substr($12::bytea, begins, calls * ${callRecordBytes})
      from unnest($1::uuid[], $2::text[], $3::text[], $4::date[], $5::boolean[], $6::float8[], $7::float8[], $8::integer[],
        $9::integer[], $10::text[], $11::text[], $13::integer[])
        as b (id, activation_id, key_id, day, test, from_ms, to_ms, calls, counted, statuses, dictionary, begins)
      on conflict (id) do nothing`,
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
      // All records go as one piece of bytes, which nothing on the way has to escape.
      Buffer.concat(batches.map((batch) => batch.records())),
      batches.map((batch) => (records += batch.calls) - batch.calls).map((before) => before * callRecordBytes + 1),
    ],
  });
}

/** A sort as it stands in a record. */
function bytesOf(sort: number): Buffer {
  return Buffer.of(sort >>> 8, sort);
}

/** Made again, or on a batch that was written with it or with a still later word already, it finds nothing to change. */
async function writeCorrection(pool: Pool, correction: Correction): Promise<void> {
  const { batchId, place, from, to, dictionary, status, lessCounted } = correction;
  await pool.query(
    `update request_batches
     set records = overlay(records placing $2 from $3), dictionary = $4, counted = counted - $5,
       statuses = array_append(array_remove(statuses, $6), $6)
     where id = $1 and substr(records, $3, 2) = $7`,
    [batchId, bytesOf(to), place * callRecordBytes + sortInRecord + 1, dictionary, lessCounted, status, bytesOf(from)],
  );
}
