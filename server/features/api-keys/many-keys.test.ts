import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { maxEndedKeys } from '#shared/domain/api-key.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

/** A customer with a key that was revoked. */
async function withRevokedKey() {
  const token = await portal.newCustomer();
  const params = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const generate = (keyName: string) => portal.send(createApiKey, { params, body: { keyName } }, token);
  const { id: keyId } = await portal.ask(createApiKey, { params, body: { keyName: 'old' } }, token);
  await portal.ask(revokeApiKey, { params: { ...params, keyId } }, token);
  return { token, params, keyId, generate, list: () => portal.ask(listApiKeys, { params }, token) };
}

/** Copies a revoked key, as calls would make them in hours. Each copy ended a second before the one before it. */
const copyKey = (keyId: string, count: number) =>
  sql`insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, prefix, created_at, revoked_at)
    select k.id || n, activation_id, customer_id, name, sha256((k.id || n)::bytea), hint, prefix, created_at, revoked_at - n * interval '1 second'
    from api_keys k, generate_series(1, ${count}::integer) n where k.id = ${keyId}`.execute(portal.portal.db);

test('the list has every key that still works, and the 100 that ended last', async () => {
  const { token, params, keyId, generate, list } = await withRevokedKey();
  await generate('works');
  const replaced = await portal.ask(createApiKey, { params, body: { keyName: 'again' } }, token);
  await portal.ask(rotateApiKey, { params: { ...params, keyId: replaced.id }, body: { overlapHours: 1 } }, token);
  await copyKey(keyId, maxEndedKeys);
  const keys = await list();
  expect(keys.filter(({ isRevoked }) => !isRevoked).map(({ keyName }) => keyName)).toEqual(['again', 'again', 'works']);
  const ended = keys.filter(({ isRevoked }) => isRevoked).map(({ id }) => id);
  expect(ended).toHaveLength(maxEndedKeys);
  expect(ended).toContain(keyId);
  expect(ended).not.toContain(`${keyId}${maxEndedKeys}`);
});

test('a customer makes at most 200 keys in a day, replaced and revoked ones counted', async () => {
  const { token, params, keyId, generate } = await withRevokedKey();
  await copyKey(keyId, 198);
  const { id: last } = await portal.ask(createApiKey, { params, body: { keyName: 'last' } }, token);
  const rotate = () =>
    portal.send(rotateApiKey, { params: { ...params, keyId: last }, body: { overlapHours: 0 } }, token);
  const refused = { status: 409, body: { code: 'too_many_keys_today' } };
  expect(await generate('more')).toMatchObject(refused);
  expect(await rotate()).toMatchObject(refused);
  portal.moveClock(86_400_000);
  expect(await rotate()).toMatchObject({ status: 200 });
  expect(await generate('more')).toMatchObject({ status: 200 });
});
