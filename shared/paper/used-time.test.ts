import { expect, test } from 'vitest';
import { createUsedTime } from './used-time.ts';

test('a customer has used much after two seconds, and no longer when they lie back', () => {
  let now = 0;
  const used = createUsedTime(() => now);
  used.add('a', 1500);
  used.add('a', 1000);
  used.add('b', 1900);
  expect([used.isMuch('a'), used.isMuch('b'), used.isMuch('c')]).toEqual([true, false, false]);
  now = 30_000;
  expect(used.isMuch('a')).toBe(false);
  used.add('a', 1000);
  expect(used.isMuch('a')).toBe(true);
});
