import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignInNonce, readAccount, signIn, signOut, updateProfile } from '#shared/contract/account.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { shareHealth } from './health.ts';
import { sampleProfile, startTestPortal, type TestPortal } from './test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

test('the OpenAPI document is 3.1 and describes every call with its refusals', async () => {
  const response = await fetch(`${portal.portalUrl}/backend/openapi.json`);
  const document: unknown = await response.json();
  expect(document).toMatchObject({ openapi: '3.1.0' });
  const text = JSON.stringify(document);
  for (const call of calls) expect(text).toContain(`"operationId":"${call.name}"`);
  expect(document).toHaveProperty([
    'paths',
    '/devportal/services/{activationId}/apikeys/generate',
    'post',
    'responses',
    '409',
    'content',
    'application/problem+json',
  ]);
});

const readOpenApi = (encoding: string) =>
  fetch(`${portal.portalUrl}/backend/openapi.json`, { headers: { 'accept-encoding': encoding } });

test.each(['br', 'gzip', 'identity'])('the OpenAPI document is the same in the encoding %s', async (encoding) => {
  const response = await readOpenApi(encoding);
  expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('vary')).toBe('accept-encoding');
  expect(await response.json()).toEqual(await (await readOpenApi('identity')).json());
});

test('all who ask for the health while it is read get one reading', async () => {
  const read = shareHealth(portal.portal);
  const first = read();
  expect(read()).toBe(first);
  await first;
  expect(read()).not.toBe(first);
});

test('a customer signs in and gives a profile once, and signing out ends the session on the server', async () => {
  const { nonce } = await portal.ask(createSignInNonce, {});
  const first = await portal.ask(signIn, {
    body: { googleIdToken: await portal.idToken({ account: 'imran', nonce }) },
  });
  expect(first.requireOnboarding).toBe(true);
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }, first.accessToken);
  const account = await portal.ask(readAccount, {}, first.accessToken);
  expect(account).toMatchObject({
    requireOnboarding: false,
    user: { name: 'Imran Qureshi' },
    profile: { gstin: '29ZZZCA0001A1Z0' },
  });
  await portal.ask(signOut, {}, first.accessToken);
  expect((await portal.send(readAccount, {}, first.accessToken)).status).toBe(401);
});

test.each([
  'wrong-aud',
  'wrong-iss',
  'expired',
  'bad-signature',
  'alg-none',
  'hs256-public-key',
  'missing-nonce',
  'unverified-email',
])('a token with the fault %s is refused with the same message', async (fault) => {
  const { nonce } = await portal.ask(createSignInNonce, {});
  const response = await portal.send(signIn, {
    body: { googleIdToken: await portal.idToken({ account: 'asha', nonce, fault }) },
  });
  expect(response.body).toMatchObject({
    status: 401,
    code: 'sign_in_failed',
    message: 'Login failed. Please try again.',
  });
});

test('a nonce that was never issued, or was used before, is refused', async () => {
  const never = await portal.idToken({ account: 'asha', nonce: 'never-given-out' });
  expect((await portal.send(signIn, { body: { googleIdToken: never } })).status).toBe(401);
  const { nonce } = await portal.ask(createSignInNonce, {});
  const token = await portal.idToken({ account: 'asha', nonce });
  const both = await Promise.all([1, 2].map(() => portal.send(signIn, { body: { googleIdToken: token } })));
  expect(both.map((response) => response.status)).toEqual(expect.arrayContaining([200, 401]));
});

test('other fields of the sign-in call are ignored: only the verified token counts', async () => {
  const { nonce } = await portal.ask(createSignInNonce, {});
  const body = {
    id: '1',
    email: 'victim@example.com',
    name: 'Victim',
    googleIdToken: await portal.idToken({ account: 'asha', nonce }),
  };
  const { accessToken } = await portal.ask(signIn, { body });
  expect((await portal.ask(readAccount, {}, accessToken)).user.name).toBe('Asha Rao');
});

test.each([
  [{ gstin: '29ZZZCA0001A1Z1' }, '/gstin'],
  [{ gstin: '27ZZZCA0001A2Z3' }, '/stateCode'],
  [{ gstin: '27ZZZCA0001A1Z4' }, '/gstin'],
  [{ stateCode: '28' }, '/stateCode'],
  [{ stateCode: '96' }, '/stateCode'],
  [{ pin: '12' }, '/pin'],
  [{ pin: '411001' }, '/pin'],
  [{ gstin: '29ZZZCA0001A1Z0', pin: '411001' }, '/pin'],
])('a business profile with %j is refused with an error at %s', async (change, pointer) => {
  const token = await portal.newCustomer(null);
  const response = await portal.send(updateProfile, { body: { ...sampleProfile, ...change } }, token);
  expect(response.body).toMatchObject({ status: 400, errors: [expect.objectContaining({ pointer })] });
});
