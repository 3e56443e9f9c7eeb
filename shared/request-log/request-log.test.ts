import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { openLogReader, openLogWriter } from './open.ts';
import { checkExpiry, checkLog } from './test-log.ts';

// A PostgreSQL that has the log alone, and nothing before the first `prepare`.
let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase('empty')));
afterAll(() => database.close());

const log = createLog('gateway', { level: 'silent' });

test('a log in PostgreSQL holds what a plain list would, however often it is written, corrected and read', async () => {
  const reader = await openLogReader(database.owner.databaseUrl, 'octroi test log');
  const writer = await openLogWriter(database.owner.databaseUrl, log);
  await Promise.all([reader.prepare('2026-03-02'), reader.prepare('2026-03-02')]);
  await checkLog({ writer, reader }, 60);
  await checkExpiry({ writer, reader });
  await writer.close();
  await reader.close();
  expect(await database.owner.pool.query('select from request_log')).toMatchObject({ rowCount: 2 });
});
