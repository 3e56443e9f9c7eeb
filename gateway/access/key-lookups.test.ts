import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchLookups } from './key-lookups.ts';
import type { StoredKey } from './store.ts';

const key = (keyId: string): StoredKey => ({
  keyId,
  activationId: 'ACT-1',
  customerId: 'CUS-1',
  serviceId: 'tax-lookup-api',
  revoked: false,
  test: false,
  expiresAt: null,
  allowedIps: [],
  dailyCap: null,
  cycles: [],
});
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

test('2,400 unknown keys that come together are asked for in a few statements, and a key among them is found', async () => {
  let statements = 0;
  const known = new Map([[hashOf('known').toString('base64'), key('KEY-1')]]);
  const find = batchLookups(async (keyHashes) => {
    statements += 1;
    expect(keyHashes.length).toBeLessThanOrEqual(500);
    await new Promise((resolve) => setImmediate(resolve));
    return known;
  });
  const unknown = Array.from({ length: 2400 }, (_, index) => find(hashOf(`unknown ${index}`)));
  expect(await find(hashOf('known'))).toMatchObject({ keyId: 'KEY-1' });
  expect(new Set(await Promise.all(unknown))).toEqual(new Set([undefined]));
  expect(statements).toBeLessThan(10);
});

test('a look-up never joins a statement that was sent before it, so a key made meanwhile is found', async () => {
  const answer: (() => void)[] = [];
  const known = new Map<string, StoredKey>();
  const find = batchLookups(async () => {
    const seen = new Map(known);
    await new Promise<void>((resolve) => answer.push(resolve));
    return seen;
  });
  const early = [find(hashOf('new')), find(hashOf('new'))];
  known.set(hashOf('new').toString('base64'), key('KEY-NEW'));
  const late = find(hashOf('new'));
  answer.shift()?.();
  answer.shift()?.();
  await Promise.all(early);
  answer.shift()?.();
  expect(await late).toMatchObject({ keyId: 'KEY-NEW' });
});

test('a statement that fails fails its own look-ups and no later ones', async () => {
  let fails = true;
  const find = batchLookups(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map())));
  await expect(find(hashOf('a'))).rejects.toThrow('away');
  fails = false;
  expect(await find(hashOf('a'))).toBeUndefined();
});
