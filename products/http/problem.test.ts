import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isProblem, readProblem } from '#shared/domain/call-problem.ts';
import { invalidRequest, problemOf, statementOf } from './problem.ts';

test('a problem is stated by its code, and one of a government portal with the portal’s', () => {
  expect(statementOf(problemOf(404, 'No such number.', 'req_1'))).toBe('not-found');
  expect(statementOf(problemOf(503, 'Busy.', 'req_1', 'pdf-busy'))).toBe('pdf-busy');
  const refused = { ...problemOf(422, 'Refused.', 'req_1', 'portal-refused'), portalCode: '2172' };
  expect(readProblem(statementOf(refused))).toEqual({ code: 'portal-refused', facts: { portal: '2172' } });
});

test('invalid input is stated by its first field', () => {
  const faults = [
    { in: 'body' as const, pointer: '/items/0/hsn', message: 'Enter an HSN code.' },
    { in: 'body' as const, pointer: '/buyer', message: 'Missing.' },
  ];
  const stated = statementOf(invalidRequest(faults, 'req_1'));
  expect(readProblem(stated)).toEqual({ code: 'request-invalid', facts: { in: 'body', field: 'items.0.hsn' } });
});

test('the data of a caller is never stated, whatever the names of fields', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('27AAPFU0939F1ZV', 'AAPFU0939F', '9876543210'));
  fc.assert(
    fc.property(names, fc.string(), (name, message) => {
      const stated = statementOf(invalidRequest([{ in: 'body', pointer: `/${name}`, message }], 'req_1'));
      expect(isProblem(stated)).toBe(true);
      const { field = 'none' } = readProblem(stated).facts;
      expect(field).toMatch(/^(?:[A-Za-z]{1,40}|\d{1,4})(?:\.(?:[A-Za-z]{1,40}|\d{1,4}))*$/);
    }),
  );
});
