import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPin, otherStatesOfPin, statesOfPin } from '#shared/domain/pin-states.ts';
import { placeOfSupplyCandidates, states } from '#shared/domain/states.ts';
import { placeIn } from '#shared/domain/test-place.ts';

const codesOf = (pin: string) => statesOfPin(pin).map(({ code }) => code);

test.each([
  ['110001', 'Delhi', ['07']],
  ['400001', 'Mumbai', ['27']],
  ['403001', 'Panaji', ['30']],
  ['560001', 'Bengaluru', ['29']],
  ['600001', 'Chennai', ['33']],
  ['700001', 'Kolkata', ['19']],
  ['744101', 'Port Blair', ['35']],
  ['682555', 'Kavaratti', ['31']],
  ['682001', 'Kochi', ['32']],
  ['194101', 'Leh', ['38']],
  ['190001', 'Srinagar', ['01']],
  ['160017', 'Chandigarh', ['04']],
  ['160055', 'Mohali', ['03']],
  ['248001', 'Dehradun', ['05']],
  ['247667', 'Roorkee', ['05']],
  ['247001', 'Saharanpur', ['09']],
  ['396210', 'Daman', ['26']],
  ['362520', 'Diu', ['26']],
  ['500001', 'Hyderabad', ['36']],
  ['520001', 'Vijayawada', ['37']],
  ['605001', 'Puducherry', ['34']],
  ['609602', 'Karaikal', ['34']],
  ['737101', 'Gangtok', ['11']],
  ['834001', 'Ranchi', ['20']],
  ['814112', 'Deoghar', ['20']],
  ['800001', 'Patna', ['10']],
  ['492001', 'Raipur', ['22']],
])('%s (%s) lies in %s', (pin, _, codes) => {
  expect(codesOf(pin)).toEqual(codes);
});

test.each([
  ['533464', 'Yanam', ['34', '37']],
  ['673310', 'Mahe', ['32', '34']],
  ['160014', 'Chandigarh and Punjab', ['03', '04']],
  ['396230', 'Silvassa and Vapi', ['24', '26']],
  ['140119', 'Punjab and Chandigarh', ['03', '04']],
  ['605007', 'Puducherry and Cuddalore', ['33', '34']],
  ['605106', 'Puducherry and Villupuram', ['33', '34']],
  ['247665', 'Haridwar and Saharanpur', ['05', '09']],
])('%s (%s) serves two States and gives both', (pin, _, codes) => {
  expect(codesOf(pin)).toEqual(codes);
});

test('army PINs, unknown PINs and invalid PINs belong to no State', () => {
  for (const pin of ['900056', '990001', '137001', '011001', '4000', '40000a', '４０００５３']) {
    expect(codesOf(pin)).toEqual([]);
  }
});

test('every place of supply except Other Territory has a PIN, and every code in the table is valid', () => {
  const seen = new Set<string>();
  for (let number = 100_000; number < 1_000_000; number += 1) for (const code of codesOf(`${number}`)) seen.add(code);
  const places = placeOfSupplyCandidates().map(({ code }) => code);
  expect([...seen].toSorted()).toEqual(places.filter((code) => code !== '97'));
});

test('no text causes an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!isPin(text));
      expect(statesOfPin(text)).toEqual([]);
    }),
  );
});

const others = (pin: string, stateCode: string) => otherStatesOfPin(pin, stateCode)?.map(({ name }) => name);

test('an address in a State agrees with it and contradicts every State that its PIN does not serve', () => {
  const own = placeOfSupplyCandidates().filter(({ code }) => code !== '97');
  for (const { code } of own) {
    const { pin } = placeIn(code);
    expect(others(pin, code)).toBeUndefined();
    for (const other of own) {
      const serves = codesOf(pin).includes(other.code);
      expect(others(pin, other.code) === undefined, `${pin} in ${other.name}`).toBe(serves);
    }
  }
});

test.each([
  ['560025', '27', ['Karnataka']],
  ['160014', '06', ['Punjab', 'Chandigarh']],
  ['403001', '27', ['Goa']],
  ['396210', '24', ['Dadra and Nagar Haveli and Daman and Diu']],
  ['737101', '19', ['Sikkim']],
])('PIN %s is not in the State %s, but in %j', (pin, stateCode, names) => {
  expect(others(pin, stateCode)).toEqual(names);
});

test('Daman under its old code, a PIN of the army, an unknown PIN and Other Territory are no contradiction', () => {
  expect(others('396210', '25')).toBeUndefined();
  for (const { code } of states) {
    for (const pin of ['900056', '990001', '137001', '1012 AB']) expect(others(pin, code)).toBeUndefined();
  }
  expect(others('400001', '97')).toBeUndefined();
});
