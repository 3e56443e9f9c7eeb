import { expect, test } from 'vitest';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { faultsOfBody, faultsOfProblem } from '#web/forms/contract-faults.ts';

const fields = {
  initialValues: { keyName: '', lastDay: '', allowedIps: '' },
  fieldOf: { expiresAt: 'lastDay' } as const,
  wording: (field: string) => (field === 'lastDay' ? 'Choose a day.' : undefined),
};

test('shows a schema issue at its field, in the form’s words or the contract’s', () => {
  const body = { keyName: 'x'.repeat(101), expiresAt: 'soon', allowedIps: ['10.0.0.1', 'everywhere'] };
  expect(faultsOfBody(createApiKey.body, body, fields)).toEqual({
    keyName: expect.stringContaining('100'),
    lastDay: 'Choose a day.',
    allowedIps: 'must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24',
  });
  expect(faultsOfBody(createApiKey.body, { keyName: 'prod' }, fields)).toEqual({});
});

test('shows a server error at its field, and ignores properties without a field', () => {
  const problem = { type: 'about:blank', title: 'Invalid request', status: 400, code: 'invalid_request', message: '' };
  const errors = [
    { pointer: '/expiresAt', message: 'is past' },
    { pointer: '/allowedIps/3', message: 'is no address' },
    { pointer: '/', message: 'is no object' },
  ];
  expect(faultsOfProblem({ ...problem, errors }, fields)).toEqual({ lastDay: 'is past', allowedIps: 'is no address' });
  expect(faultsOfProblem(problem, fields)).toEqual({});
});
