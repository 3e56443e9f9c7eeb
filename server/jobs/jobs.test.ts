import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#shared/database/connect.ts';
import { countWaiting, createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { patientPool } from '#shared/platform/test-patience.ts';
import { openJobs } from './jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('portals that start at the same time create one queue, and each can send and run jobs', async () => {
  const log = createLog('portal', { level: 'silent' });
  const portals = Array.from({ length: 5 }, () =>
    connect(database.databaseUrl, { ...patientPool, applicationName: 'octroi test', maxConnections: 4 }),
  );
  const opened = await Promise.all(portals.map(({ db }) => openJobs(db, log)));
  const worked: string[] = [];
  for (const jobs of opened) {
    await jobs.work('send-mail', async ({ mailId }) => {
      worked.push(mailId);
    });
  }
  const sent = opened.map((_, index) => `MSG-${index}`);
  for (const [index, jobs] of opened.entries()) {
    await jobs.send(portals[index]?.db ?? database.db, 'send-mail', { mailId: sent[index] ?? '' });
  }
  await expect.poll(() => worked.toSorted()).toEqual(sent);
  await Promise.all(opened.map((jobs) => jobs.stop()));
  await Promise.all(portals.map(({ close }) => close()));
});

test('a worker that has done a job does the next at once', async () => {
  const jobs = await openJobs(database.db, createLog('portal', { level: 'silent' }));
  const began: number[] = [];
  await jobs.work('verify-ledger', async () => {
    began.push(performance.now());
  });
  for (let sent = 0; sent < 40; sent += 1) await jobs.send(database.db, 'verify-ledger', {});
  await expect.poll(() => began.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(40);
  // A worker that looks for a job every half second never does two within less. The shortest pause, since a busy machine makes others long.
  const pauses = began.slice(1).map((at, index) => at - (began[index] ?? 0));
  expect(Math.min(...pauses)).toBeLessThan(300);
  await jobs.stop();
}, 90_000);

test('a job whose transaction is rolled back never runs', async () => {
  const jobs = await openJobs(database.db, createLog('portal', { level: 'silent' }));
  const worked: string[] = [];
  await jobs.work('finish-document', async ({ documentId }) => {
    worked.push(documentId);
  });
  const given = database.db.transaction().execute(async (tx) => {
    await jobs.send(tx, 'finish-document', { documentId: 'DOC-GIVEN-UP' });
    throw new Error('given up');
  });
  await expect(given).rejects.toThrow('given up');
  await jobs.send(database.db, 'finish-document', { documentId: 'DOC-KEPT' });
  await expect.poll(() => worked).toEqual(['DOC-KEPT']);
  await jobs.stop();
});

test('a job that is being fetched when the queue stops is done, and its end is recorded', async () => {
  const { db, close } = connect(database.databaseUrl, {
    ...patientPool,
    applicationName: 'octroi test fetching',
    maxConnections: 4,
  });
  const jobs = await openJobs(db, createLog('portal', { level: 'silent' }));
  const worked: string[] = [];
  const { stopped } = await database.db.transaction().execute(async (tx) => {
    await sql`lock table pgboss.job in share mode`.execute(tx);
    await jobs.send(tx, 'deliver-webhook', { deliveryId: 'DLV-FETCHED', tries: 0 });
    await jobs.work('deliver-webhook', async ({ deliveryId }) => {
      worked.push(deliveryId);
    });
    await expect.poll(() => countWaiting(database.db)).toBeGreaterThan(0);
    const stopping = jobs.stop().then(close);
    // Long enough for a stop that doesn't wait for the fetch to have closed the connections.
    await sleep(1500);
    return { stopped: stopping };
  });
  const readState = async () => {
    const { rows } = await sql<{ state: string }>`
      select state::text from pgboss.job where data ->> 'deliveryId' = 'DLV-FETCHED'`.execute(database.db);
    return rows.map(({ state }) => state);
  };
  await expect.poll(readState).toEqual(['completed']);
  expect(worked).toEqual(['DLV-FETCHED']);
  await stopped;
});

test('the queue stops within seconds when its database has gone, and nothing is rejected', async () => {
  const { db, pool } = connect(database.databaseUrl, {
    ...patientPool,
    applicationName: 'octroi test gone',
    maxConnections: 4,
  });
  const jobs = await openJobs(db, createLog('portal', { level: 'silent' }));
  const rejected: unknown[] = [];
  const listen = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', listen);
  let started = 0;
  const job = new EventEmitter();
  await jobs.work('deliver-webhook', async () => {
    started += 1;
    await once(job, 'end');
  });
  await jobs.send(database.db, 'deliver-webhook', { deliveryId: 'DLV-GONE', tries: 0 });
  await expect.poll(() => started).toBe(1);
  const stopped = jobs.stop();
  await pool.end();
  job.emit('end');
  await stopped;
  await sleep(100);
  process.off('unhandledRejection', listen);
  expect(rejected).toEqual([]);
});
