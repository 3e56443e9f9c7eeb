import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignInNonce, readAccount, signIn, signOut, updateProfile } from '#contract/account.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { createApiKey } from '#contract/api-keys.ts';
import type { Call } from '#contract/call.ts';
import { calls } from '#contract/test-calls.ts';
import { listDocuments } from '#contract/documents.ts';
import { createOrder, verifyPayment } from '#contract/payments.ts';
import { webhookEventTypes } from '#contract/webhook-events.ts';
import { createWebhook, testWebhook } from '#contract/webhooks.ts';
import { sql } from 'kysely';
import { absent, nothingOwned, type Owned, ownedIds } from './test-owned.ts';
import { sampleProfile, startTestPortal, type TestPortal } from './test-portal.ts';

let portal: TestPortal;
let owner: Owned;
let stranger: string;

beforeAll(async () => {
  // No background jobs, so that only the call under test changes anything.
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'growth' } },
    token,
  );
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  const paid = await portal.pay(orderId);
  const body = {
    paymentId: String(paid['razorpay_payment_id']),
    orderId,
    signature: String(paid['razorpay_signature']),
  };
  await portal.ask(verifyPayment, { body }, token);
  const { id: keyId } = await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'own' } }, token);
  const { documents } = await portal.ask(listDocuments, {}, token);
  const webhook = { url: 'https://1.1.1.1/hook', events: [...webhookEventTypes] };
  const { id: webhookId } = (await portal.ask(createWebhook, { body: webhook }, token)).webhook;
  const { deliveryId } = await portal.ask(testWebhook, { params: { webhookId } }, token);
  const documentId = documents[0]?.id ?? '';
  owner = { token, activationId, cycleId: billingCycleId, keyId, orderId, documentId, webhookId, deliveryId };
  stranger = await portal.newCustomer();
});
afterAll(() => portal.close());

async function request(
  call: Call,
  input: { params?: Record<string, string>; body?: object },
  token?: string,
  extra: Record<string, string> = {},
) {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? 'x'));
  const body = call.body ? JSON.stringify(input.body ?? {}) : undefined;
  const response = await fetch(`${portal.portalUrl}/backend${path}`, {
    method: call.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...extra,
    },
    ...(body ? { body } : {}),
  });
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

/** The rows that a refused call must leave unchanged. */
async function contents(): Promise<string> {
  const tables = [
    'activations',
    'cycles',
    'payment_orders',
    'payments',
    'refunds',
    'documents',
    'mails',
    'api_keys',
    'profiles',
    'webhooks',
    'webhook_deliveries',
    'webhook_attempts',
  ];
  const rows = await Promise.all(
    tables.map((table) =>
      sql`select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum from ${sql.table(table)} t`.execute(
        portal.portal.db,
      ),
    ),
  );
  return JSON.stringify(rows.map((result) => result.rows));
}

test('every call of the contract is listed as naming an owned id or not, so that a new one cannot be forgotten', () => {
  const named = new Set([...Object.keys(ownedIds), ...nothingOwned]);
  expect(calls.map((call) => call.name).toSorted()).toEqual([...named].toSorted());
});

test.each(Object.keys(ownedIds))(
  '%s responds to another customer’s id and to an absent id with the same 404, and changes nothing',
  async (name) => {
    const call = calls.find((each) => each.name === name);
    const idsOf = ownedIds[name];
    if (!call || !idsOf) throw new Error(name);
    const before = await contents();
    const foreign = await request(call, idsOf(owner), stranger);
    const missing = await request(call, idsOf(absent), stranger);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(missing);
    expect(JSON.parse(foreign.text)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await contents()).toBe(before);
  },
);

test.each(['endCycle', 'previewEndCycle', 'revokeApiKey'])(
  '%s refuses the caller’s activation combined with another customer’s id',
  async (name) => {
    const call = calls.find((each) => each.name === name);
    const idsOf = ownedIds[name];
    if (!call || !idsOf) throw new Error(name);
    const token = await portal.newCustomer();
    const mine = await portal.ask(activatePlan, { params: { id: 'invoicing-system', planId: 'starter' } }, token);
    const response = await request(call, idsOf({ ...owner, activationId: mine.activationId }), token);
    expect(response.status).toBe(404);
  },
);

test.each(calls.filter((call) => call.auth === 'session').map((call) => call.name))(
  '%s requires a session',
  async (name) => {
    const call = calls.find((each) => each.name === name);
    if (!call) throw new Error(name);
    const tokens = [undefined, 'nonsense', 'x'.repeat(43), `gstk_live_${'0'.repeat(30)}2C8GjS`];
    for (const token of tokens) {
      const response = await request(call, {}, token);
      expect(response.status).toBe(401);
      expect(response.type).toContain('application/problem+json');
      expect(JSON.parse(response.text)).toMatchObject({ code: 'unauthorized', message: 'Unauthorized access' });
    }
  },
);

test.each(calls.filter((call) => call.body).map((call) => call.name))('%s refuses unknown fields', async (name) => {
  const call = calls.find((each) => each.name === name);
  if (!call) throw new Error(name);
  const before = await contents();
  const input = ownedIds[name]?.(owner) ?? { body: {} };
  for (const field of ['status', 'price', 'customerId', 'role', '__proto__', 'constructor']) {
    const body: object = JSON.parse(
      `{${JSON.stringify(input.body ?? {}).slice(1, -1)}${Object.keys(input.body ?? {}).length > 0 ? ',' : ''}"${field}":"PAID"}`,
    );
    const raw = JSON.stringify(body).includes(field) ? body : { ...body, [field]: 'PAID' };
    const response = await request(call, { ...input, body: raw }, owner.token);
    expect(response.status, field).toBe(400);
  }
  expect(await contents()).toBe(before);
});

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
  [{ gstin: '27ZZZCA0001A1Z4' }, '/stateCode'],
  [{ stateCode: '28' }, '/stateCode'],
  [{ stateCode: '96' }, '/stateCode'],
  [{ pin: '12' }, '/pin'],
])('a business profile with %j is refused with an error at %s', async (change, pointer) => {
  const token = await portal.newCustomer(null);
  const response = await portal.send(updateProfile, { body: { ...sampleProfile, ...change } }, token);
  expect(response.body).toMatchObject({ status: 400, errors: [expect.objectContaining({ pointer })] });
});

test('the log contains no token, key, signature or secret', async () => {
  const secrets = [owner.token, stranger, 'rzp_sandbox_secret_0000', 'whsec_local_1', 'gstk_live_'];
  const written = portal.logLines.join('');
  expect(written).toContain('request completed');
  for (const secret of secrets) expect(written).not.toContain(secret);
});
