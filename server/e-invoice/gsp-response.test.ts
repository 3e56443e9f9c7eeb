import { expect, test } from 'vitest';
import { EInvoiceRefusal } from './e-invoices.ts';
import { parseGspResponse } from './gsp-response.ts';

test.each([
  ['with nothing but its text', { success: false, message: '3029 : GSTIN is not active' }],
  ['with an empty result', { success: false, message: '3029 : GSTIN is not active', result: null }],
  ['with its code in error_code', { success: false, message: 'GSTIN is not active', error_code: '3029' }],
  ['with its code in errorCode, as a number', { success: false, message: 'GSTIN is not active', errorCode: 3029 }],
  ['from the portal itself', { Status: 0, ErrorDetails: [{ ErrorCode: '3029', ErrorMessage: 'GSTIN is not active' }] }],
])('reads a refusal %s', (_, body) => {
  expect(parseGspResponse(body)).toEqual({ ok: false, code: '3029', message: 'GSTIN is not active' });
});

test('of several errors, the first gives the code and all are in the message', () => {
  const message = '2182 : Taxable value total is not sum of items, 2189 : Invalid total invoice value';
  expect(parseGspResponse({ success: false, message })).toEqual({
    ok: false,
    code: '2182',
    message: 'Taxable value total is not sum of items, Invalid total invoice value',
  });
});

test('a duplicate is a refusal although its result names the registration', () => {
  const result = [{ InfCd: 'DUPIRN', Desc: { AckNo: 1 } }];
  expect(parseGspResponse({ success: false, message: '2150 : Duplicate IRN', result })).toMatchObject({ code: '2150' });
});

test('a refusal without a code has the code unknown', () => {
  expect(parseGspResponse({ success: false })).toEqual({ ok: false, code: 'unknown', message: '' });
  expect(parseGspResponse({ Status: '0' })).toEqual({ ok: false, code: 'unknown', message: '' });
});

test('a token that the GSP no longer knows is a login refusal', () => {
  expect(parseGspResponse({ error: 'invalid_token' })).toEqual({ ok: false, code: 'login', message: 'invalid_token' });
});

test.each([[undefined], [null], ['<html>'], [{}], [{ message: 'Service unavailable' }], [[]]])(
  '%j is not a response of the invoice portal',
  (body) => expect(parseGspResponse(body)).toBeUndefined(),
);

const isFinal = (code: string) => new EInvoiceRefusal(code, '').isFinal;

test('refusals of the document are final; refusals of the login or without a known code are not', () => {
  const final = ['2140', '2143', '2172', '2189', '2283', '3028', '3029', '9999'];
  expect(final.filter(isFinal)).toEqual(final);
  expect(['login', 'registered', 'unknown', '1004', '1005', '1008', '1010', '3001', 'irn'].filter(isFinal)).toEqual([]);
});
