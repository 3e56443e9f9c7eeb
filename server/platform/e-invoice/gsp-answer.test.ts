import { expect, test } from 'vitest';
import { EInvoiceRefusal } from './e-invoices.ts';
import { readGspAnswer } from './gsp-answer.ts';

test.each([
  ['with nothing but its text', { success: false, message: '3029 : GSTIN is not active' }],
  ['with an empty result', { success: false, message: '3029 : GSTIN is not active', result: null }],
  ['with its code apart', { success: false, message: 'GSTIN is not active', error_code: '3029' }],
  ['with its code apart, as a number', { success: false, message: 'GSTIN is not active', errorCode: 3029 }],
  ['of the portal itself', { Status: 0, ErrorDetails: [{ ErrorCode: '3029', ErrorMessage: 'GSTIN is not active' }] }],
])('a refusal %s is read', (_, body) => {
  expect(readGspAnswer(body)).toEqual({ ok: false, code: '3029', message: 'GSTIN is not active' });
});

test('the first of several errors gives the code, and all of them are told', () => {
  const message = '2182 : Taxable value total is not sum of items, 2189 : Invalid total invoice value';
  expect(readGspAnswer({ success: false, message })).toEqual({
    ok: false,
    code: '2182',
    message: 'Taxable value total is not sum of items, Invalid total invoice value',
  });
});

test('a duplicate names the registration in its result, and is a refusal all the same', () => {
  const result = [{ InfCd: 'DUPIRN', Desc: { AckNo: 1 } }];
  expect(readGspAnswer({ success: false, message: '2150 : Duplicate IRN', result })).toMatchObject({ code: '2150' });
});

test('a refusal without a code is a refusal of unknown reason', () => {
  expect(readGspAnswer({ success: false })).toEqual({ ok: false, code: 'unknown', message: '' });
  expect(readGspAnswer({ Status: '0' })).toEqual({ ok: false, code: 'unknown', message: '' });
});

test('a token that the GSP forgot is a refusal of the login', () => {
  expect(readGspAnswer({ error: 'invalid_token' })).toEqual({ ok: false, code: 'login', message: 'invalid_token' });
});

test.each([[undefined], [null], ['<html>'], [{}], [{ message: 'Service unavailable' }], [[]]])(
  '%j is not an answer of the invoice portal',
  (body) => expect(readGspAnswer(body)).toBeUndefined(),
);

const isFinal = (code: string) => new EInvoiceRefusal(code, '').isFinal;

test('refusals of the document are final; those of the login, or without a known code, are not', () => {
  expect(['2140', '2143', '2172', '2189', '2283', '3028', '3029', '9999'].every(isFinal)).toBe(true);
  expect(['login', 'unknown', '1004', '1005', '1008', '1010', '3001', 'irn'].some(isFinal)).toBe(false);
});
