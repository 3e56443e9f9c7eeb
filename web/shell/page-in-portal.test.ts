import { expect, test } from 'vitest';
import { pageInPortal } from './page-in-portal.ts';

test.each([
  ['/apis', '/marketplace'],
  ['/pricing', '/marketplace'],
  ['/apis/x', '/marketplace/x'],
  ['/apis/x/changelog', '/marketplace/x'],
  ['/apis/x/reference', '/reference/x'],
  ['/apis/x/reference/look up', '/reference/x/look%20up'],
  ['/status', undefined],
  ['/docs/limits', undefined],
])('what %s shows stands in the portal at %s', (path, place) => {
  expect(pageInPortal(path)).toBe(place);
});
