import { expect, test } from 'vitest';
import { createAccessCache } from './access-cache.ts';
import type { StoredKey } from './store.ts';

const stored = (revoked: boolean): StoredKey => ({
  keyId: 'KEY-1',
  activationId: 'ACT-1',
  customerId: 'CUS-1',
  serviceId: 'tax-lookup-api',
  revoked,
  test: false,
  expiresAt: null,
  allowedIps: [],
  dailyCap: null,
  cycles: [],
});

/** A cache over look-ups that are answered by hand. */
function slowCache() {
  const asked: ((answer: StoredKey | undefined) => void)[] = [];
  let trusted = true;
  const cache = createAccessCache(
    () => new Promise((resolve) => asked.push(resolve)),
    () => trusted,
  );
  return { cache, asked, distrust: () => (trusted = false) };
}

test('calls that come together share one look-up, and later calls need none', async () => {
  const { cache, asked } = slowCache();
  const calls = [cache.find('a'), cache.find('a')];
  expect(asked).toHaveLength(1);
  asked[0]?.(stored(false));
  expect(await Promise.all(calls.map(async (call) => call))).toMatchObject([{ keyId: 'KEY-1' }, { keyId: 'KEY-1' }]);
  expect(cache.find('a')).toMatchObject({ keyId: 'KEY-1' });
  expect(asked).toHaveLength(1);
});

test('what was read before a change is neither remembered nor given to calls that come after it', async () => {
  const { cache, asked } = slowCache();
  const early = cache.find('a');
  cache.evictActivation('ACT-1');
  const late = cache.find('a');
  expect(asked).toHaveLength(2);
  asked[1]?.(stored(true));
  expect(await late).toMatchObject({ revoked: true });
  asked[0]?.(stored(false));
  expect(await early).toMatchObject({ revoked: false });
  expect(cache.find('a')).toMatchObject({ revoked: true });
});

test('a change of one activation leaves the others remembered, and every unknown key is asked for again', async () => {
  const { cache, asked } = slowCache();
  const calls = [cache.find('a'), cache.find('b'), cache.find('unknown')];
  asked[0]?.(stored(false));
  asked[1]?.({ ...stored(false), keyId: 'KEY-2', activationId: 'ACT-2' });
  asked[2]?.(undefined);
  await Promise.all(calls.map(async (call) => call));
  expect(cache.find('unknown')).toBeUndefined();
  cache.evictActivation('ACT-1');
  expect(cache.find('b')).toMatchObject({ keyId: 'KEY-2' });
  expect(cache.find('a')).toBeInstanceOf(Promise);
  expect(cache.find('unknown')).toBeInstanceOf(Promise);
});

test('while changes may go unheard, every call is looked up', async () => {
  const { cache, asked, distrust } = slowCache();
  const first = cache.find('a');
  asked[0]?.(stored(false));
  await first;
  distrust();
  const second = cache.find('a');
  asked[1]?.(stored(true));
  expect(await second).toMatchObject({ revoked: true });
});

test('with the database away, what is remembered goes on only while every change waits for this gateway, and nothing else does', async () => {
  let away = false;
  let trusted = true;
  let leaseActive = true;
  const cache = createAccessCache(
    () => (away ? Promise.reject(new Error('away')) : Promise.resolve(stored(false))),
    () => trusted,
    () => leaseActive,
  );
  await cache.find('a');
  away = true;
  trusted = false;
  expect(await cache.find('a')).toMatchObject({ keyId: 'KEY-1' });
  await expect(cache.find('b')).rejects.toThrow('away');
  leaseActive = false;
  await expect(cache.find('a')).rejects.toThrow('away');
  leaseActive = true;
  cache.clear();
  await expect(cache.find('a')).rejects.toThrow('away');
});
