import { expect, test } from 'vitest';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { createSearch } from '#products/tax-lookup/rate-search.ts';
import { ratesFolder } from '#products/test-products.ts';

const search = createSearch(readRateTable(ratesFolder));
const best = (text: string) => search(text)[0]?.code;

test.each([
  ['laptop', '847130'],
  ['Laptops', '847130'],
  ['rice', '1006'],
  ['basmati', '1006'],
  ['mobile phone', '8517'],
  ['gst software api', '998319'],
  ['bicycle', '8712'],
  ['hotel', '996311'],
  ['pan masala', '21069020'],
  ['cement', '2523'],
  ['shampoo', '3305'],
  ['gold jewellery', '7113'],
  ['electric car', '870380'],
  ['998313', '998313'],
  ['cinema', '999616'],
])('%j finds %s first', (text, code) => {
  expect(best(text)).toBe(code);
});

test('an entry with more of the words stands before one with fewer', () => {
  const codes = search('solar water heaters').map((entry) => entry.code);
  expect(codes[0]).toBe('841912');
  expect(codes.length).toBeGreaterThan(1);
});

test('digits find the codes that begin with them', () => {
  expect(search('8703').map((entry) => entry.code)).toEqual(['8703', '870380']);
});

test('what is nowhere is not found, and signs alone find nothing', () => {
  expect(search('unobtainium')).toEqual([]);
  expect(search('?! --')).toEqual([]);
});
