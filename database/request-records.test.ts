import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startOfDay } from '#domain/day.ts';
import { type LoggedCall, readCalls } from '#domain/logged-call.ts';
import { migrate, readMigrations } from './migrate.ts';
import { createTestDatabase } from './test-database.ts';

const day = '2026-11-22';
const at = startOfDay(day) + 5_000;
const common = { method: 'GET', path: '/v1/ok', status: 200, latencyMs: 2, units: 1, reason: 'answered' } as const;
const calls: LoggedCall[] = [
  { ...common, requestId: 'req_abcdefghij-klmnopqrst', at },
  { ...common, requestId: 'req_---------_--_-_-_-_-_', at: at + 1, method: 'POST', status: 404, reason: 'judged' },
  { ...common, requestId: 'req_0123456789-0123456789', at: at + 600, latencyMs: 70_000 },
];

const lineOf = ({ requestId, at, method, path, status, latencyMs, units, reason }: LoggedCall): string =>
  `${requestId} ${at} ${method} ${path} ${status} ${latencyMs} ${units} ${reason}\n`;

test('calls that were logged as lines are migrated to records, including those with ids in one piece', async () => {
  const database = await createTestDatabase('empty');
  try {
    await migrate(database.databaseUrl, readMigrations().slice(0, 12));
    const inOnePiece = (call: LoggedCall): string =>
      lineOf({ ...call, requestId: `req_${call.requestId.slice(4, 14)}${call.requestId.slice(15)}` });
    for (const write of [lineOf, inOnePiece]) {
      await database.pool.query(
        `insert into request_batches values ($1, 'ACT-1', 'KEY-1', $2, false, $3, $4, 3, 3, '{200,404}', $5)`,
        [randomUUID(), day, new Date(at), new Date(at + 600), calls.map(write).join('')],
      );
    }
    // Records that no gateway writes: empty, shorter than declared, with a time of another day.
    const odd = ['', lineOf({ ...common, requestId: 'req_abcdefghij-klmnopqrst', at: at - 40 * 86_400_000 })];
    for (const lines of odd) {
      await database.pool.query(
        `insert into request_batches values ($1, 'ACT-2', 'KEY-2', $2, false, $3, $3, 3, 3, '{200}', $4)`,
        [randomUUID(), day, new Date(at), lines],
      );
    }
    await migrate(database.databaseUrl);
    const kept = await database.pool.query(`select calls, counted from request_batches where key_id = 'KEY-2'`);
    expect(kept.rows).toEqual([{ calls: 1, counted: 1 }]);
    const found = await database.pool.query<{ dictionary: string; records: Buffer }>(
      `select dictionary, records from request_batches where key_id = 'KEY-1'`,
    );
    expect(found.rows.map(({ dictionary, records }) => readCalls(day, dictionary, records))).toEqual([calls, calls]);
    expect(found.rows[0]?.dictionary.split('\n')).toHaveLength(2);
  } finally {
    await database.close();
  }
});
