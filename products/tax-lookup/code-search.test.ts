import { expect, test } from 'vitest';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { createSearch, maxSearchWords } from '#products/tax-lookup/code-search.ts';
import { noOfficialList } from '#products/tax-lookup/official-list.ts';
import { ratesFolder } from '#products/test-products.ts';

const table = readRateTable(ratesFolder);
const search = createSearch(table, noOfficialList);
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

test('an entry that matches more words ranks before one that matches fewer', () => {
  const codes = search('solar water heaters').map((entry) => entry.code);
  expect(codes[0]).toBe('841912');
  expect(codes.length).toBeGreaterThan(1);
});

test('digits find the codes that begin with them', () => {
  expect(search('8703').map((entry) => entry.code)).toEqual(['8703', '870380']);
});

test('an unknown word finds nothing, nor does punctuation alone', () => {
  expect(search('unobtainium')).toEqual([]);
  expect(search('?! --')).toEqual([]);
});

const official = createSearch(table, {
  source: { file: 'HSN_SAC.xlsx', importedAt: '2026-11-21T06:30:00Z' },
  descriptions: new Map([
    ['84713010', 'AUTOMATIC DATA PROCESSING MACHINES › Personal computer'],
    ['8471', 'AUTOMATIC DATA PROCESSING MACHINES AND UNITS THEREOF'],
    ['87120010', 'BICYCLES AND OTHER CYCLES › Bicycles'],
    ['05119110', 'PRODUCTS OF ANIMAL ORIGIN › Fish nails'],
  ]),
});

test('with the official list its descriptions are searched too', () => {
  expect(official('fish nail').map(({ code, entry }) => [code, entry?.code])[0]).toEqual(['05119110', undefined]);
  expect(official('personal computer')[0]?.code).toBe('84713010');
  expect(
    official('data processing')
      .slice(0, 2)
      .map(({ code }) => code),
  ).toEqual(['8471', '84713010']);
});

test('a curated code ranks before one that is only listed, and shows its own description', () => {
  expect(
    official('bicycle')
      .slice(0, 2)
      .map(({ code }) => code),
  ).toEqual(['8712', '87120010']);
  expect(official('8712')[0]).toMatchObject({ code: '8712', description: 'Bicycles' });
});

test('the first eight different words of a search count, so that a long one costs no more', () => {
  const words = ['solar', 'Solars', 'water', 'heater', 'rice', 'cement', 'hotel', 'cinema', 'shampoo'];
  expect(new Set(words.map((word) => word.toLowerCase().replace(/s$/, ''))).size).toBe(maxSearchWords);
  expect(search([...words, 'bicycle', '8703'].join(' '))).toEqual(search(words.join(' ')));
});

test('one digit is no search for codes', () => {
  expect(search('8')).toEqual([]);
});
