import { expect, test } from 'vitest';
import { isAccepted, isKnown } from './negotiation.ts';

test.each([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip ; q = 1', true],
  ['gzip;q=0', false],
  ['br;q=1, gzip; q=0.000', false],
  ['gzipped', false],
  ['*', false],
  [undefined, false],
] as const)('of %s, gzip is accepted: %s', (header, accepted) => {
  expect(isAccepted(header, 'gzip')).toBe(accepted);
});

test('a media type is accepted by its whole name, with any parameters', () => {
  expect(isAccepted('text/html, text/markdown;charset=utf-8;q=0.9', 'text/markdown')).toBe(true);
  expect(isAccepted('text/markdown;q=0, text/html', 'text/markdown')).toBe(false);
});

test('a tag is known weak, strong and by a star', () => {
  for (const tags of ['W/"a"', '"b", "a"', '*']) expect(isKnown(tags, 'W/"a"')).toBe(true);
  expect(isKnown('"b"', 'W/"a"')).toBe(false);
  expect(isKnown(undefined, 'W/"a"')).toBe(false);
});
