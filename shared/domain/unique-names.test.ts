import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uniqueNames } from './unique-names.ts';

test('every name is given once, and the first that wants a name gets it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab](-[23])?$/)), (wanted) => {
      const given = wanted.map(uniqueNames());
      expect(new Set(given).size).toBe(wanted.length);
      const isFree = (_name: string, at: number) => !given.slice(0, at).includes(wanted[at] ?? '');
      expect(given.filter(isFree)).toEqual(wanted.filter(isFree));
    }),
  );
});

test('many that want one name, also one that numbers have taken, are named in as many steps', () => {
  let asked = 0;
  const free = uniqueNames({
    numbered: (wanted, number) => `${wanted}-${number}`,
    keyOf: (name) => ((asked += 1), name),
  });
  const many = 20_000;
  for (let number = 2; number <= many; number += 1) free(`a-${number}`);
  for (let count = 0; count < many; count += 1) free('a');
  expect(asked).toBeLessThan(10 * many);
});

test('names that differ in capitals are two, unless their keys are one', () => {
  const given = uniqueNames();
  expect([given('Rain'), given('rain'), given('rain')]).toEqual(['Rain', 'rain', 'rain-2']);
  const folded = uniqueNames({
    numbered: (wanted, number) => `${wanted} ${number}`,
    keyOf: (name) => name.toLowerCase(),
  });
  expect([folded('Rain'), folded('rain')]).toEqual(['Rain', 'rain 2']);
});
