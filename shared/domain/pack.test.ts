import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { untouchedPacks } from './pack.ts';

test('packs are used up in their order, and one with a single unit taken is not whole', () => {
  const packs = [{ units: 100 }, { units: 50 }, { units: 10 }];
  expect(untouchedPacks(packs, 0)).toEqual(packs);
  expect(untouchedPacks(packs, 1)).toEqual(packs.slice(1));
  expect(untouchedPacks(packs, 100)).toEqual(packs.slice(1));
  expect(untouchedPacks(packs, 101)).toEqual(packs.slice(2));
  expect(untouchedPacks(packs, 160)).toEqual([]);
});

test('what is left in untouched packs and what was taken never exceed what was bought', () => {
  const pack = fc.record({ units: fc.integer({ min: 1, max: 1000 }) });
  fc.assert(
    fc.property(fc.array(pack), fc.nat(5000), (packs, taken) => {
      const bought = packs.reduce((sum, { units }) => sum + units, 0);
      const whole = untouchedPacks(packs, taken).reduce((sum, { units }) => sum + units, 0);
      expect(whole).toBeLessThanOrEqual(Math.max(0, bought - taken));
    }),
  );
});
