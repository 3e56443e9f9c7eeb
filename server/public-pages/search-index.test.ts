import { expect, test } from 'vitest';
import { slowTexts } from '#shared/domain/test-growth.ts';
import { plain } from './search-index.ts';

test('the words of a page are read without its signs and addresses', () => {
  expect(plain('# One\n\n- [two](https://a.example/b) **three**\n\n\n - four')).toBe('One · two three · four');
});

test('twice the text of strangers takes the search twice the time to read', () => {
  expect(slowTexts(plain)).toEqual([]);
});
