import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ProbeKeys } from './probe-keys.ts';

function get(method = 'GET'): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.method = method;
  return req;
}

test('a key of the doctor is good for two minutes, for GET alone', () => {
  const keys = new ProbeKeys();
  keys.add('one', 1000);
  expect(keys.allows('one', get(), 120_999)).toBe(true);
  expect(keys.allows('one', get(), 121_000)).toBe(false);
  expect(keys.allows('one', get('POST'), 1000)).toBe(false);
  expect(keys.allows('two', get(), 1000)).toBe(false);
});

test('no more than a hundred keys are kept, and the old ones make room', () => {
  const keys = new ProbeKeys();
  for (let number = 0; number < 200; number += 1) keys.add(`key ${number}`, 0);
  expect(keys.allows('key 99', get(), 1)).toBe(true);
  expect(keys.allows('key 100', get(), 1)).toBe(false);
  keys.add('later', 120_000);
  expect(keys.allows('later', get(), 120_001)).toBe(true);
});
