import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import * as calls from '#shared/contract/two-step.ts';
import { createWebhook, listWebhooks, updateWebhook } from '#shared/contract/webhooks.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { testAuthenticator } from '#server/test/authenticator.ts';
import { testMembers } from '#server/test/members.ts';
import { testPasskeys } from '#server/test/passkeys.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { companiesAt, needed, refused, startTwoStepPortal } from './test-two-step.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
let passkeys: ReturnType<typeof testPasskeys>;
beforeAll(async () => {
  portal = await startTwoStepPortal();
  people = testMembers(portal);
  passkeys = testPasskeys(portal);
});
afterAll(() => portal.close());

const { newEmail, newCompany, makeKey, stateOf, minutesPass, signInAgain, proven } = companiesAt(() => ({
  portal,
  passkeys,
}));

const mailsAbout = async (token: string) => {
  const { id } = (await portal.ask(readAccount, {}, token)).user;
  const rows = await portal.portal.db
    .selectFrom('mails')
    .select(['recipient', 'subject'])
    .where('customer_id', '=', id)
    .where('dedupe_key', 'like', 'passkeys:%')
    .orderBy('created_at')
    .execute();
  return rows.map(({ recipient, subject }) => `${recipient}: ${subject}`);
};

test('without the option nothing needs a passkey, and with it keys do for 15 minutes after each proof', async () => {
  const plain = await portal.newCustomer();
  const { activationId: plainId } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'free' } },
    plain,
  );
  expect((await makeKey(plain, plainId, 'one')).status).toBe(200);
  expect(await stateOf(plain)).toEqual({ isOn: false, passkeys: [], members: [] });

  const { owner, activationId, authenticator } = await newCompany();
  expect((await makeKey(owner, activationId, 'one')).status).toBe(200);
  await minutesPass(owner, 16);
  expect(await makeKey(owner, activationId, 'two')).toMatchObject(needed);
  expect((await passkeys.prove(owner, authenticator)).status).toBe(200);
  await minutesPass(owner, 14);
  expect((await makeKey(owner, activationId, 'two')).status).toBe(200);
  expect(await stateOf(owner)).toMatchObject({
    isOn: true,
    passkeys: [{ name: 'Laptop', lastUsedAt: expect.any(String) }],
  });
  await minutesPass(owner, 16);
  const [key] = await portal.ask(listApiKeys, { params: { activationId } }, owner);
  // In an emergency nobody looks for a passkey.
  const { status } = await portal.send(revokeApiKey, { params: { activationId, keyId: key?.id ?? '' } }, owner);
  expect(status).toBe(200);
});

test('a first passkey needs a new Google sign-in of the same person, once: a session alone adds none', async () => {
  const { owner, activationId } = await newCompany();
  const { token } = await people.join(owner, newEmail(), 'developer');
  expect(await makeKey(token, activationId, 'mine')).toMatchObject(needed);
  expect(await portal.send(calls.beginMemberProof, {}, token)).toMatchObject(refused(404, 'not_found'));
  const authenticator = testAuthenticator(portal.portalUrl);
  expect(await passkeys.register(token, authenticator)).toMatchObject(refused(409, 'identity_needed'));
  const strange = await people.googleToken(newEmail());
  const asOther = { googleIdToken: strange };
  expect(await passkeys.register(token, authenticator, asOther)).toMatchObject(refused(409, 'identity_needed'));
  const forged = { googleIdToken: `${await passkeys.googleTokenOf(token)}x` };
  expect(await passkeys.register(token, authenticator, forged)).toMatchObject(refused(409, 'identity_needed'));
  const identity = { googleIdToken: await passkeys.googleTokenOf(token) };
  expect((await passkeys.register(token, authenticator, identity)).status).toBe(200);
  expect((await makeKey(token, activationId, 'mine')).status).toBe(200);
  const other = await signInAgain(token);
  // Used up, and a passkey is there: only that lets in another one.
  expect(await portal.send(calls.beginMemberPasskey, {}, other)).toMatchObject(needed);
  expect(await makeKey(other, activationId, 'else')).toMatchObject(needed);
  expect((await portal.ask(readAccount, {}, token)).role).toBe('developer');
});

test('member and owner are told of each passkey, and the log names who added and removed it', async () => {
  const { owner } = await newCompany();
  const email = newEmail();
  const { token } = await people.join(owner, email, 'developer');
  const { id } = await passkeys.add(token);
  const second = testAuthenticator(portal.portalUrl);
  expect((await passkeys.register(token, second)).status).toBe(200);
  await portal.ask(calls.removeMemberPasskey, { params: { passkeyId: id } }, token);
  const told = await mailsAbout(owner);
  const { email: ofOwner } = (await portal.ask(readAccount, {}, owner)).user;
  expect(told.filter((mail) => mail.startsWith(`${email}: A passkey was added`))).toHaveLength(2);
  expect(told.filter((mail) => mail.startsWith(`${ofOwner}: A passkey was added`))).toHaveLength(3);
  expect(told.filter((mail) => mail.includes('A passkey was removed'))).toHaveLength(2);
  expect(told.filter((mail) => mail.includes('asks for passkeys now'))).toHaveLength(1);
  const rows = await portal.portal.db
    .selectFrom('member_actions')
    .select(['action', 'target'])
    .where('customer_id', '=', (await portal.ask(readAccount, {}, owner)).user.id)
    .where((of) => of.or([of('action', 'like', '%Passkey%'), of('action', '=', 'switchTwoStep')]))
    .orderBy('position', 'desc')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual([
    'removeMemberPasskey',
    'addMemberPasskey',
    'addMemberPasskey',
    'switchTwoStep',
    'addMemberPasskey',
  ]);
  expect(rows[0]?.target).toBe(id);
});

test.each([
  ['another page', { origin: 'https://evil.example' }],
  ['another site’s passkey', { rpId: 'evil.example' }],
  ['another challenge', { challenge: 'AAAA' }],
  ['nobody who unlocked the authenticator', { withoutUser: true }],
])('a passkey is neither added nor confirms with %s', async (_what, fault) => {
  const { owner, activationId, authenticator } = await newCompany();
  await minutesPass(owner, 16);
  expect(await passkeys.prove(owner, authenticator, fault)).toMatchObject(refused(409, 'passkey_not_accepted'));
  expect(await makeKey(owner, activationId, 'no')).toMatchObject(needed);
  const { token } = await people.join(await proven(owner, authenticator), newEmail(), 'developer');
  const identity = { googleIdToken: await passkeys.googleTokenOf(token), fault };
  const added = await passkeys.register(token, testAuthenticator(portal.portalUrl), identity);
  expect(added).toMatchObject(refused(409, 'passkey_not_accepted'));
  expect((await stateOf(token)).passkeys).toEqual([]);
});

test('a copy of a passkey, whose count goes back, and another key confirm nothing', async () => {
  const { owner, activationId, authenticator } = await newCompany();
  expect((await passkeys.prove(owner, authenticator, { counter: 100 })).status).toBe(200);
  await minutesPass(owner, 16);
  const notAccepted = refused(409, 'passkey_not_accepted');
  expect(await passkeys.prove(owner, authenticator, { counter: 100 })).toMatchObject(notAccepted);
  expect(await passkeys.prove(owner, authenticator, { counter: 7 })).toMatchObject(notAccepted);
  const key = authenticator.newKey();
  expect(await passkeys.prove(owner, authenticator, { counter: 101, key })).toMatchObject(notAccepted);
  expect(await makeKey(owner, activationId, 'no')).toMatchObject(needed);
});

describe('the option', () => {
  test('needs a passkey of the owner to go on and off, which no other role may', async () => {
    const owner = await portal.newCustomer();
    const on = { body: { isOn: true } };
    const off = { body: { isOn: false } };
    expect(await portal.send(calls.switchTwoStep, on, owner)).toMatchObject(needed);
    const { authenticator } = await passkeys.add(owner);
    await minutesPass(owner, 16);
    expect(await portal.send(calls.switchTwoStep, on, owner)).toMatchObject(needed);
    await proven(owner, authenticator);
    expect((await portal.send(calls.switchTwoStep, on, owner)).status).toBe(200);
    const { token } = await people.join(owner, newEmail(), 'developer');
    await passkeys.add(token);
    expect(await portal.send(calls.switchTwoStep, off, token)).toMatchObject(refused(403, 'not_your_role'));
    await minutesPass(owner, 16);
    expect(await portal.send(calls.switchTwoStep, off, owner)).toMatchObject(needed);
    await proven(owner, authenticator);
    expect((await portal.send(calls.switchTwoStep, off, owner)).status).toBe(200);
    expect((await stateOf(owner)).isOn).toBe(false);
  });

  test('that is switched on while a call is under way refuses what that call would do', async () => {
    const owner = await portal.newCustomer();
    const { token } = await people.join(owner, newEmail(), 'developer');
    const url = 'https://1.1.1.1/before';
    const events = ['cycle.ended' as const];
    const { webhook } = await portal.ask(createWebhook, { body: { url, events } }, token);
    await passkeys.add(owner);
    const client = openClient({ connectionString: portal.owner.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    // The update waits, long after the call was let in.
    await client.query('begin; lock table webhooks in share row exclusive mode');
    const body = { url: 'https://1.1.1.1/after', events, enabled: true };
    const changing = portal.send(updateWebhook, { params: { webhookId: webhook.id }, body }, token);
    await vi.waitFor(async () => expect(await countWaiting(portal.owner.db)).toBe(1), { timeout: 60_000 });
    await portal.ask(calls.switchTwoStep, { body: { isOn: true } }, owner);
    await client.query('rollback');
    expect(await changing).toMatchObject(needed);
    expect(await portal.ask(listWebhooks, {}, owner)).toMatchObject({ webhooks: [{ url }] });
  });

  test('is refused in a view of an operator, as every change is', async () => {
    const owner = await portal.newCustomer();
    const { memberId } = await portal.ask(readAccount, {}, owner);
    const view = { customerId: 'CUS-X', memberId, role: 'owner' as const };
    const { switchTwoStep } = await import('./two-step.ts');
    await expect(switchTwoStep(portal.portal, view, true)).rejects.toMatchObject({ code: 'read_only_view' });
  });
});
