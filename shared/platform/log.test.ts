import { expect, test } from 'vitest';
import { createLog, hideSecrets } from './log.ts';

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('portal', { destination: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

const apiKey = 'gstk_live_0000000000000000000000000000002C8GjS';

test('a line is JSON with the process name, the level as text and an ISO time', () => {
  const line: unknown = JSON.parse(written((log) => log.child({ part: 'payments' }).warn('late')));
  expect(line).toMatchObject({ name: 'portal', level: 'warn', part: 'payments', msg: 'late' });
  expect(line).toHaveProperty('time', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/));
});

test.each([
  ['a field', { token: 'plain-value-1' }],
  ['a nested field', { session: { token: 'plain-value-1' } }],
  ['a request header', { req: { headers: { authorization: 'plain-value-1', 'x-api-key': 'plain-value-1' } } }],
])('a secret in %s is hidden by its name', (_where, fields) => {
  const line = written((log) => log.info(fields, 'seen'));
  expect(line).toContain('[hidden]');
  expect(line).not.toContain('plain-value-1');
});

test.each([
  ['an API key', apiKey],
  ['a bearer token', 'Bearer abcdefgh12345678'],
  ['a JSON Web Token', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl'],
  ['a database password', 'postgres://octroi:s3cretword@127.0.0.1:5432/octroi'],
])('a secret (%s) is hidden by its format anywhere in the line', (_what, secret) => {
  const word = secret.includes('s3cretword') ? 's3cretword' : (secret.split(/[ _]/).at(-1) ?? secret);
  expect(written((log) => log.error({ err: new Error(`failed with ${secret}`) }, `about ${secret}`))).not.toContain(
    word,
  );
  expect(hideSecrets(hideSecrets(secret))).toBe(hideSecrets(secret));
});

test('ordinary texts are left unchanged', () => {
  const text = 'order order_RB58MiP5SPFYyM of activation 42 paid by success@razorpay at http://localhost:4000/api/7';
  expect(hideSecrets(text)).toBe(text);
});
