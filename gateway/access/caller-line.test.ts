import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeApiKey } from '#domain/api-key.ts';
import { readNetworks } from '#platform/addresses.ts';
import { createAccessCache } from './access-cache.ts';
import { createCallerLines } from './caller-line.ts';
import type { StoredKey } from './store.ts';

const keyNumber = (number: number): string =>
  makeApiKey(Uint8Array.from({ length: 30 }, (_, digit) => Math.floor(number / 62 ** digit) % 62));
const [active, revoked, blocked] = [keyNumber(1), keyNumber(2), keyNumber(3)];
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
  cycles: [],
};
const known = [stored, { ...stored, revoked: true }, { ...stored, blocked: true }];

function openLines() {
  let loaded = 0;
  const cache = createAccessCache(
    async () => known[loaded++],
    () => true,
  );
  const lineOf = createCallerLines(cache, readNetworks(['10.0.0.0/8']));
  const line = (headers: Record<string, string>, address = '203.0.113.9') => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    return lineOf(Object.assign(new IncomingMessage(socket), { headers }));
  };
  return { cache, line };
}

test('a key has a line of its own once it was found, however it is sent', async () => {
  const { cache, line } = openLines();
  expect(line({ 'x-api-key': active })).toEqual({ known: false, caller: '203.0.113.9' });
  await cache.find(active);
  for (const headers of [
    { 'x-api-key': active },
    { authorization: `Bearer ${active}` },
    { authorization: `bearer  ${active}` },
  ])
    expect(line(headers)).toEqual({ known: true, caller: active });
  cache.evictActivation('ACT-1');
  expect(line({ 'x-api-key': active })).toMatchObject({ known: false });
});

test('whoever has no key in use waits in the line of an address, whatever key the request names', async () => {
  const { cache, line } = openLines();
  for (const key of [active, revoked, blocked, keyNumber(4)]) await cache.find(key);
  for (const key of [revoked, blocked, keyNumber(4), keyNumber(5), 'x', ''])
    expect(line({ 'x-api-key': key })).toEqual({ known: false, caller: '203.0.113.9' });
  expect(line({})).toEqual({ known: false, caller: '203.0.113.9' });
  expect(line({ 'x-forwarded-for': '198.51.100.7, 192.0.2.5' }, '10.1.2.3').caller).toBe('192.0.2.5');
  expect(line({ 'x-forwarded-for': '192.0.2.5' }).caller).toBe('203.0.113.9');
  expect(line({}, '2001:db8::1').caller).toBe(line({}, '2001:db8:0:0:ffff::2').caller);
});

test('made-up keys displace none that is in use', async () => {
  const { cache, line } = openLines();
  await cache.find(active);
  await cache.find(revoked);
  await cache.find(blocked);
  for (let number = 10; number < 101_000; number += 1) await cache.find(keyNumber(number));
  expect(line({ 'x-api-key': active })).toMatchObject({ known: true });
});
