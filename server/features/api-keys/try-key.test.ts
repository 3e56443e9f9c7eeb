import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import {
  createApiKey,
  createTryKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { tryKeyMs } from '#shared/domain/api-key.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let token: string;
let params: { activationId: string };
beforeAll(async () => {
  portal = await startTestPortal({
    jobs: false,
    catalogDir: changedCatalog({ 'invoicing-system': { sandbox: '' } }),
  });
});
afterAll(() => portal.close());
beforeEach(async () => {
  token = await portal.newCustomer();
  params = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
});

const list = () => portal.ask(listApiKeys, { params }, token);

test('a key for trying calls is a listed test key that ends within the hour and can be revoked', async () => {
  const made = await portal.ask(createTryKey, { params }, token);
  expect(made.apiKey).toMatch(/^gstk_test_/);
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(tryKeyMs);
  expect(await list()).toEqual([
    expect.objectContaining({ id: made.id, keyName: 'try', isTest: true, expiresAt: made.expiresAt, isRevoked: false }),
  ]);
  await portal.ask(revokeApiKey, { params: { ...params, keyId: made.id } }, token);
  expect(await list()).toEqual([expect.objectContaining({ id: made.id, isRevoked: true })]);
});

test('a second one takes the place of the first, so that one is active however often calls are tried', async () => {
  const first = await portal.ask(createTryKey, { params }, token);
  const second = await portal.ask(createTryKey, { params }, token);
  expect(await list()).toEqual([
    expect.objectContaining({ id: second.id, isRevoked: false }),
    expect.objectContaining({ id: first.id, isRevoked: true }),
  ]);
});

test('keys of the customer are never ended by it, whatever their name and end, and none of them stops it', async () => {
  const expiresAt = new Date(portal.portal.clock() + tryKeyMs / 2).toISOString();
  const own = [
    { keyName: 'try', expiresAt },
    { keyName: 'try2', isTest: true, expiresAt },
  ];
  for (const body of own) await portal.ask(createApiKey, { params, body }, token);
  await portal.ask(createTryKey, { params }, token);
  await portal.ask(createTryKey, { params }, token);
  const active = (await list()).filter(({ isRevoked }) => !isRevoked);
  expect(active.map(({ keyName, isTest }) => [keyName, isTest])).toEqual([
    ['try3', true],
    ['try2', true],
    ['try', false],
  ]);
});

test('one that the customer changed or replaced is the customer’s own: it stays, and the next one has another name', async () => {
  const changed = await portal.ask(createTryKey, { params }, token);
  const terms = { expiresAt: null, allowedIps: [], dailyCap: null };
  await portal.ask(updateApiKey, { params: { ...params, keyId: changed.id }, body: terms }, token);
  const replaced = await portal.ask(createTryKey, { params }, token);
  const successor = await portal.ask(
    rotateApiKey,
    { params: { ...params, keyId: replaced.id }, body: { overlapHours: 1 } },
    token,
  );
  await portal.ask(createTryKey, { params }, token);
  const last = await portal.ask(createTryKey, { params }, token);
  const active = (await list()).filter(({ isRevoked }) => !isRevoked);
  expect(active.map(({ id, keyName }) => [id, keyName])).toEqual([
    [last.id, 'try3'],
    [successor.id, 'try2'],
    [replaced.id, 'try2'],
    [changed.id, 'try'],
  ]);
});

test('the database has one key for trying of an activation, with an end, and makes no key of the customer one', async () => {
  await portal.ask(createTryKey, { params }, token);
  const own = await portal.ask(createApiKey, { params, body: { keyName: 'own', isTest: true } }, token);
  const keys = portal.portal.db.updateTable('api_keys');
  await expect(keys.set({ for_trying: true }).where('id', '=', own.id).execute()).rejects.toThrow('for trying');
  await expect(
    keys.set({ expires_at: null }).where('activation_id', '=', params.activationId).execute(),
  ).rejects.toThrow('check constraint');
});

test('an API without a sandbox has none', async () => {
  params = await portal.ask(activateProduct, { params: { id: 'invoicing-system' } }, token);
  expect(await portal.send(createTryKey, { params }, token)).toMatchObject({
    status: 409,
    body: { code: 'no_sandbox' },
  });
});
