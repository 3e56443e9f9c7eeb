import { decodeProtectedHeader, createRemoteJWKSet, jwtVerify } from 'jose';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type TokenFault, tokenFaultSchema } from '#ship/standins/google/id-token.ts';
import { startStandins } from '#ship/standins/standins.ts';
import { clientId, send, startForTest, temporaryFolder, testConfig } from '#ship/standins/testing.ts';

/** The checks of a careful relying party. */
async function verify(googleUrl: string, credential: string, nonce: string) {
  const keys = createRemoteJWKSet(new URL(`${googleUrl}/oauth2/v3/certs`));
  const { payload } = await jwtVerify(credential, keys, {
    algorithms: ['RS256'],
    audience: clientId,
    issuer: ['accounts.google.com', 'https://accounts.google.com'],
    requiredClaims: ['sub', 'email', 'exp', 'iat'],
  });
  if (payload['nonce'] !== nonce) throw new Error('nonce');
  if (payload['email_verified'] !== true) throw new Error('email_verified');
  return payload;
}

test('a token carries the person’s claims and passes every check', async () => {
  const { google, googleUrl } = await startForTest();
  const { body } = await google('POST', '/standin/token', { account: 'asha', nonce: 'n-1' });
  const payload = await verify(googleUrl, String(body['credential']), 'n-1');
  expect(payload).toMatchObject({
    iss: 'https://accounts.google.com',
    aud: clientId,
    azp: clientId,
    email: 'asha.rao@kaveri-textiles.example',
    email_verified: true,
    hd: 'kaveri-textiles.example',
    name: 'Asha Rao',
    given_name: 'Asha',
    family_name: 'Rao',
    nonce: 'n-1',
  });
  expect(payload.sub).toMatch(/^\d{21}$/);
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  const picture = await fetch(String(payload['picture']));
  expect(picture.headers.get('content-type')).toContain('image/svg+xml');
});

const faultMessages: Record<TokenFault, string> = {
  'wrong-aud': 'unexpected "aud" claim value',
  'wrong-iss': 'unexpected "iss" claim value',
  expired: '"exp" claim timestamp check failed',
  'issued-in-future': '"nbf" claim timestamp check failed',
  'bad-signature': 'signature verification failed',
  'changed-payload': 'signature verification failed',
  'unknown-kid': 'no applicable key found',
  'alg-none': '"alg" (Algorithm) Header Parameter value not allowed',
  'hs256-public-key': '"alg" (Algorithm) Header Parameter value not allowed',
  'missing-nonce': 'nonce',
  'wrong-nonce': 'nonce',
  'unverified-email': 'email_verified',
  'missing-email': 'missing required "email" claim',
  'missing-sub': 'missing required "sub" claim',
};

test.each(tokenFaultSchema.options)('a token with the fault %s fails for exactly that reason', async (fault) => {
  const { google, googleUrl } = await startForTest();
  const { body } = await google('POST', '/standin/token', { account: 'asha', nonce: 'n-1', fault });
  await expect(verify(googleUrl, String(body['credential']), 'n-1')).rejects.toThrow(faultMessages[fault]);
});

test('claims can be set individually, and one person has an unverified e-mail', async () => {
  const { google, googleUrl } = await startForTest();
  const named = await google('POST', '/standin/token', { nonce: 'n', claims: { name: 'मोहन पाटिल', hd: 'x.example' } });
  expect(await verify(googleUrl, String(named.body['credential']), 'n')).toMatchObject({
    name: 'मोहन पाटिल',
    hd: 'x.example',
  });
  const kabir = await google('POST', '/standin/token', { account: 'kabir', nonce: 'n' });
  await expect(verify(googleUrl, String(kabir.body['credential']), 'n')).rejects.toThrow('email_verified');
});

test('unknown people, faults and fields are refused', async () => {
  const { google } = await startForTest();
  expect((await google('POST', '/standin/token', { account: 'nobody' })).status).toBe(404);
  expect((await google('POST', '/standin/token', { fault: 'sleepy' })).status).toBe(400);
  expect((await google('POST', '/standin/token', { acount: 'asha' })).status).toBe(400);
});

test('discovery returns the keys, and rotation keeps the old key until it is dropped', async () => {
  const { google, googleUrl } = await startForTest();
  const discovery = await google('GET', '/.well-known/openid-configuration');
  expect(discovery.body).toMatchObject({
    issuer: 'https://accounts.google.com',
    jwks_uri: `${googleUrl}/oauth2/v3/certs`,
  });

  const before = String((await google('POST', '/standin/token', { nonce: 'n' })).body['credential']);
  const { body } = await google('POST', '/standin/keys/rotate');
  const after = String((await google('POST', '/standin/token', { nonce: 'n' })).body['credential']);
  expect(decodeProtectedHeader(after).kid).toBe(body['kid']);
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  await verify(googleUrl, before, 'n');
  await verify(googleUrl, after, 'n');

  await google('POST', '/standin/keys/rotate', { dropOld: true });
  await expect(verify(googleUrl, after, 'n')).rejects.toThrow('no applicable key found');
});

test('keys and added accounts survive a restart', async () => {
  const dataDir = temporaryFolder();
  const first = await startStandins(testConfig(dataDir));
  const token = await send('POST', `${first.googleUrl}/standin/token`, { nonce: 'n' });
  const added = await send('POST', `${first.googleUrl}/gsi/accounts`, {
    name: 'Devika Menon',
    email: 'Devika@Example.com',
  });
  expect(added.body).toMatchObject({ email: 'devika@example.com', givenName: 'Devika', familyName: 'Menon' });
  await first.close();

  const { google, googleUrl } = await startForTest({ dataDir });
  await verify(googleUrl, String(token.body['credential']), 'n');
  const again = await google('POST', '/gsi/accounts', { name: 'Someone', email: 'devika@example.com' });
  expect(again.body['sub']).toBe(added.body['sub']);
});

test('the chooser gives credentials only to pages of this machine and to the known client', async () => {
  const { google } = await startForTest();
  const good = { client_id: clientId, origin: 'http://localhost:4000', account: 'imran', nonce: 'n' };
  expect((await google('POST', '/gsi/credential', good)).status).toBe(200);
  for (const origin of [
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost:4000.evil.example',
    '',
  ]) {
    const refused = await google('POST', '/gsi/credential', { ...good, origin });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('origin_mismatch') } });
  }
  const stranger = await google('POST', '/gsi/credential', { ...good, client_id: 'other' });
  expect(stranger.body['message']).toContain('invalid_client');
});

test('other sites can neither use the server under their name nor call its controls', async () => {
  const { googleUrl } = await startForTest();
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${googleUrl}/standin/about`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject).end();
    });
  expect(await status({})).toBe(200);
  expect(await status({ host: 'rebound.example' })).toBe(403);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
  expect(await status({ origin: 'http://localhost:4000' })).toBe(200);
});
