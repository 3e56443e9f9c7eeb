import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCharged, operationFinder } from './operation.ts';

const operationOf = operationFinder([
  { id: 'read', method: 'GET', path: '/v1/gstins/{gstin}' },
  { id: 'bulk', method: 'GET', path: '/v1/gstins/bulk' },
  { id: 'submit', method: 'POST', path: '/v1/gstins/bulk' },
  { id: 'file', method: 'GET', path: '/v1/{kind}/bulk/{name}' },
]);

test('an operation is found by its method and path, a literal segment before a parameter', () => {
  expect(operationOf('GET', '/v1/gstins/29ABCDE1234F1Z5')).toBe('read');
  expect(operationOf('GET', '/v1/gstins/bulk?after=3')).toBe('bulk');
  expect(operationOf('POST', '/v1/gstins/bulk')).toBe('submit');
  expect(operationOf('HEAD', '/v1/gstins/bulk')).toBe('bulk');
  expect(operationOf('GET', '/v1/gstins/bulk/a')).toBe('file');
  for (const other of ['/v1/gstins', '/v1', '/', '/v2/gstins/bulk']) expect(operationOf('GET', other)).toBe('');
  expect(operationOf('DELETE', '/v1/gstins/bulk')).toBe('');
});

test('another spelling of a path is the same operation', () => {
  const spelled = fc.tuple(
    ...['b', 'u', 'l', 'k'].map((letter) => {
      const code = letter.codePointAt(0)?.toString(16) ?? '';
      return fc.constantFrom(letter, letter.toUpperCase(), `%${code}`, `%${code.toUpperCase()}`);
    }),
  );
  const slashes = fc.constantFrom('/', '//', '///');
  fc.assert(
    fc.property(spelled, slashes, fc.constantFrom('', '/', '//', ';a=b', '%2F', '%20'), (letters, slash, end) => {
      expect(operationOf('POST', `${slash}v1${slash}gstins${slash}${letters.join('')}${end}`)).toBe('submit');
    }),
  );
  expect(operationOf('GET', '/v1/gstins/%E0%A4%A')).toBe('read');
});

test('a call is charged for the statuses of its operation; one of 0 units never is', () => {
  expect(isCharged({ units: 10 }, 404)).toBe(true);
  expect(isCharged({ units: 0 }, 200)).toBe(false);
  const found = { units: 5, counts: ['2xx', 404] as const };
  expect([200, 201, 404].every((status) => isCharged(found, status))).toBe(true);
  expect([301, 400, 422].some((status) => isCharged(found, status))).toBe(false);
});
