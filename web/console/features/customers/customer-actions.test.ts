import { expect, test } from 'vitest';
import { actionsOfCustomer } from '#web/console/features/customers/customer-actions.ts';

const customer = {
  id: 'CUS-1',
  name: 'Kaveri',
  email: 'asha@kaveri.example',
  legalName: null,
  gstin: '29ZZZCA0001A1Z0',
  phone: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  blockedAt: null,
  blockedReason: null,
  erasedAt: null,
  activations: [],
  payments: [],
  actions: [],
};

const termsAsked = (terms: { limit: number; days: number; stopAfterDays: number } | null) =>
  actionsOfCustomer({ ...customer, terms })
    .find(({ call }) => call === 'setCreditTerms')
    ?.fields?.map(({ initial }) => initial);

test('the dialog of the terms opens with those in effect, so that whoever raises the limit keeps the days', () => {
  expect(termsAsked({ limit: 5000, days: 60, stopAfterDays: 0 })).toEqual(['5000', '60', '0']);
  expect(termsAsked(null)).toEqual(['', '30', '15']);
});
