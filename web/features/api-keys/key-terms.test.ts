import { expect, test } from 'vitest';
import { updateApiKey } from '#shared/contract/api-keys.ts';
import {
  draftOf,
  noTerms,
  pastFaultOf,
  type TermsDraft,
  termsFields,
  termsOf,
} from '#web/features/api-keys/key-terms.ts';
import { faultsOfBody } from '#web/forms/contract-faults.ts';

const today = '2026-11-21';

/** The fields that the form calls wrong. */
function faultsOf(draft: TermsDraft) {
  const found = faultsOfBody(updateApiKey.body, termsOf(draft), { initialValues: noTerms, ...termsFields });
  return { ...found, ...pastFaultOf(draft, today) };
}

test('an empty form binds a key to nothing', () => {
  expect(faultsOf(noTerms)).toEqual({});
  expect(termsOf(noTerms)).toEqual({ expiresAt: null, allowedIps: [], dailyCap: null });
});

test('a key works to the end of its last day in India, and the form shows that day again', () => {
  const draft = { lastDay: '2026-12-31', allowedIps: '203.0.113.0/24, 2001:db8::1', dailyCap: '500' };
  const terms = { expiresAt: '2026-12-31T18:30:00.000Z', allowedIps: ['203.0.113.0/24', '2001:db8::1'], dailyCap: 500 };
  expect(faultsOf(draft)).toEqual({});
  expect(termsOf(draft)).toEqual(terms);
  expect(draftOf(terms)).toEqual({ ...draft, allowedIps: '203.0.113.0/24\n2001:db8::1' });
});

test.each<[keyof TermsDraft, Partial<TermsDraft>, string]>([
  ['lastDay', { lastDay: '2026-11-20' }, 'Choose today or a later day.'],
  ['lastDay', { lastDay: '2026-13-01' }, 'Choose today or a later day.'],
  ['allowedIps', { allowedIps: '203.0.113.300' }, 'Enter addresses'],
  ['allowedIps', { allowedIps: '203.0.113.7, everywhere' }, 'Enter addresses'],
  ['allowedIps', { allowedIps: Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`).join('\n') }, 'At most 50'],
  ['dailyCap', { dailyCap: '0' }, 'Enter a whole number'],
  ['dailyCap', { dailyCap: '1.5' }, 'Enter a whole number'],
])('the form says that %s is wrong in %j', (field, part, sentence) => {
  expect(faultsOf({ ...noTerms, ...part })).toEqual({ [field]: expect.stringContaining(sentence) });
});
