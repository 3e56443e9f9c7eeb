import { expect, test } from 'vitest';
import { amendedContent, isInReturn, lastAmendmentDay } from '#shared/domain/amendment.ts';
import { testDocument } from '#shared/domain/test-document.ts';

const business = testDocument({ recipient: { kind: 'registered', gstin: '29ZZZCA0001A1Z0' } }).content;
const consumer = testDocument({ recipient: { kind: 'unregistered', stateCode: '29' } }).content;
const elsewhere = testDocument({ recipient: { kind: 'unregistered', stateCode: '33' } }).content;
const local = testDocument({ recipient: { kind: 'registered', gstin: '27ZZZFA0003C2ZR' } }).content;
const named = (content: typeof business, name: string, gstin = content.recipient.gstin) => ({
  ...content,
  recipient: { ...content.recipient, name, gstin },
});

test('a name, an address and a GSTIN are amended, and no amount changes', () => {
  const wanted = named(business, 'Kaveri Trading', '29ZZZCA0002A1ZZ');
  const amended = amendedContent(business, wanted, false);
  expect(amended).toMatchObject({
    recipient: { name: 'Kaveri Trading', gstin: '29ZZZCA0002A1ZZ' },
    split: business.split,
  });
  expect(amended && isInReturn(business, amended)).toBe(true);
});

test('a change of name alone is not in the return, which names no buyer', () => {
  const amended = amendedContent(business, named(business, 'Kaveri Trading'), false);
  expect(amended && isInReturn(business, amended)).toBe(false);
});

test('another kind of buyer, another tax or a consumer’s other State is no amendment', () => {
  expect(amendedContent(consumer, business, false)).toBeUndefined();
  expect(amendedContent(business, consumer, false)).toBeUndefined();
  expect(amendedContent(business, local, false)).toBeUndefined();
  expect(amendedContent(consumer, elsewhere, false)).toBeUndefined();
});

test('the GSTIN of an invoice registered at the invoice portal stays, its name does not', () => {
  expect(amendedContent(business, named(business, 'Kaveri', '29ZZZCA0002A1ZZ'), true)).toBeUndefined();
  expect(amendedContent(business, named(business, 'Kaveri'), true)?.recipient.name).toBe('Kaveri');
});

test('a document can be amended until 31 October after the financial year of its date, or 30 November', () => {
  expect(lastAmendmentDay('2026-03-31', '10-31')).toBe('2026-10-31');
  expect(lastAmendmentDay('2026-04-01', '11-30')).toBe('2027-11-30');
});
