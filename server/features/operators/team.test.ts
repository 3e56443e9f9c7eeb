import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOperatorSession, signInOperator } from '#shared/contract/operator/session.ts';
import { createSignInNonce } from '#shared/contract/account.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { removePasskeys } from './team.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
});
afterAll(() => world.close());

const cause = { actor: 'root', reason: 'A test' };
const remove = (email: string) => actAsOperator(world.portal, 'owner', 'removeOperator', { email }, cause);
const list = () => readAsOperator(world.portal, 'owner', 'listOperators', {});
const notAnOperator = { status: 403, body: { code: 'not_an_operator' } };

test('nobody signs in while there are no operators, and whoever was added does, in any case of letters', async () => {
  expect(await operators.signIn('asha@kaveri.example')).toMatchObject(notAnOperator);
  await operators.add('asha@kaveri.example', 'owner');
  const first = await operators.signIn('Asha@Kaveri.example', { sub: 'sub-asha', name: 'Asha Rao' });
  expect(first).toMatchObject({
    status: 200,
    body: { operator: { email: 'asha@kaveri.example', name: 'Asha Rao', role: 'owner' } },
  });
  expect((await list()).operators).toMatchObject([{ email: 'asha@kaveri.example', sessions: 1, passkeys: 0 }]);
});

test('an address belongs to the Google account that signed in with it first', async () => {
  expect(await operators.signIn('asha@kaveri.example', { sub: 'somebody-else' })).toMatchObject(notAnOperator);
  const renamed = await operators.signIn('asha.rao@kaveri.example', { sub: 'sub-asha' });
  expect(renamed).toMatchObject({ status: 200, body: { operator: { email: 'asha@kaveri.example' } } });
});

test('the first sign-in needs an address that Google vouches for, and whoever is known stays so', async () => {
  const notProven = { status: 403, body: { code: 'address_not_proven', message: /Google doesn’t vouch for/ } };
  await operators.add('rohan@old-domain.example', 'support');
  const signIn = (sub: string, hd: string) => operators.signIn('rohan@old-domain.example', { sub, hd });
  expect(await signIn('sub-stranger', 'stranger.example')).toMatchObject(notProven);
  expect((await signIn('sub-rohan', 'old-domain.example')).status).toBe(200);
  expect((await signIn('sub-rohan', 'new-domain.example')).status).toBe(200);
  await operators.add('rohan@gmail.com', 'support');
  expect((await operators.signIn('rohan@gmail.com', { sub: 'sub-gmail', hd: 'stranger.example' })).status).toBe(200);
  await remove('rohan@old-domain.example');
  await remove('rohan@gmail.com');
  // The same person comes back with another address.
  await operators.add('rohan@new-domain.example', 'support');
  const back = await operators.signIn('rohan@new-domain.example', { sub: 'sub-rohan' });
  expect(back).toMatchObject({ status: 200, body: { operator: { email: 'rohan@new-domain.example' } } });
  await remove('rohan@new-domain.example');
});

test('a token without our nonce, with a nonce that was used, and with an address that is not verified sign nobody in', async () => {
  const claims = { sub: 'sub-asha', email: 'asha@kaveri.example', email_verified: true, name: 'Asha', picture: '' };
  const { nonce } = await world.ask(createSignInNonce, {});
  const once = await world.idToken({ claims, nonce });
  const tokens = [
    await world.idToken({ claims, nonce: 'made-up' }),
    await world.idToken({ claims: { ...claims, email_verified: false }, nonce }),
  ];
  for (const googleIdToken of tokens)
    expect(await world.send(signInOperator, { body: { googleIdToken } })).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed' },
    });
  expect((await world.send(signInOperator, { body: { googleIdToken: once } })).status).toBe(200);
  expect((await world.send(signInOperator, { body: { googleIdToken: once } })).status).toBe(401);
});

test('people of a Workspace domain join with its role, and do not come back by it when they were removed', async () => {
  const { portal } = world;
  const input = { domain: 'Kaveri.example', role: 'support' } as const;
  await actAsOperator(portal, 'owner', 'addOperatorDomain', input, cause);
  expect(await operators.signIn('liar@kaveri.example', { hd: 'liar.example' })).toMatchObject(notAnOperator);
  expect(await operators.signIn('other@kaveri.example', { hd: 'kaveri.example.org' })).toMatchObject(notAnOperator);
  const long = `${'x'.repeat(96)}@kaveri.example`;
  expect(await operators.signIn(long, { hd: 'kaveri.example' })).toMatchObject(notAnOperator);
  const joined = await operators.signIn('imran@kaveri.example', { hd: 'kaveri.example' });
  expect(joined).toMatchObject({ status: 200, body: { operator: { role: 'support' } } });
  const { actions } = await readAsOperator(portal, 'owner', 'listActions', { limit: 1 });
  expect(actions).toMatchObject([{ action: 'operators.join', actor: 'imran@kaveri.example' }]);
  const { accessToken } = signInOperator.reply.parse(joined.body);
  expect(await remove('imran@kaveri.example')).toMatchObject({ before: 'support', role: null, sessions: 1 });
  expect((await world.send(readOperatorSession, {}, accessToken)).status).toBe(401);
  expect(await operators.signIn('imran@kaveri.example', { hd: 'kaveri.example' })).toMatchObject(notAnOperator);
  // The same Google account under another address of the domain.
  const again = await operators.signIn('imran.khan@kaveri.example', {
    hd: 'kaveri.example',
    sub: 'google-imran@kaveri.example',
  });
  expect(again).toMatchObject(notAnOperator);
  await operators.add('imran@kaveri.example', 'finance');
  expect(await operators.signIn('imran@kaveri.example')).toMatchObject({ body: { operator: { role: 'finance' } } });
  await actAsOperator(portal, 'owner', 'removeOperatorDomain', { domain: 'kaveri.example' }, cause);
  expect(await operators.signIn('rohan@kaveri.example', { hd: 'kaveri.example' })).toMatchObject(notAnOperator);
  await expect(
    actAsOperator(portal, 'owner', 'addOperatorDomain', { domain: 'localhost', role: 'support' }, cause),
  ).rejects.toThrow('is not a domain');
});

test('the passkeys of the only owner are removed by the command, with the sessions, in the audit log', async () => {
  const { portal } = world;
  const email = 'asha@kaveri.example';
  await expect(removePasskeys(portal, email, cause)).rejects.toThrow('has no passkey');
  await expect(removePasskeys(portal, 'nobody@kaveri.example', cause)).rejects.toThrow('is not an operator');
  const { body } = await operators.signIn(email, { sub: 'sub-asha' });
  const { accessToken } = signInOperator.reply.parse(body);
  await sql`with entry as (insert into operator_actions (actor, action, target, reason, effect)
      values (${email}, 'passkeys.add', 'PSK-X', 'Laptop', '{}'))
    insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, name, created_at, host)
      select 'PSK-X', id, 'credential', 'key', 0, 'Laptop', now(), 'localhost' from operators where email = ${email}`.execute(
    portal.db,
  );
  expect(await removePasskeys(portal, email, cause)).toMatchObject({ passkeys: [{ id: 'PSK-X', name: 'Laptop' }] });
  expect((await world.send(readOperatorSession, {}, accessToken)).status).toBe(401);
  expect((await list()).operators).toMatchObject([{ email, passkeys: 0, sessions: 0 }, {}]);
  const { actions } = await readAsOperator(portal, 'owner', 'listActions', { limit: 1 });
  expect(actions).toMatchObject([{ action: 'passkeys.remove', target: 'PSK-X', actor: 'root' }]);
  expect((await verifyLedgerOf(portal.db)).faults).toEqual([]);
});

test('the last owner stays, also when two owners remove each other at the same time', async () => {
  await expect(remove('asha@kaveri.example')).rejects.toThrow('This is the last owner');
  for (let round = 0; round < 3; round += 1) {
    await operators.add('meena@kaveri.example', 'owner');
    const results = await Promise.allSettled([remove('asha@kaveri.example'), remove('meena@kaveri.example')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const owners = (await list()).operators.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    if (owners[0]?.email === 'meena@kaveri.example') {
      await operators.add('asha@kaveri.example', 'owner');
      await remove('meena@kaveri.example');
    }
  }
});

test('the database itself keeps the last owner, and refuses a change of operators without its entry in the audit log', async () => {
  const { db } = world.portal;
  const asha = `email = 'asha@kaveri.example'`;
  const refused = [
    [`update operators set role = 'support' where ${asha}`, 'is the last owner'],
    [`update operators set email = 'x@y.example' where ${asha}`, 'stays who it is'],
    [`update operators set google_sub = 'x' where email = 'imran@kaveri.example'`, 'never changes'],
    [`update operators set role = 'owner' where email = 'imran@kaveri.example'`, 'is not in the audit log'],
    [
      `insert into operators (id, email, name, role, added_at) values ('OPR-X', 'x@y.example', '', 'owner', now())`,
      'is not in the audit log',
    ],
    [`delete from operators where ${asha}`, 'permission denied'],
    [
      `insert into operator_domains (domain, role, added_at) values ('y.example', 'support', now())`,
      'is not in the audit log',
    ],
    [
      `insert into operator_domains (domain, role, added_at) values ('y.example', 'owner', now())`,
      'operator_domains_role_check',
    ],
  ] as const;
  for (const [statement, words] of refused) await expect(sql.raw(statement).execute(db)).rejects.toThrow(words);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});
