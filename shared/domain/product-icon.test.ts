import { expect, test } from 'vitest';
import { initialsOf } from '#shared/domain/product-icon.ts';

test.each([
  ['Weather API', 'W'],
  ['Tax Lookup API', 'TL'],
  ['API', 'A'],
  ['parcel tracking & more', 'PT'],
  ['टैक्स लुकअप API', 'टैलु'],
  ['कृषि', 'कृ'],
  ['3D Models', '3M'],
  ['élan', 'É'],
  ['…', ''],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
