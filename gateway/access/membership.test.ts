import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { type DatabaseLink, openDatabaseLink } from '#gateway/test/database-link.ts';
import { createLog } from '#shared/platform/log.ts';
import { joinGateways, type MembershipEvents } from './membership.ts';

let database: TestDatabase;
let link: DatabaseLink;
beforeAll(async () => {
  database = await createTestDatabase();
  link = await openDatabaseLink(database.databaseUrl);
});
afterAll(async () => {
  await link.close();
  await database.close();
});

const events: MembershipEvents = {
  onActivation: () => {},
  onMissedChanges: () => {},
  onQuota: () => {},
  catalog: { onPrepare: () => {}, onUse: () => true, onReconnected: async () => {} },
};
const join = (journalId: string) =>
  joinGateways(link.databaseUrl, journalId, events, createLog('test', { level: 'silent' }));

const countListeners = async (): Promise<number> => {
  const found = await database.pool.query(
    `select from pg_stat_activity where application_name = 'octroi gateway listener' and datname = current_database()`,
  );
  return found.rowCount ?? 0;
};

test('a gateway starts although its database does not answer for some seconds', async () => {
  const held = link.holdNext();
  const member = await join('patient');
  expect(held.hasCome()).toBe(true);
  expect(member.trusted()).toBe(true);
  held.release();
  await member.leave();
  await expect.poll(countListeners).toBe(0);
});

test('a gateway that leaves while it connects again keeps no connection, and its journal is free', async () => {
  const member = await join('leaving');
  expect(await countListeners()).toBe(1);
  const held = link.holdNext();
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'octroi gateway listener' and datname = current_database()`,
  );
  await expect.poll(held.hasCome).toBe(true);
  await member.leave();
  held.release();
  // Its connection is made, and given up.
  await expect.poll(link.connections).toBe(0);
  await expect.poll(countListeners).toBe(0);
  await (await join('leaving')).leave();
});

test('a gateway starts although a statement of its registration stands still for some seconds', async () => {
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table gateways in access exclusive mode');
  const joined = join('stalled');
  const waiting = () =>
    database.pool.query(`select pid from pg_locks where relation = 'gateways'::regclass and not granted`);
  // The second attempt waits too: the first was given up, and its process, which had the lock of the journal, was ended.
  await expect.poll(async () => (await waiting()).rowCount).toBe(1);
  const [first] = (await waiting()).rows;
  await expect.poll(async () => (await waiting()).rows).not.toEqual([first]);
  await expect.poll(async () => (await waiting()).rowCount).toBe(1);
  await blocker.query('commit');
  blocker.release();
  await (await joined).leave();
});
