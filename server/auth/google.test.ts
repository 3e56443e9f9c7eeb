import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdTokenVerifier, type VerifyIdToken } from './google.ts';

const clientId = 'octroi.apps.googleusercontent.com';
const issuer = 'https://accounts.google.com';
const nowSeconds = Math.floor(Date.parse('2026-11-22T10:00:00Z') / 1000);

let sign: (claims: Record<string, unknown>, issuedAt?: number, audience?: string | string[]) => Promise<string>;
let verify: VerifyIdToken;
const server = createServer();
beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
  server.on('request', (_request, response) => response.setHeader('content-type', 'application/json').end(keys));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  verify = createIdTokenVerifier({
    jwksUrl: `http://127.0.0.1:${port}/certs`,
    issuers: [issuer],
    clientId,
    machineClock: () => nowSeconds * 1000,
  });
  const person = { nonce: 'n', email: 'asha@kaveri.in', email_verified: true, name: 'Asha' };
  sign = (claims, issuedAt = nowSeconds, audience: string | string[] = clientId) =>
    new SignJWT({ ...person, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('1')
      .setIssuedAt(issuedAt)
      .setExpirationTime(nowSeconds + 3600)
      .sign(privateKey);
});
afterAll(() => server.close());

test.each([
  ['now', 0, true],
  ['20 seconds ahead of our clock', 20, true],
  ['10 minutes ahead', 600, false],
  ['59 minutes ago', -3540, true],
  ['two hours ago, though it has not expired', -7200, false],
  ['30 days ago, though it has not expired', -30 * 86_400, false],
])('a token issued %s (%i s) is accepted: %s', async (_when, offset, isTaken) => {
  expect((await verify(await sign({}, nowSeconds + offset))) !== undefined).toBe(isTaken);
});

test.each(['javascript:alert(1)', 'data:text/html,<script>', 'JAVASCRIPT:x', 'x'.repeat(3000)])(
  'a picture that is not a web address is dropped: %.30s',
  async (picture) => {
    expect(await verify(await sign({ picture }))).toMatchObject({ picture: '', email: 'asha@kaveri.in' });
  },
);

test('a picture that is a web address is kept', async () => {
  const picture = 'https://lh3.googleusercontent.com/a/b=s96-c';
  expect(await verify(await sign({ picture }))).toMatchObject({ picture });
});

test.each(['asha@kaveri.in\r\nBcc: all@kaveri.in', 'asha@kaveri.in\n', 'as ha@kaveri.in', 'asha\0@kaveri.in', 'asha'])(
  'an e-mail address that could begin another header is refused: %j',
  async (email) => {
    expect(await verify(await sign({ email }))).toBeUndefined();
  },
);

test('a name over 200 characters signs in, cut between characters', async () => {
  const identity = await verify(await sign({ name: '😀'.repeat(300), given_name: 'a'.repeat(201) }));
  expect(identity?.name).toBe('😀'.repeat(200));
  expect(identity?.givenName).toBe('a'.repeat(200));
});

test.each([
  ['us alone', clientId, true],
  ['another app', 'other.apps.googleusercontent.com', false],
  ['us and another app', [clientId, 'other.apps.googleusercontent.com'], false],
])('a token for %s (%s) is accepted: %s', async (_whom, audience, isTaken) => {
  expect((await verify(await sign({}, nowSeconds, audience))) !== undefined).toBe(isTaken);
});

test.each([
  [clientId, true],
  ['other.apps.googleusercontent.com', false],
])('a token for us that was issued to %s (azp) is accepted: %s', async (azp, isTaken) => {
  expect((await verify(await sign({ azp }))) !== undefined).toBe(isTaken);
});
