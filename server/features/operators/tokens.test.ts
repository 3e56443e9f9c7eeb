import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, revokeToken } from '#shared/contract/operator/tokens.ts';
import { beginProof, readOperatorSession } from '#shared/contract/operator/session.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
let owner: string;
let support: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  owner = await operators.signedIn('owner@kaveri.example', 'owner');
  support = await operators.signedIn('support@kaveri.example', 'support');
  await operators.prove('owner@kaveri.example');
  await operators.prove('support@kaveri.example');
});
afterAll(() => world.close());

async function newToken(session: string, scopes: string[], days = 30) {
  const { status, body } = await operators.act(session, 'createToken', { name: 'CRM', scopes, days });
  expect(status).toBe(200);
  const made = createToken.reply.parse(body);
  return { ...made, id: made.id ?? '', token: made.token ?? '' };
}

const forbidden = { status: 403, body: { code: 'forbidden' } };
const unauthorized = { status: 401, body: { code: 'unauthorized' } };

test('a token is shown once, makes the calls in its scopes and no other, and the audit log names it', async () => {
  const made = await newToken(owner, ['findCustomers', 'blockCustomer']);
  expect(made.token).toMatch(/^octo_[\w-]{43}$/);
  expect(made).toMatchObject({ hint: made.token.slice(-4), operator: 'owner@kaveri.example' });
  const { body } = await operators.read(owner, 'listTokens', {});
  expect(JSON.stringify(body)).not.toContain(made.token.slice(5));
  const rows = await world.portal.db.selectFrom('operator_actions').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(made.token.slice(5));
  expect((await operators.read(made.token, 'findCustomers', { text: 'nobody' })).status).toBe(200);
  expect(await operators.read(made.token, 'listTokens', {})).toMatchObject(forbidden);
  expect(await operators.act(made.token, 'unblockCustomer', { customerId: 'CUS-1' })).toMatchObject(forbidden);
  const customer = await world.portal.db.selectFrom('customers').select('id').executeTakeFirst();
  expect(customer).toBeUndefined();
  await world.newCustomer();
  const { id: customerId } = await world.portal.db.selectFrom('customers').select('id').executeTakeFirstOrThrow();
  expect((await operators.act(made.token, 'blockCustomer', { customerId })).status).toBe(200);
  const { actions } = Object((await operators.read(owner, 'listActions', { limit: 1 })).body);
  expect(actions).toMatchObject([{ action: 'customers.block', actor: 'owner@kaveri.example (CRM)' }]);
  // Of what a program did, and of what its operator did.
  const ofProgram = Object((await operators.read(owner, 'listActions', { actor: 'owner@kaveri.example (CRM)' })).body);
  expect(ofProgram).toMatchObject({ actions: [{ action: 'customers.block' }], next: null });
  const ofOperator = Object((await operators.read(owner, 'listActions', { actor: 'owner@kaveri.example' })).body);
  expect(JSON.stringify(ofOperator)).not.toContain('customers.block');
  expect(await world.ask(readOperatorSession, {}, made.token)).toMatchObject({
    calls: ['findCustomers', 'blockCustomer'],
    provenUntil: null,
  });
});

test('a token has no right that its operator lost, ends with the operator, and after its days', async () => {
  const beyond = { name: 'CRM', scopes: ['findCustomers', 'lockMonth'], days: 1 };
  expect(await operators.act(support, 'createToken', beyond)).toMatchObject({
    status: 403,
    body: { message: 'The role support may not do this: lockMonth.' },
  });
  const { token } = await newToken(support, ['findCustomers', 'setQuota']);
  expect(await operators.act(token, 'lockMonth', { month: '2020-01' })).toMatchObject(forbidden);
  const quota = { cycleId: 'CYC-none', units: 5 };
  expect((await operators.act(token, 'setQuota', quota)).status).toBe(404);
  await operators.act(owner, 'changeOperator', { email: 'support@kaveri.example', role: 'finance' });
  expect(await operators.act(token, 'setQuota', quota)).toMatchObject(forbidden);
  expect((await operators.read(token, 'findCustomers', { text: 'nobody' })).status).toBe(200);
  const short = await newToken(owner, ['findCustomers'], 1);
  await world.owner.pool.query(
    `alter table operator_tokens disable trigger operator_tokens_stay;
     update operator_tokens set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' where id = '${short.id}';
     alter table operator_tokens enable trigger operator_tokens_stay`,
  );
  expect(await operators.read(short.token, 'findCustomers', { text: 'nobody' })).toMatchObject(unauthorized);
  const removed = await operators.act(owner, 'removeOperator', { email: 'support@kaveri.example' });
  expect(removed).toMatchObject({ status: 200, body: { tokens: 1, sessions: 1 } });
  expect(await operators.read(token, 'findCustomers', { text: 'nobody' })).toMatchObject(unauthorized);
});

test('a token is revoked at once, by its operator or an owner, and for good', async () => {
  const finance = await operators.signedIn('finance@kaveri.example', 'finance');
  await operators.prove('finance@kaveri.example');
  const [ofOwner, ofFinance] = [await newToken(owner, ['findCustomers']), await newToken(finance, ['findCustomers'])];
  const none = { status: 404, body: { code: 'not_found' } };
  expect(await operators.act(finance, 'revokeToken', { tokenId: ofOwner.id })).toMatchObject(none);
  for (const { id, token } of [ofFinance, ofOwner]) {
    const { body } = await operators.act(owner, 'revokeToken', { tokenId: id });
    expect(revokeToken.reply.parse(body).revokedAt).not.toBeNull();
    expect(await operators.read(token, 'findCustomers', { text: 'nobody' })).toMatchObject(unauthorized);
  }
  const again = await operators.act(owner, 'revokeToken', { tokenId: ofOwner.id });
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_change' } });
  await expect(
    world.portal.db.updateTable('operator_tokens').set({ revoked_at: null }).where('id', '=', ofOwner.id).execute(),
  ).rejects.toThrow('is revoked for good');
});

test('no token does what only people do, or what nobody knows, and its making needs a passkey', async () => {
  const making = { name: 'CRM', days: 30 };
  for (const scope of ['addOperator', 'createToken', 'approve', 'revokeToken'])
    expect(await operators.act(owner, 'createToken', { ...making, scopes: [scope] })).toMatchObject({
      status: 409,
      body: { message: `Only people may do this: ${scope}.` },
    });
  const unknown = await operators.preview(owner, 'createToken', { ...making, scopes: ['everything'] });
  expect(unknown).toMatchObject({ status: 400, body: { message: 'There is no call everything.' } });
  const forged = { ...making, name: 'CRM), approved by boss@kaveri.example (x', scopes: ['findCustomers'] };
  expect(await operators.act(owner, 'createToken', forged)).toMatchObject({ status: 400 });
  const again = await operators.signIn('owner@kaveri.example');
  const session = String(Object(again.body).accessToken);
  const unproven = await operators.act(session, 'createToken', { ...making, scopes: ['findCustomers'] });
  expect(unproven).toMatchObject({ status: 403, body: { code: 'passkey_required' } });
  const { token } = await newToken(owner, ['findCustomers']);
  expect((await world.send(beginProof, {}, token)).status).not.toBe(200);
});
