import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { batchLookups } from './key-lookups.ts';
import type { StoredKey } from './store.ts';

const key = (keyId: string): StoredKey => ({
  keyId,
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
});
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

test('looks up 2,400 concurrent unknown keys in a few statements, and finds a known key among them', async () => {
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

test('a lookup never joins a statement that was sent before it, so it finds a key created meanwhile', async () => {
  const responses: (() => void)[] = [];
  const known = new Map<string, StoredKey>();
  const find = batchLookups(async () => {
    const seen = new Map(known);
    await new Promise<void>((resolve) => responses.push(resolve));
    return seen;
  });
  const early = [find(hashOf('new')), find(hashOf('new'))];
  known.set(hashOf('new').toString('base64'), key('KEY-NEW'));
  const late = find(hashOf('new'));
  responses.shift()?.();
  responses.shift()?.();
  await Promise.all(early);
  responses.shift()?.();
  expect(await late).toMatchObject({ keyId: 'KEY-NEW' });
});

test('a failed statement rejects its own lookups and no later ones', async () => {
  let fails = true;
  const find = batchLookups(() => (fails ? Promise.reject(new Error('down')) : Promise.resolve(new Map())));
  await expect(find(hashOf('a'))).rejects.toThrow('down');
  fails = false;
  expect(await find(hashOf('a'))).toBeUndefined();
});
