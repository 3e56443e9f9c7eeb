import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideTax, type Recipient } from '#shared/domain/place-of-supply.ts';
import { placeOfSupplyCandidates } from '#shared/domain/states.ts';

const maharashtra = '27ZZZCA0001A1Z4';
const karnataka = '29ZZZCA0001A1Z0';
const mergedTerritory = '26ZZZCA0001A1Z6';
const otherTerritory = '97ZZZCA0001A1ZX';

const decided: [string, string, Recipient, string, string, string][] = [
  ['own State, registered', '27', { kind: 'registered', gstin: maharashtra }, '27', 'CGST_SGST', 'B2B'],
  ['another State, registered', '27', { kind: 'registered', gstin: karnataka }, '29', 'IGST', 'B2B'],
  ['own State, SEZ', '27', { kind: 'registered', gstin: maharashtra, sez: true }, '27', 'IGST', 'SEZWP'],
  [
    'SEZ under LUT',
    '27',
    { kind: 'registered', gstin: maharashtra, sez: true, underLut: true },
    '27',
    'NONE',
    'SEZWOP',
  ],
  ['own State, consumer', '27', { kind: 'unregistered', stateCode: '27' }, '27', 'CGST_SGST', 'B2C'],
  ['another State, consumer', '27', { kind: 'unregistered', stateCode: '33' }, '33', 'IGST', 'B2C'],
  ['abroad under LUT', '27', { kind: 'overseas', underLut: true }, '96', 'NONE', 'EXPWOP'],
  ['abroad with tax', '27', { kind: 'overseas', underLut: false }, '96', 'IGST', 'EXPWP'],
  ['inside a union territory', '26', { kind: 'registered', gstin: mergedTerritory }, '26', 'CGST_UTGST', 'B2B'],
  ['to Other Territory', '27', { kind: 'registered', gstin: otherTerritory }, '97', 'IGST', 'B2B'],
  ['inside Other Territory', '97', { kind: 'registered', gstin: otherTerritory }, '97', 'CGST_UTGST', 'B2B'],
  [
    'a merged code is replaced by its successor',
    '26',
    { kind: 'registered', gstin: '25AAACI1681G1ZT' },
    '26',
    'CGST_UTGST',
    'B2B',
  ],
  [
    'an LUT has no effect on a supply inside India',
    '27',
    { kind: 'registered', gstin: karnataka, underLut: true },
    '29',
    'IGST',
    'B2B',
  ],
];

test.each(decided)('%s', (_, supplierStateCode, recipient, placeOfSupply, tax, supplyType) => {
  expect(decideTax({ supplierStateCode, recipient })).toMatchObject({ ok: true, placeOfSupply, tax, supplyType });
});

const refused: [string, string, Recipient, string][] = [
  ['no GSTIN and no State', '27', { kind: 'unregistered' }, 'state_required'],
  ['an empty State', '27', { kind: 'unregistered', stateCode: '' }, 'state_required'],
  ['an unknown State', '27', { kind: 'unregistered', stateCode: '47' }, 'state_unknown'],
  ['a split State', '27', { kind: 'unregistered', stateCode: '28' }, 'state_unknown'],
  ['abroad given as a State', '27', { kind: 'unregistered', stateCode: '96' }, 'state_unknown'],
  ['a mistyped GSTIN', '27', { kind: 'registered', gstin: '27ZZZCA0001A1Z5' }, 'gstin_invalid'],
  ['a registration with the Centre', '27', { kind: 'registered', gstin: '9917SGP29001OST' }, 'state_unknown'],
  ['a supplier abroad', '96', { kind: 'unregistered', stateCode: '27' }, 'supplier_state_unknown'],
  ['a supplier nowhere', '00', { kind: 'unregistered', stateCode: '27' }, 'supplier_state_unknown'],
];

test.each(refused)('%s is refused', (_, supplierStateCode, recipient, refusal) => {
  expect(decideTax({ supplierStateCode, recipient })).toEqual({ ok: false, refusal });
});

test('the name of the place has its code, as Rule 46(n) requires', () => {
  const decision = decideTax({ supplierStateCode: '27', recipient: { kind: 'unregistered', stateCode: '33' } });
  expect(decision).toMatchObject({ placeOfSupplyName: 'Tamil Nadu', interState: true });
});

test('between two places in India the tax is IGST exactly when they differ', () => {
  const place = fc.constantFrom(...placeOfSupplyCandidates().map((state) => state.code));
  fc.assert(
    fc.property(place, place, (supplierStateCode, stateCode) => {
      const decision = decideTax({ supplierStateCode, recipient: { kind: 'unregistered', stateCode } });
      expect(decision).toMatchObject({
        ok: true,
        placeOfSupply: stateCode,
        interState: supplierStateCode !== stateCode,
      });
      expect(decision.ok && decision.tax === 'IGST').toBe(supplierStateCode !== stateCode);
    }),
  );
});
