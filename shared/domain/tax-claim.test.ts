import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimOf, isProven, letterTypeOf, sezOutcomeOf } from '#shared/domain/tax-claim.ts';

test('an SEZ claims for its GSTIN, a buyer abroad for the country, anyone else nothing', () => {
  const gstin = '29ZZZCA0001A1Z0';
  expect(claimOf({ gstin, sez: true })).toEqual({ kind: 'SEZ', about: gstin });
  expect(claimOf({ gstin: null, country: 'SG' })).toEqual({ kind: 'EXPORT', about: 'SG' });
  expect(claimOf({ gstin, sez: false })).toBeUndefined();
  expect(claimOf({ gstin: null, sez: true, country: 'IN' })).toBeUndefined();
});

test('a letter is known by its first bytes, whatever follows', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (rest) => {
      const after = (...bytes: number[]) => letterTypeOf(Uint8Array.from([...bytes, ...rest]));
      expect(after(...Buffer.from('%PDF-'))).toBe('application/pdf');
      expect(after(0xff, 0xd8, 0xff)).toBe('image/jpeg');
      expect(after(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)).toBe('image/png');
      expect(after(...Buffer.from('<html>'))).toBeUndefined();
      expect(after(...Buffer.from('MZ'))).toBeUndefined();
    }),
  );
  expect(letterTypeOf(Uint8Array.from([0x25, 0x50]))).toBeUndefined();
});

test.each([
  [{ type: 'SEZ Unit', status: 'Active' }, 'UNIT'],
  [{ type: 'SEZ  DEVELOPER', status: ' active' }, 'DEVELOPER'],
  [{ type: 'Regular', status: 'Active' }, 'OTHER'],
  [{ type: 'SEZ Unit', status: 'Suspended' }, 'INACTIVE'],
  [{ type: 'SEZ Unit', status: 'Inactive' }, 'INACTIVE'],
  [{ type: 'Regular', status: 'Cancelled suo-moto' }, 'INACTIVE'],
  [null, 'UNKNOWN'],
] as const)('%j is %s', (found, outcome) => {
  expect(sezOutcomeOf(found)).toBe(outcome);
});

test('an answer of the GST portal decides over a declaration, and only an active SEZ registration confirms', () => {
  for (const declared of [true, false]) {
    expect(isProven({ declared, outcome: undefined })).toBe(declared);
    expect(isProven({ declared, outcome: 'UNIT' })).toBe(true);
    expect(isProven({ declared, outcome: 'DEVELOPER' })).toBe(true);
    for (const outcome of ['OTHER', 'INACTIVE', 'UNKNOWN'] as const)
      expect(isProven({ declared, outcome })).toBe(false);
  }
});
