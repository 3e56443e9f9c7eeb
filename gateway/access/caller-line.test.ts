import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { readNetworks } from '#shared/platform/addresses.ts';
import { createAccessCache } from './access-cache.ts';
import { createCallerLines } from './caller-line.ts';
import type { StoredKey } from './store.ts';

const keyNumber = (number: number): string =>
  makeApiKey(Uint8Array.from({ length: 30 }, (_, digit) => Math.floor(number / 62 ** digit) % 62));
const nowMs = Date.UTC(2026, 10, 1);
const [active, rotated, revoked, blocked, ending, bound] = [
  keyNumber(1),
  keyNumber(2),
  keyNumber(3),
  keyNumber(4),
  keyNumber(5),
  keyNumber(6),
];
const stored: StoredKey = {
  keyId: 'KEY-1',
  keyPrefix: null,
  activationId: 'ACT-1',
  customerId: 'CUS-1',
  serviceId: 'tax-lookup-api',
  revoked: false,
  blocked: false,
  test: false,
  expiresAt: null,
  allowedIps: [],
  dailyCap: null,
  maker: null,
  cycles: [],
};

/** `known`: keys in the order in which the test asks for them first. */
function openLines(...known: Partial<StoredKey>[]) {
  const clock = { nowMs };
  const loading = known.map((key) => ({ ...stored, ...key }));
  const cache = createAccessCache(
    async () => loading.shift(),
    () => true,
  );
  const lineOf = createCallerLines(cache, readNetworks(['10.0.0.0/8']), () => clock.nowMs);
  const line = (headers: Record<string, string>, address = '203.0.113.9') => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    return lineOf(Object.assign(new IncomingMessage(socket), { headers }));
  };
  return { cache, line, clock };
}

test('a customer has a line of its own once a key of it was found, however the key is sent', async () => {
  const { cache, line } = openLines({}, {}, { customerId: 'CUS-2' });
  expect(line({ 'x-api-key': active })).toEqual({ known: false, caller: '203.0.113.9' });
  for (const key of [active, rotated, keyNumber(7)]) await cache.find(key);
  for (const headers of [
    { 'x-api-key': active },
    { authorization: `Bearer ${active}` },
    { authorization: `bearer  ${active}` },
    { 'x-api-key': rotated },
  ])
    expect(line(headers)).toEqual({ known: true, caller: 'CUS-1' });
  expect(line({ 'x-api-key': keyNumber(7) })).toEqual({ known: true, caller: 'CUS-2' });
  cache.evictActivation('ACT-1');
  expect(line({ 'x-api-key': active })).toMatchObject({ known: false });
});

test('whoever has no key in use waits in the line of an address, whatever key the request names', async () => {
  const { cache, line } = openLines({}, { revoked: true }, { blocked: true });
  for (const key of [active, revoked, blocked, keyNumber(8)]) await cache.find(key);
  for (const key of [revoked, blocked, keyNumber(8), keyNumber(9), 'x', ''])
    expect(line({ 'x-api-key': key })).toEqual({ known: false, caller: '203.0.113.9' });
  expect(line({})).toEqual({ known: false, caller: '203.0.113.9' });
  expect(line({ 'x-forwarded-for': '198.51.100.7, 192.0.2.5' }, '10.1.2.3').caller).toBe('192.0.2.5');
  expect(line({ 'x-forwarded-for': '192.0.2.5' }).caller).toBe('203.0.113.9');
  expect(line({}, '2001:db8::1').caller).toBe(line({}, '2001:db8:0:0:ffff::2').caller);
});

test('a key waits in the line of an address once it has expired', async () => {
  const { cache, line, clock } = openLines({ expiresAt: new Date(nowMs + 1) });
  await cache.find(ending);
  expect(line({ 'x-api-key': ending })).toMatchObject({ known: true });
  clock.nowMs += 1;
  expect(line({ 'x-api-key': ending })).toEqual({ known: false, caller: '203.0.113.9' });
});

test('a key that is bound to addresses gives others no place in its customer’s line', async () => {
  const { cache, line } = openLines({ allowedIps: ['192.0.2.0/24'] });
  await cache.find(bound);
  expect(line({ 'x-api-key': bound }, '192.0.2.5')).toEqual({ known: true, caller: 'CUS-1' });
  expect(line({ 'x-api-key': bound, 'x-forwarded-for': '192.0.2.5' }, '10.1.2.3')).toMatchObject({ known: true });
  expect(line({ 'x-api-key': bound, 'x-forwarded-for': '192.0.2.5' })).toEqual({
    known: false,
    caller: '203.0.113.9',
  });
});

test('made-up keys displace none that is in use', async () => {
  const { cache, line } = openLines({}, { revoked: true }, { blocked: true });
  for (const key of [active, revoked, blocked]) await cache.find(key);
  for (let number = 10; number < 101_000; number += 1) await cache.find(keyNumber(number));
  expect(line({ 'x-api-key': active })).toMatchObject({ known: true });
});
