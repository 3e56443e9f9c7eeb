import { expect, test } from 'vitest';
import { createAccessCache } from './access-cache.ts';
import type { StoredKey } from './store.ts';

const stored = (revoked: boolean): StoredKey => ({
  keyId: 'KEY-1',
  keyPrefix: null,
  activationId: 'ACT-1',
  customerId: 'CUS-1',
  serviceId: 'tax-lookup-api',
  revoked,
  blocked: false,
  test: false,
  expiresAt: null,
  allowedIps: [],
  dailyCap: null,
  maker: null,
  cycles: [],
});

/** A cache whose lookups the test resolves by hand. */
function createManualCache() {
  const lookups: ((key: StoredKey | undefined) => void)[] = [];
  let trusted = true;
  const cache = createAccessCache(
    () => new Promise((resolve) => lookups.push(resolve)),
    () => trusted,
  );
  return { cache, lookups, distrust: () => (trusted = false) };
}

test('concurrent calls share one lookup, and later calls use the cache', async () => {
  const { cache, lookups } = createManualCache();
  const calls = [cache.find('a'), cache.find('a')];
  expect(lookups).toHaveLength(1);
  lookups[0]?.(stored(false));
  expect(await Promise.all(calls.map(async (call) => call))).toMatchObject([{ keyId: 'KEY-1' }, { keyId: 'KEY-1' }]);
  expect(cache.find('a')).toMatchObject({ keyId: 'KEY-1' });
  expect(lookups).toHaveLength(1);
});

test('a result read before a change is neither cached nor used for calls that start after the change', async () => {
  const { cache, lookups } = createManualCache();
  const early = cache.find('a');
  cache.evictActivation('ACT-1');
  const late = cache.find('a');
  expect(lookups).toHaveLength(2);
  lookups[1]?.(stored(true));
  expect(await late).toMatchObject({ revoked: true });
  lookups[0]?.(stored(false));
  expect(await early).toMatchObject({ revoked: false });
  expect(cache.find('a')).toMatchObject({ revoked: true });
});

test('a change evicts the keys of its own activation and all unknown keys, and no others', async () => {
  const { cache, lookups } = createManualCache();
  const calls = [cache.find('a'), cache.find('b'), cache.find('unknown')];
  lookups[0]?.(stored(false));
  lookups[1]?.({ ...stored(false), keyId: 'KEY-2', activationId: 'ACT-2' });
  lookups[2]?.(undefined);
  await Promise.all(calls.map(async (call) => call));
  expect(cache.find('unknown')).toBeUndefined();
  cache.evictActivation('ACT-1');
  expect(cache.find('b')).toMatchObject({ keyId: 'KEY-2' });
  expect(cache.find('a')).toBeInstanceOf(Promise);
  expect(cache.find('unknown')).toBeInstanceOf(Promise);
});

test('while notifications may be lost, every call queries the database', async () => {
  const { cache, lookups, distrust } = createManualCache();
  const first = cache.find('a');
  lookups[0]?.(stored(false));
  await first;
  distrust();
  const second = cache.find('a');
  lookups[1]?.(stored(true));
  expect(await second).toMatchObject({ revoked: true });
});

test('while the database is down, cached keys work only as long as every change waits for this gateway', async () => {
  let isDown = false;
  let trusted = true;
  let leaseActive = true;
  const cache = createAccessCache(
    () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(stored(false))),
    () => trusted,
    () => leaseActive,
  );
  await cache.find('a');
  isDown = true;
  trusted = false;
  expect(await cache.find('a')).toMatchObject({ keyId: 'KEY-1' });
  await expect(cache.find('b')).rejects.toThrow('down');
  leaseActive = false;
  await expect(cache.find('a')).rejects.toThrow('down');
  leaseActive = true;
  cache.clear();
  await expect(cache.find('a')).rejects.toThrow('down');
});
