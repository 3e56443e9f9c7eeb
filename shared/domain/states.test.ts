import { expect, test } from 'vitest';
import { currentPlaceOfSupply, findState, placeOfSupplyCandidates, states } from '#shared/domain/states.ts';

test('every code 01 to 38 and 96, 97, 99 is listed once', () => {
  const expected = [...Array.from({ length: 38 }, (_, index) => String(index + 1).padStart(2, '0')), '96', '97', '99'];
  expect(states.map((state) => state.code)).toEqual(expected);
});

test('the union territories without a legislature, and Other Territory, bear UTGST', () => {
  const current = states.filter((state) => state.utgst && state.discontinued === null);
  expect(current.map((state) => state.code)).toEqual(['04', '26', '31', '35', '38', '97']);
});

test('Delhi, Puducherry and Jammu and Kashmir have legislatures and bear SGST', () => {
  expect(['07', '34', '01'].map((code) => findState(code)?.utgst)).toEqual([false, false, false]);
});

test('a customer may choose any place in India, but no discontinued code and no place abroad', () => {
  const codes = placeOfSupplyCandidates().map((state) => state.code);
  expect(codes).toHaveLength(37);
  for (const code of ['25', '28', '96', '99']) expect(codes).not.toContain(code);
});

test('a merged code has its successor, a split one has none', () => {
  expect(currentPlaceOfSupply('25')?.code).toBe('26');
  expect(currentPlaceOfSupply('28')).toBeUndefined();
  expect(currentPlaceOfSupply('99')).toBeUndefined();
  expect(currentPlaceOfSupply('96')?.name).toBe('Other Countries');
  expect(currentPlaceOfSupply('40')).toBeUndefined();
});
