import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient, openPool } from './clients.ts';
import { connect } from './connect.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
});
afterAll(() => database.close());

const pidOf = async (on: { query: (text: string) => Promise<{ rows: { pid: number }[] }> }): Promise<number> =>
  (await on.query('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
const terminate = (pid: number) => database.pool.query('select pg_terminate_backend($1)', [pid]);

test('a pooled connection that dies while in use is reported, and the pool continues with a new one', async () => {
  const lost: string[] = [];
  const { pool, close } = connect(database.databaseUrl, {
    applicationName: 'octroi test',
    maxConnections: 1,
    onConnectionLost: ({ message }) => lost.push(message),
  });
  const client = await pool.connect();
  const pid = await pidOf(client);
  await terminate(pid);
  await expect.poll(() => lost).toContain('Connection terminated unexpectedly');
  await expect(client.query('select 1')).rejects.toThrow('not queryable');
  client.release();
  expect(await pidOf(pool)).not.toBe(pid);
  await close();
});

test('an idle pooled connection that dies is reported once per error', async () => {
  const lost: Error[] = [];
  const pool = openPool({ connectionString: database.databaseUrl, max: 1 }, (error) => lost.push(error));
  const pid = await pidOf(pool);
  await terminate(pid);
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  expect(new Set(lost).size).toBe(lost.length);
  expect(await pidOf(pool)).not.toBe(pid);
  await pool.end();
});

test('a single client that dies rejects its statement and has no other effect', async () => {
  const lost: Error[] = [];
  const client = openClient({ connectionString: database.databaseUrl }, (error) => lost.push(error));
  await client.connect();
  const pid = await pidOf(client);
  const [sleeping] = await Promise.allSettled([client.query('select pg_sleep(60)'), terminate(pid)]);
  expect(sleeping).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('terminating') } });
  await expect.poll(() => lost.length).toBeGreaterThan(0);
});
