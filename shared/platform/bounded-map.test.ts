import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('a full map evicts its oldest entries, and returns them', () => {
  const evicted: string[] = [];
  const map = new BoundedMap<string, number>(3, (value, key) => evicted.push(`${key}=${value}`));
  map.set('a', 1).set('b', 2).set('c', 3);
  // A new value for a known key uses no additional space.
  map.set('a', 4);
  expect([evicted, [...map]]).toEqual([
    [],
    [
      ['a', 4],
      ['b', 2],
      ['c', 3],
    ],
  ]);
  map.set('d', 5);
  expect([evicted, [...map.keys()]]).toEqual([['a=4'], ['b', 'c', 'd']]);
});

test('a map never grows beyond its limit, and keeps the newest entries', () => {
  const key = fc.nat(400);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(key, { maxLength: 1000 }), (maxEntries, keys) => {
      let evictions = 0;
      const map = new BoundedMap<number, number>(maxEntries, () => (evictions += 1));
      let added = 0;
      for (const [place, each] of keys.entries()) {
        if (!map.has(each)) added += 1;
        map.set(each, place);
        expect(map.get(each)).toBe(place);
        expect(map.size).toBeLessThanOrEqual(maxEntries);
      }
      expect(map.size).toBe(added - evictions);
      expect(map.size).toBeGreaterThanOrEqual(Math.min(added, maxEntries - Math.ceil(maxEntries / 64)));
    }),
  );
});
