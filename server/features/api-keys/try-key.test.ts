import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createApiKey, createTryKey, listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
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

test('a key that the customer named so is never ended', async () => {
  const { id } = await portal.ask(createApiKey, { params, body: { keyName: 'try', isTest: true } }, token);
  expect(await portal.send(createTryKey, { params }, token)).toMatchObject({
    status: 409,
    body: { code: 'key_name_taken' },
  });
  expect(await list()).toEqual([expect.objectContaining({ id, isRevoked: false })]);
});

test('an API without a sandbox has none', async () => {
  params = await portal.ask(activateProduct, { params: { id: 'invoicing-system' } }, token);
  expect(await portal.send(createTryKey, { params }, token)).toMatchObject({
    status: 409,
    body: { code: 'no_sandbox' },
  });
});
