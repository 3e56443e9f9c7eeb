import { Socket } from 'node:net';
import { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';
import { readNetworks } from '#shared/platform/addresses.ts';
import { KeyClients } from './key-clients.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const row = z.object({ network: z.string(), address: z.string(), client: z.string() });
const clientsOf = async (keyId: string) => {
  const read = await harness.database.pool.query(
    'select network::text, host(address) as address, client from key_clients where key_id = $1 order by key_clients.network',
    [keyId],
  );
  return read.rows.map((each) => row.parse(each));
};

/** A request from an address behind the trusted proxy, on one connection. */
const proxied = (socket: Socket, address: string, agent: string): IncomingMessage => {
  const req = new IncomingMessage(socket);
  req.headers = { 'x-forwarded-for': address, 'user-agent': agent };
  return req;
};

const localProxy = (address = '10.0.0.1') => {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return socket;
};

test('a gateway reports from where and with which client a key was used, revoked or not', async () => {
  const { key, keyId } = await createCustomer(harness.database.pool);
  await harness.call(key, { headers: { 'user-agent': 'curl/8.5.0' } });
  await expect
    .poll(() => clientsOf(keyId))
    .toEqual([{ network: '127.0.0.0/24', address: '127.0.0.1', client: 'curl/8.5.0' }]);
});

test('each network of a key has one row with its latest address, however many addresses it has', async () => {
  const { pool } = harness.database;
  const clients = new KeyClients(readNetworks(['10.0.0.1']));
  const socket = localProxy();
  const at = Date.now();
  const uses = ['203.0.113.7', '203.0.113.9', '198.51.100.1', '2001:db8:1:2::3', '2001:db8:1:9::4', 'nonsense'];
  for (const [index, address] of uses.entries())
    clients.note('KEY-N', proxied(socket, address, `a${index}`), at + index);
  await clients.write(pool);
  clients.note('KEY-N', proxied(localProxy(), '203.0.113.1', 'new'), at + 50);
  await clients.write(pool);
  expect(await clientsOf('KEY-N')).toEqual([
    { network: '198.51.100.0/24', address: '198.51.100.1', client: 'a2' },
    { network: '203.0.113.0/24', address: '203.0.113.1', client: 'new' },
    { network: '2001:db8:1::/48', address: '2001:db8:1:9::4', client: 'a4' },
  ]);
});

test('further calls on a connection are not looked at again', () => {
  const clients = new KeyClients(undefined);
  const socket = localProxy();
  const at = Date.now();
  for (let call = 0; call < 100; call += 1) clients.note('KEY-S', proxied(socket, '', 'a'), at);
  expect(clients.pending).toBe(1);
  clients.note('KEY-T', proxied(socket, '', 'a'), at);
  expect(clients.pending).toBe(2);
});

test('calls of many keys in turns, on any connections, are looked at once in 30 seconds, and again from another address or client', async () => {
  const clients = new KeyClients(undefined);
  const sockets = [localProxy(), localProxy()];
  const at = Date.now();
  const callAll = (agent: string, atMs: number): void => {
    for (const socket of sockets)
      for (const key of ['KEY-U', 'KEY-V']) clients.note(key, proxied(socket, '', agent), atMs);
  };
  callAll('a', at);
  await clients.write(harness.database.pool);
  callAll('a', at + 29_000);
  expect(clients.pending).toBe(0);
  callAll('b', at + 29_000);
  expect(clients.pending).toBe(2);
  await clients.write(harness.database.pool);
  callAll('b', at + 30_000);
  expect(clients.pending).toBe(2);
  await clients.write(harness.database.pool);
  clients.note('KEY-U', proxied(localProxy(), '', 'b'), at + 31_000);
  expect(clients.pending).toBe(0);
  clients.note('KEY-U', proxied(localProxy('10.0.0.2'), '', 'b'), at + 31_000);
  expect(clients.pending).toBe(1);
});
