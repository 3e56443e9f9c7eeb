import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey, listApiKeys, rotateApiKey } from '#shared/contract/api-keys.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  const catalogDir = changedCatalog({ 'invoicing-system': { sandbox: '' } });
  portal = await startTestPortal({ jobs: false, catalogDir });
});
afterAll(() => portal.close());

async function activated(productId: string) {
  const token = await portal.newCustomer();
  const params = await portal.ask(activateProduct, { params: { id: productId } }, token);
  const make = (keyName: string, isTest: boolean) =>
    portal.send(createApiKey, { params, body: { keyName, isTest } }, token);
  const [activation] = (await portal.ask(listActivations, {}, token)).activations;
  return { token, params, make, hasSandbox: activation?.service.hasSandbox };
}

test('generates a test key for an API with a sandbox', async () => {
  const { make, hasSandbox } = await activated('tax-lookup-api');
  expect(hasSandbox).toBe(true);
  expect((await make('play', true)).status).toBe(200);
});

test('refuses a test key for an API without a sandbox, and generates a live key', async () => {
  const { make, hasSandbox } = await activated('invoicing-system');
  expect(hasSandbox).toBe(false);
  expect(await make('play', true)).toMatchObject({ status: 409, body: { code: 'no_sandbox' } });
  expect((await make('live', false)).status).toBe(200);
});

test('refuses to rotate a test key when the API no longer has a sandbox', async () => {
  const { token, params } = await activated('invoicing-system');
  const { db } = portal.portal;
  const live = await portal.ask(createApiKey, { params, body: { keyName: 'live' } }, token);
  const {
    id: liveId,
    replaced_by: _none,
    ...key
  } = await db.selectFrom('api_keys').selectAll().where('id', '=', live.id).executeTakeFirstOrThrow();
  const id = `${liveId}-old`;
  await db
    .insertInto('api_keys')
    .values({ ...key, id, name: 'old', key_hash: sha256(id), test: true })
    .execute();
  const rotated = await portal.send(
    rotateApiKey,
    { params: { ...params, keyId: id }, body: { overlapHours: 0 } },
    token,
  );
  expect(rotated).toMatchObject({ status: 409, body: { code: 'no_sandbox' } });
  expect(await portal.ask(listApiKeys, { params }, token)).toContainEqual(
    expect.objectContaining({ id, isRevoked: false, replacedBy: null }),
  );
});
