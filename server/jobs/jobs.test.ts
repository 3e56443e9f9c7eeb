import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { createLog } from '#platform/log.ts';
import { openJobs } from './jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('portals that start at the same time create one queue, and each can send and run jobs', async () => {
  const log = createLog('portal', { level: 'silent' });
  const portals = Array.from({ length: 5 }, () =>
    connect(database.databaseUrl, { applicationName: 'octroi test', maxConnections: 4 }),
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
