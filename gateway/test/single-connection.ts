import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { openPool } from '#shared/database/clients.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { valueParsers } from '#shared/database/value-parsers.ts';

/**
 * A pool of one connection to a database of its own, for this file's tests: one connection, so that its statistics can be flushed before they
 * are read. Calls to the function that it returns give the pool.
 */
export function useSingleConnection(): () => Pool {
  let database: TestDatabase | undefined;
  let pool: Pool | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool({ connectionString: database.databaseUrl, max: 1, types: valueParsers }, () => {});
  });
  afterAll(async () => {
    await pool?.end();
    await database?.close();
  });
  return () => {
    if (!pool) throw new Error('the database is not open yet');
    return pool;
  };
}
