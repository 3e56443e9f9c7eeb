import { expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import {
  type ProfileFields,
  faultsBeyondSchema,
  fieldsOf,
  profileOf,
  stateOfTyped,
} from '#web/features/account/profile-fields.ts';
import { type Faults, faultsOfBody } from '#web/forms/contract-faults.ts';

const complete = {
  legalName: 'Kaveri Traders Private Limited',
  phone: '+91 98765-43210',
  gstin: '27aapfu0939f1zv',
  address: '12 MG Road',
  city: 'Pune',
  pin: '411001',
  stateCode: '27',
  sez: false,
  country: 'IN',
  purchaseOrder: '',
  purchaseOrderDate: '',
};

/** All that the form shows. */
function faultsOf(fields: ProfileFields): Faults<ProfileFields> {
  const found = faultsOfBody(updateProfile.body, profileOf(fields), { initialValues: fields });
  return { ...found, ...faultsBeyondSchema(fields) };
}

test('a complete form has no faults, and a phone may be written with spaces', () => {
  expect(faultsOf(complete)).toEqual({});
  expect(profileOf(complete)).toMatchObject({ gstin: '27aapfu0939f1zv', country: 'IN' });
});

test('a purchase order is sent as typed, without spaces around it, and none when it is empty', () => {
  expect(profileOf({ ...complete, purchaseOrder: ' PO-42 ' })).toMatchObject({ purchaseOrder: 'PO-42' });
  expect(profileOf(complete)).toMatchObject({ purchaseOrder: null, purchaseOrderDate: null });
  expect(faultsOf({ ...complete, purchaseOrder: 'PO 42' })).toMatchObject({ purchaseOrder: expect.any(String) });
});

test('without a GSTIN, none is sent', () => {
  expect(faultsOf({ ...complete, gstin: ' ' })).toEqual({});
  expect(profileOf({ ...complete, gstin: ' ' })).toMatchObject({ gstin: null });
});

test('each empty field has its sentence', () => {
  expect(Object.keys(faultsOf(fieldsOf(null, ''))).toSorted()).toEqual([
    'address',
    'city',
    'legalName',
    'phone',
    'pin',
    'stateCode',
  ]);
});

test('letters that documents cannot show are named at their field', () => {
  expect(faultsOf({ ...complete, legalName: 'Kaveri 🙂', city: 'पुणे' })).toEqual({
    legalName: expect.stringContaining('“🙂” (U+1F642)'),
  });
  expect(faultsOf({ ...complete, address: '東京 12' }).address).toContain('“東” (U+6771)');
});

test('a mistyped GSTIN is found by its check character', () => {
  expect(faultsOf({ ...complete, gstin: '27AAPFU0939F1ZW' }).gstin).toMatch(/mistyped/);
});

test('a PIN of another State is a fault that names both States, and the GSTIN where there is one', () => {
  const consumer = { ...complete, gstin: '', pin: ' 560025 ' };
  expect(faultsOf(consumer).pin).toMatch(/^PIN 560025 lies in Karnataka, not in Maharashtra\./);
  expect(faultsOf({ ...complete, pin: '560025' }).pin).toMatch(/the GSTIN is registered in Maharashtra\./);
  expect(faultsOf({ ...consumer, stateCode: '29' })).toEqual({});
  expect(faultsOf({ ...consumer, pin: '533464', stateCode: '34' })).toEqual({});
  expect(faultsOf({ ...consumer, stateCode: '' })).not.toHaveProperty('pin');
});

test('the State follows the GSTIN, merged territories under the code of today', () => {
  expect(stateOfTyped('27AAPFU0939F1ZV')?.name).toBe('Maharashtra');
  expect(stateOfTyped('27AAPFU0939F1ZW')).toBeUndefined();
});

test('a stored profile fills the form again', () => {
  expect(fieldsOf({ ...complete, gstin: null }, 'Someone').gstin).toBe('');
  expect(fieldsOf(null, 'Someone').legalName).toBe('Someone');
});

test('abroad there is no State, no GSTIN, no zone and no PIN of six digits', () => {
  const abroad = { ...complete, country: 'NL', gstin: 'not one', sez: true, stateCode: '', pin: '1012 AB' };
  expect(faultsOf(abroad)).toEqual({});
  expect(profileOf(abroad)).toMatchObject({ country: 'NL', gstin: null, sez: false, stateCode: '96' });
  expect(faultsOf({ ...abroad, country: 'IN', gstin: '' })).toMatchObject({ pin: expect.any(String) });
});

test('a zone is of a registration, and is not sent without one', () => {
  expect(profileOf({ ...complete, sez: true })).toMatchObject({ sez: true });
  expect(profileOf({ ...complete, sez: true, gstin: '' })).toMatchObject({ sez: false });
});

test('a profile that says nothing of a country is an Indian one', () => {
  const { sez: _sez, country: _country, ...old } = complete;
  expect(fieldsOf(old, '')).toMatchObject({ sez: false, country: 'IN' });
});
