import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callerAddress, isFromProxy, isWithin, networkOf, readNetworks } from './addresses.ts';

function from(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const req = new IncomingMessage(socket);
  if (forwardedFor !== undefined) req.headers['x-forwarded-for'] = forwardedFor;
  return req;
}

test.each([
  ['203.0.113.7', true],
  ['203.0.114.7', false],
  ['198.51.100.9', true],
  ['198.51.100.10', false],
  ['2001:db8:1::5', true],
  ['2001:db9::5', false],
  ['nonsense', false],
  ['', false],
])('%s is in the list: %s', (address, expected) => {
  const networks = readNetworks(['203.0.113.0/24', '198.51.100.9', '2001:db8::/32']);
  expect(networks && isWithin(networks, address)).toBe(expected);
});

test('an empty list gives undefined', () => {
  expect(readNetworks([])).toBeUndefined();
});

test.each([
  ['without trusted proxies, X-Forwarded-For is ignored', '198.51.100.9', '10.0.0.1', [], '198.51.100.9'],
  ['X-Forwarded-For from an untrusted proxy is ignored', '198.51.100.9', '203.0.113.7', ['10.0.0.0/8'], '198.51.100.9'],
  ['a trusted proxy names the caller', '10.0.0.2', '203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
  [
    'an address that the caller put in the header is ignored',
    '10.0.0.2',
    '1.1.1.1, 203.0.113.7',
    ['10.0.0.0/8'],
    '203.0.113.7',
  ],
  [
    'two trusted proxies in a chain are both skipped',
    '10.0.0.2',
    '203.0.113.7, 10.9.9.9',
    ['10.0.0.0/8'],
    '203.0.113.7',
  ],
  ['a port after IPv4 is ignored', '10.0.0.2', '203.0.113.7:4711', ['10.0.0.0/8'], '203.0.113.7'],
  ['a port after IPv6 is ignored', '10.0.0.2', '[2001:db8::7]:4711', ['10.0.0.0/8'], '2001:db8::7'],
  ['IPv6 without a port stays whole', '10.0.0.2', '2001:db8::7', ['10.0.0.0/8'], '2001:db8::7'],
  ['IPv4 through an IPv6 socket', '::ffff:10.0.0.2', '203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
])('%s', (_what, remote, forwarded, proxies, expected) => {
  expect(callerAddress(from(remote, forwarded), readNetworks(proxies))).toBe(expected);
});

test.each([
  ['10.0.0.2', ['10.0.0.0/8'], true],
  ['::ffff:10.0.0.2', ['10.0.0.0/8'], true],
  ['203.0.113.7', ['10.0.0.0/8'], false],
  ['10.0.0.2', [], false],
])('a connection from %s is one of the proxies %j: %s', (remote, proxies, expected) => {
  expect(isFromProxy(from(remote).socket, readNetworks(proxies))).toBe(expected);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
  ['', ''],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
