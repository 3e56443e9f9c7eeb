import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey, updateApiKey } from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { generateApiKey, rotateApiKey as rotateKey } from './api-keys.ts';

let portal: TestPortal;
let token: string;
let params: { activationId: string };
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

async function newActivation(): Promise<void> {
  token = await portal.newCustomer();
  params = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
}

const generate = (keyName: string) => portal.send(createApiKey, { params, body: { keyName } }, token);

test('a key is shown once; the database stores only its SHA-256', async () => {
  await newActivation();
  const made = await portal.ask(createApiKey, { params, body: { keyName: 'prod1' } }, token);
  expect(isWellFormedApiKey(made.apiKey)).toBe(true);
  const listed = await portal.send(listApiKeys, { params }, token);
  expect(listed.text).not.toContain(made.apiKey);
  expect(listed.body).toEqual([
    expect.objectContaining({
      id: made.id,
      keyName: 'prod1',
      isRevoked: false,
      hint: made.apiKey.slice(-4),
      lastUsedAt: null,
    }),
  ]);
  const rows = await portal.portal.db.selectFrom('api_keys').selectAll().where('id', '=', made.id).execute();
  expect(rows[0]?.key_hash).toEqual(sha256(made.apiKey));
  expect(JSON.stringify(rows)).not.toContain(made.apiKey.slice(10, 40));
});

test.each(['', 'toolong', 'Prod', 'a-b', 'né', ' a'])(
  'the key name "%s" is refused with the form’s message',
  async (keyName) => {
    await newActivation();
    expect((await generate(keyName)).body).toMatchObject({
      status: 400,
      code: 'invalid_key_name',
      message: 'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)',
    });
  },
);

test('rejects a second active key with the same name; the name of a revoked key is free again', async () => {
  await newActivation();
  const first = await portal.ask(createApiKey, { params, body: { keyName: 'same' } }, token);
  const responses = await Promise.all([generate('same'), generate('same')]);
  expect(responses.map((response) => response.status)).toEqual([409, 409]);
  await portal.ask(revokeApiKey, { params: { ...params, keyId: first.id } }, token);
  expect((await generate('same')).status).toBe(200);
});

test('revoking is final, and revoking again changes nothing', async () => {
  await newActivation();
  const { id: keyId } = await portal.ask(createApiKey, { params, body: { keyName: 'gone' } }, token);
  await portal.ask(revokeApiKey, { params: { ...params, keyId } }, token);
  const once = await portal.send(listApiKeys, { params }, token);
  const announced = () => portal.portal.db.selectFrom('access_changes').select('version').execute();
  const changes = await announced();
  await portal.ask(revokeApiKey, { params: { ...params, keyId } }, token);
  // Each change that is announced makes every gateway read its keys again.
  expect(await announced()).toEqual(changes);
  expect(await portal.send(listApiKeys, { params }, token)).toEqual(once);
  expect(once.body).toEqual([expect.objectContaining({ isRevoked: true })]);
  await expect(
    portal.portal.db.updateTable('api_keys').set({ revoked_at: null }).where('id', '=', keyId).execute(),
  ).rejects.toThrow(/revoked for good/);
});

test('a customer has at most 20 active keys, even when generating keys of two activations simultaneously', async () => {
  await newActivation();
  const invoicing = await portal.ask(activateProduct, { params: { id: 'invoicing-system' } }, token);
  const { user } = await portal.ask(readAccount, {}, token);
  const terms = { isTest: false, expiresAt: null, allowedIps: [], dailyCap: null };
  for (let count = 0; count < 19; count += 1) {
    // Not a call: more of them than the limit per minute would be refused.
    await generateApiKey(portal.portal, { customerId: user.id }, params.activationId, {
      keyName: `k${count}`,
      ...terms,
    });
  }
  const { db } = portal.portal;
  const waiting = async () => {
    const result = await sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return result.rows[0];
  };
  // Both have counted the keys before either commits.
  const both = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('access_changes'))`.execute(tx);
    const generated = [params, { activationId: invoicing.activationId }].map((of) =>
      portal.send(createApiKey, { params: of, body: { keyName: 'last' } }, token),
    );
    await expect.poll(waiting).toEqual({ count: 2 });
    return { generated };
  });
  const responses = await Promise.all(both.generated);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'too_many_keys' });
});

test('the number of keys generated per minute is limited', async () => {
  await newActivation();
  const statuses: number[] = [];
  for (let count = 0; count < 22; count += 1) statuses.push((await generate(`k${count}`)).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(statuses.slice(20)).toEqual([429, 429]);
});

const inDays = (days: number): string => new Date(portal.portal.clock() + days * 86_400_000).toISOString();
const listed = async (keyId: string) =>
  (await portal.ask(listApiKeys, { params }, token)).find(({ id }) => id === keyId);

test('a key has an expiry, allowed addresses and a daily cap, which can be changed', async () => {
  await newActivation();
  const terms = { expiresAt: inDays(90), allowedIps: ['203.0.113.0/24', '2001:db8::1'], dailyCap: 500 };
  const { id } = await portal.ask(createApiKey, { params, body: { keyName: 'bound', ...terms } }, token);
  expect(await listed(id)).toMatchObject({ ...terms, isTest: false, isExpired: false });
  const changed = { expiresAt: null, allowedIps: [], dailyCap: 7 };
  await portal.ask(updateApiKey, { params: { ...params, keyId: id }, body: changed }, token);
  expect(await listed(id)).toMatchObject(changed);
});

test.each([
  ['an expiry in the past', () => ({ expiresAt: inDays(-1) }), 422],
  ['an invalid address', () => ({ allowedIps: ['203.0.113.300'] }), 400],
  ['an invalid network', () => ({ allowedIps: ['203.0.113.0/33'] }), 400],
  ['a cap of zero', () => ({ dailyCap: 0 }), 400],
  ['a cap on a test key', () => ({ isTest: true, dailyCap: 5 }), 422],
])('a key with %s is refused', async (_what, terms, status) => {
  await newActivation();
  expect((await portal.send(createApiKey, { params, body: { keyName: 'bad', ...terms() } }, token)).status).toBe(
    status,
  );
});

test('a test key is recognisable by its prefix', async () => {
  await newActivation();
  const made = await portal.ask(createApiKey, { params, body: { keyName: 'play', isTest: true } }, token);
  expect(made.apiKey).toMatch(/^gstk_test_/);
  expect(await listed(made.id)).toMatchObject({ isTest: true });
});

test('rotating generates a new key with the same name and terms; the old key expires after the chosen overlap', async () => {
  await newActivation();
  const body = { keyName: 'prod', allowedIps: ['203.0.113.7'], dailyCap: 9, expiresAt: inDays(30) };
  const old = await portal.ask(createApiKey, { params, body }, token);
  const lifeMs = new Date(body.expiresAt).getTime() - new Date(old.createdAt).getTime();
  portal.moveClock(3_600_000);
  const rotated = await portal.ask(
    rotateApiKey,
    { params: { ...params, keyId: old.id }, body: { overlapHours: 24 } },
    token,
  );
  expect(rotated.apiKey).not.toBe(old.apiKey);
  expect(await listed(rotated.id)).toMatchObject({
    keyName: 'prod',
    allowedIps: ['203.0.113.7'],
    dailyCap: 9,
    // As long a life as the old key's, from now.
    expiresAt: new Date(new Date(rotated.createdAt).getTime() + lifeMs).toISOString(),
  });
  const before = await listed(old.id);
  expect(before).toMatchObject({ isRevoked: false, replacedBy: rotated.id, expiresAt: rotated.previousEndsAt });
  expect(new Date(rotated.previousEndsAt).getTime() - new Date(rotated.createdAt).getTime()).toBe(86_400_000);
  const again = await portal.send(
    rotateApiKey,
    { params: { ...params, keyId: old.id }, body: { overlapHours: 1 } },
    token,
  );
  expect(again).toMatchObject({ status: 409, body: { code: 'key_ended' } });
  // It can still be revoked earlier, but its expiry can't be extended.
  await expect(
    portal.portal.db
      .updateTable('api_keys')
      .set({ expires_at: new Date('2099-01-01') })
      .where('id', '=', old.id)
      .execute(),
  ).rejects.toThrow(/ends as it was said/);
  await portal.ask(revokeApiKey, { params: { ...params, keyId: old.id } }, token);
  expect(await listed(old.id)).toMatchObject({ isRevoked: true });
});

test('rotating without an overlap revokes the old key at once', async () => {
  await newActivation();
  const old = await portal.ask(createApiKey, { params, body: { keyName: 'leak' } }, token);
  await portal.ask(rotateApiKey, { params: { ...params, keyId: old.id }, body: { overlapHours: 0 } }, token);
  expect(await listed(old.id)).toMatchObject({ isRevoked: true });
  const tooLong = { params: { ...params, keyId: old.id }, body: { overlapHours: 169 } };
  expect((await portal.send(rotateApiKey, tooLong, token)).status).toBe(400);
});

test('at most 20 of a customer’s replaced keys still work: then one is revoked first, or a key is replaced without an overlap', async () => {
  await newActivation();
  const { user } = await portal.ask(readAccount, {}, token);
  const customer = { customerId: user.id };
  // Not calls: more of them than the limit per minute would be refused.
  const first = await generateApiKey(portal.portal, customer, params.activationId, {
    keyName: 'chain',
    isTest: false,
    expiresAt: null,
    allowedIps: [],
    dailyCap: null,
  });
  const rotate = (keyId: string, overlapHours: number) =>
    rotateKey(portal.portal, customer, params.activationId, keyId, overlapHours);
  let last = first.id;
  for (let count = 0; count < 20; count += 1) last = (await rotate(last, 1)).id;
  await expect(rotate(last, 1)).rejects.toMatchObject({ code: 'too_many_keys' });
  expect(await listed(last)).toMatchObject({ replacedBy: null, isRevoked: false });
  last = (await rotate(last, 0)).id;
  await portal.ask(revokeApiKey, { params: { ...params, keyId: first.id } }, token);
  last = (await rotate(last, 1)).id;
  await expect(rotate(last, 1)).rejects.toMatchObject({ code: 'too_many_keys' });
  portal.moveClock(3_600_000);
  await rotate(last, 1);
});

test('two simultaneous rotations generate one new key', async () => {
  await newActivation();
  const { id: keyId } = await portal.ask(createApiKey, { params, body: { keyName: 'twice' } }, token);
  const rotate = () => portal.send(rotateApiKey, { params: { ...params, keyId }, body: { overlapHours: 1 } }, token);
  const statuses = (await Promise.all([rotate(), rotate()])).map(({ status }) => status);
  expect(statuses).toEqual(expect.arrayContaining([200, 409]));
});

test('the name of an expired key is free again', async () => {
  await newActivation();
  const first = await portal.ask(createApiKey, { params, body: { keyName: 'short', expiresAt: inDays(1) } }, token);
  portal.moveClock(2 * 86_400_000);
  expect(await listed(first.id)).toMatchObject({ isExpired: true, isRevoked: false });
  expect((await generate('short')).status).toBe(200);
  expect(await listed(first.id)).toMatchObject({
    isRevoked: true,
    revokedAt: first && (await listed(first.id))?.expiresAt,
  });
});
