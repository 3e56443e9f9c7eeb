import type { Pool } from 'pg';
import { isRejected } from '#shared/database/clients.ts';
import { recordsBytes, typeOffset } from '#shared/domain/logged-call.ts';
import { type LogBatch, type LogCorrection, LogRejection, type LogWriter } from './log.ts';

/** Writes the log into PostgreSQL: a row for each batch (decision 018). */
export function postgresWriter(pool: Pool): LogWriter {
  return {
    append: (batches) => appendBatches(pool, batches).catch(throwRejection),
    correct: (correction) => writeCorrection(pool, correction).catch(throwRejection),
  };
}

function throwRejection(error: unknown): never {
  throw isRejected(error) ? new LogRejection(error.constraint, error) : error;
}

async function appendBatches(pool: Pool, batches: readonly LogBatch[]): Promise<void> {
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
async function writeCorrection(pool: Pool, correction: LogCorrection): Promise<void> {
  const { batch, index, from, to, status, lessCounted } = correction;
  await pool.query(
    `update request_log
     set records = overlay(records placing $2 from $3), dictionary = $4, counted = counted - $5,
       statuses = array_append(array_remove(statuses, $6), $6)
     where id = $1 and day = $8 and substr(records, $3, 2) = $7`,
    // A dictionary only grows: by now it has both sorts.
    [batch.id, bytesOf(to), typeOffset(index) + 1, batch.dictionary(), lessCounted, status, bytesOf(from), batch.day],
  );
}
