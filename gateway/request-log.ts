import { Pool } from 'pg';
import type { CallOutcome } from '#domain/metering.ts';
import type { Log } from '#platform/log.ts';
import { maskPath } from './mask-path.ts';

/** What became of one call, for the customer whose key made it. It decides nothing: quotas and usage are counted by the journal. */
export interface LoggedCall {
  requestId: string;
  activationId: string;
  keyId: string;
  /** Epoch milliseconds. */
  at: number;
  method: string;
  /** As it was called; the query is cut off and numbers are masked before it is written. */
  target: string;
  status: number;
  latencyMs: number;
  counted: boolean;
  reason: CallOutcome;
}

/** Writes calls to the database in batches, beside the counting and never in its way. */
export interface RequestLog {
  /** Notes a call. The entry may still be changed until it is written; after that `note` it again. */
  note: (call: LoggedCall) => void;
  /** Writes what is noted, as far as the database takes it now. */
  close: () => Promise<void>;
}

const everyMs = 500;
const largestBatch = 2000;
/** More than this is not held: a database that takes nothing for long must not fill the memory. */
const maxWaiting = 20_000;

export function startRequestLog(databaseUrl: string, log: Log): RequestLog {
  // A connection of its own, so that counting never waits for it; what a crash of the database loses here is no money.
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'octroi gateway request log',
    max: 1,
    statement_timeout: 10_000,
    connectionTimeoutMillis: 5000,
    options: '-c synchronous_commit=off',
  });
  pool.on('error', (error) => log.debug({ err: error }, 'the request log lost its connection'));
  let waiting: LoggedCall[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largestBatch);
      await writeCalls(pool, batch);
      waiting = waiting.slice(batch.length);
    }
  };
  const turn = async (): Promise<void> => {
    try {
      await write();
    } catch (error) {
      log.debug({ err: error }, 'the database takes no request log now');
    }
    if (dropped > 0) log.warn({ dropped }, 'calls were counted but not written to the request log');
    dropped = 0;
    writing = undefined;
  };
  const timer = setInterval(() => {
    if (waiting.length > 0) writing ??= turn();
  }, everyMs).unref();

  return {
    note: (call) => {
      if (waiting.length >= maxWaiting) dropped += 1;
      else waiting.push(call);
    },
    close: async () => {
      clearInterval(timer);
      await writing;
      await turn();
      await pool.end();
    },
  };
}

/** Writes calls; one that is there already is replaced, so that a batch may be sent again. */
async function writeCalls(pool: Pool, calls: readonly LoggedCall[]): Promise<void> {
  // The last word on a call counts; one statement may name it once.
  const rows = [...new Map(calls.map((call) => [call.requestId, call])).values()];
  await pool.query({
    name: 'log-requests',
    text: `
      insert into request_log as l (request_id, activation_id, key_id, at, method, path, status, latency_ms, counted, reason)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::smallint[], $8::integer[],
        $9::boolean[], $10::text[])
      on conflict (request_id) do update set status = excluded.status, counted = excluded.counted, reason = excluded.reason`,
    values: [
      rows.map((call) => call.requestId),
      rows.map((call) => call.activationId),
      rows.map((call) => call.keyId),
      rows.map((call) => new Date(call.at)),
      rows.map((call) => call.method.slice(0, 20)),
      rows.map((call) => maskPath(call.target)),
      rows.map((call) => call.status),
      rows.map((call) => Math.max(0, Math.round(call.latencyMs))),
      rows.map((call) => call.counted),
      rows.map((call) => call.reason),
    ],
  });
}
