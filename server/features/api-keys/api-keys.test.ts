import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, listApiKeys, revokeApiKey } from '#contract/api-keys.ts';
import { activateProduct } from '#contract/marketplace.ts';
import { isWellFormedApiKey } from '#domain/api-key.ts';
import { sha256 } from '#server/platform/ids.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

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

test('a key is shown once; the database knows only its SHA-256', async () => {
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
  'the key name "%s" is refused with the sentence of the form',
  async (keyName) => {
    await newActivation();
    expect((await generate(keyName)).body).toMatchObject({
      status: 400,
      code: 'invalid_key_name',
      message: 'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)',
    });
  },
);

test('two active keys cannot share a name, and a revoked one gives its name back', async () => {
  await newActivation();
  const first = await portal.ask(createApiKey, { params, body: { keyName: 'same' } }, token);
  const answers = await Promise.all([generate('same'), generate('same')]);
  expect(answers.map((answer) => answer.status)).toEqual([409, 409]);
  await portal.ask(revokeApiKey, { params: { ...params, keyId: first.id } }, token);
  expect((await generate('same')).status).toBe(200);
});

test('revoking is for good, and asking again changes nothing', async () => {
  await newActivation();
  const { id: keyId } = await portal.ask(createApiKey, { params, body: { keyName: 'gone' } }, token);
  await portal.ask(revokeApiKey, { params: { ...params, keyId } }, token);
  const once = await portal.send(listApiKeys, { params }, token);
  await portal.ask(revokeApiKey, { params: { ...params, keyId } }, token);
  expect(await portal.send(listApiKeys, { params }, token)).toEqual(once);
  expect(once.body).toEqual([expect.objectContaining({ isRevoked: true })]);
  await expect(
    portal.portal.db.updateTable('api_keys').set({ revoked_at: null }).where('id', '=', keyId).execute(),
  ).rejects.toThrow(/revoked for good/);
});

test('keys are made so often a minute and no more', async () => {
  await newActivation();
  const statuses: number[] = [];
  for (let count = 0; count < 22; count += 1) statuses.push((await generate(`k${count}`)).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(statuses.slice(20)).toEqual([429, 429]);
});
