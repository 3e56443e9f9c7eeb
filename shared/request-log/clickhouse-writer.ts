import { ClickHouseError } from '@clickhouse/client';
import { createHash } from 'node:crypto';
import { readCalls } from '#shared/domain/logged-call.ts';
import type { ClickHouse } from './clickhouse.ts';
import { type LogBatch, LogRejection, type LogWriter } from './log.ts';

/**
 * Writes the log into ClickHouse: a row for each call, and one for each batch with what is counted of it. What is appended again replaces itself, and a
 * correction is a newer version. The row of a batch comes last.
 */
export function clickHouseWriter({ client }: ClickHouse): LogWriter {
  const insert = async (table: string, of: readonly LogBatch[], values: object[]): Promise<void> => {
    const token = createHash('sha256');
    for (const { id, revision } of of) token.update(`${id} ${revision}\n`);
    await client
      .insert({
        table,
        values,
        format: 'JSONEachRow',
        clickhouse_settings: {
          // A block that is sent again is not stored again; where the server has forgotten it, its rows replace themselves.
          insert_deduplication_token: token.digest('hex'),
          // On a cluster, the reply comes when the shard has the rows.
          insert_distributed_sync: 1,
        },
      })
      .catch(throwRejection);
  };
  return {
    append: async (batches) => {
      await insert(
        'request_calls',
        batches,
        batches.flatMap((batch) => callRows(batch, 0)),
      );
      await insert('request_batches', batches, batches.map(batchRow));
    },
    correct: async ({ batch, index }) => {
      const row = callRows(batch, batch.revision)[index];
      await insert('request_calls', [batch], row === undefined ? [] : [row]);
      await insert('request_batches', [batch], [batchRow(batch)]);
    },
  };
}

const callRows = (batch: LogBatch, version: number) =>
  readCalls(batch.day, batch.dictionary(), batch.records()).map(({ requestId, at, latencyMs, problem, ...type }) => ({
    activation_id: batch.activationId,
    key_id: batch.keyId,
    at,
    request_id: requestId,
    ...type,
    problem: problem ?? '',
    latency_ms: latencyMs,
    version,
  }));

const batchRow = (batch: LogBatch) => ({
  activation_id: batch.activationId,
  day: batch.day,
  id: batch.id,
  key_id: batch.keyId,
  test: batch.test,
  to_at: batch.toMs,
  calls: batch.calls,
  counted: batch.counted,
  unlisted: batch.unlisted,
  problems: JSON.parse(batch.problems()) as unknown,
  version: batch.revision,
});

/** Codes of ClickHouse for rows that it can't take: they say nothing of its state. */
const rejections = new Set(['6', '26', '27', '38', '41', '53', '69', '117', '131', '376']);

function throwRejection(error: unknown): never {
  if (error instanceof ClickHouseError && rejections.has(error.code)) throw new LogRejection(error.type, error);
  throw error;
}
