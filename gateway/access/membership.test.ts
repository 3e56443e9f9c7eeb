import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { createLog } from '#platform/log.ts';
import { joinGateways, type MembershipEvents } from './membership.ts';

let database: TestDatabase;
/** The database behind a proxy, which can leave new connections waiting. */
let databaseUrl: string;
let holds = 0;
let held: (() => void)[] = [];
const sockets = new Set<Socket>();
const proxy = createServer((client) => {
  const pass = (): void => {
    const upstream = connect(Number(new URL(database.databaseUrl).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream).pipe(client);
  };
  client.on('error', () => {});
  if (holds === 0) return pass();
  holds -= 1;
  held.push(pass);
});
beforeAll(async () => {
  database = await createTestDatabase();
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  const url = new URL(database.databaseUrl);
  url.port = String(typeof address === 'object' ? address?.port : 0);
  databaseUrl = url.href;
});
beforeEach(() => {
  held = [];
  holds = 0;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await database.close();
});

const events: MembershipEvents = {
  onActivation: () => {},
  onMissedChanges: () => {},
  onQuota: () => {},
  catalog: { onPrepare: () => {}, onUse: () => true, onReconnected: async () => {} },
};
const join = (journalId: string) =>
  joinGateways(databaseUrl, journalId, events, createLog('test', { level: 'silent' }));

const countListeners = async (): Promise<number> => {
  const found = await database.pool.query(
    `select from pg_stat_activity where application_name = 'octroi gateway listener' and datname = current_database()`,
  );
  return found.rowCount ?? 0;
};

test('a gateway starts although its database does not answer for some seconds', async () => {
  holds = 1;
  const member = await join('patient');
  expect(held).toHaveLength(1);
  expect(member.trusted()).toBe(true);
  await member.leave();
  await expect.poll(countListeners).toBe(0);
});

test('a gateway that leaves while it connects again keeps no connection, and its journal is free', async () => {
  const member = await join('leaving');
  expect(await countListeners()).toBe(1);
  holds = 1;
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'octroi gateway listener' and datname = current_database()`,
  );
  await expect.poll(() => held.length).toBe(1);
  await member.leave();
  for (const pass of held) pass();
  // Its connection is made, and given up.
  await expect.poll(() => [...sockets].every(({ destroyed }) => destroyed)).toBe(true);
  await expect.poll(countListeners).toBe(0);
  await (await join('leaving')).leave();
});
