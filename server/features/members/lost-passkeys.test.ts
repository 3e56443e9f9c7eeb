import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSignInNonce, readAccount } from '#shared/contract/account.ts';
import * as members from '#shared/contract/members.ts';
import * as calls from '#shared/contract/two-step.ts';
import { actAsOperator } from '#server/operator-calls.ts';
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

describe('a removed passkey', () => {
  test('confirms nothing more in other sessions, and the last one stays while the account asks for it', async () => {
    const { owner, activationId, authenticator, id } = await newCompany();
    const other = await signInAgain(owner);
    await proven(other, authenticator);
    const last = await portal.send(calls.removeMemberPasskey, { params: { passkeyId: id } }, owner);
    expect(last).toMatchObject(refused(409, 'last_passkey'));
    const second = testAuthenticator(portal.portalUrl);
    expect((await passkeys.register(owner, second)).status).toBe(200);
    await minutesPass(owner, 16);
    const params = { passkeyId: id };
    expect(await portal.send(calls.removeMemberPasskey, { params }, owner)).toMatchObject(needed);
    await proven(owner, second);
    expect((await portal.send(calls.removeMemberPasskey, { params }, owner)).status).toBe(200);
    expect(await makeKey(other, activationId, 'no')).toMatchObject(needed);
    expect(await passkeys.prove(other, authenticator)).toMatchObject(refused(409, 'passkey_not_accepted'));
    expect((await makeKey(owner, activationId, 'yes')).status).toBe(200);
  });

  test('of a member who lost it is removed by the owner, and the member adds a new one', async () => {
    const { owner, activationId } = await newCompany();
    const { token } = await people.join(owner, newEmail(), 'developer');
    await passkeys.add(token);
    const { memberId } = await portal.ask(readAccount, {}, token);
    expect((await stateOf(owner)).members).toMatchObject([{ memberId, passkeys: 1 }]);
    expect((await stateOf(token)).members).toEqual([]);
    const params = { memberId };
    expect(await portal.send(calls.removePasskeysOf, { params }, token)).toMatchObject(refused(403, 'not_your_role'));
    expect((await portal.send(calls.removePasskeysOf, { params }, owner)).status).toBe(200);
    expect(await makeKey(token, activationId, 'no')).toMatchObject(needed);
    expect(await portal.send(calls.removePasskeysOf, { params }, owner)).toMatchObject(refused(404, 'not_found'));
    const ofOwner = { memberId: (await portal.ask(readAccount, {}, owner)).memberId };
    expect(await portal.send(calls.removePasskeysOf, { params: ofOwner }, owner)).toMatchObject(
      refused(409, 'owner_stays'),
    );
    await passkeys.add(token);
    expect((await makeKey(token, activationId, 'yes')).status).toBe(200);
  });

  test('goes with its member, and a proof under way with it', async () => {
    const { owner } = await newCompany();
    const { token } = await people.join(owner, newEmail(), 'developer');
    const { authenticator } = await passkeys.add(token);
    const { memberId } = await portal.ask(readAccount, {}, token);
    const options = await portal.ask(calls.beginMemberProof, {}, token);
    await portal.ask(members.removeMember, { params: { memberId } }, owner);
    const body = { credential: authenticator.get(options) };
    expect((await portal.send(calls.proveMemberPasskey, { body }, token)).status).toBe(401);
    const left = await portal.portal.db
      .selectFrom('member_passkeys')
      .select('id')
      .where('member_id', '=', memberId)
      .execute();
    expect(left).toEqual([]);
  });
});

const transfer = (customerId: string, email: string) =>
  actAsOperator(
    portal.portal,
    'owner',
    'transferOwnership',
    { customerId, email },
    { actor: 'root', reason: 'Laptop and phone are lost' },
  );

describe('the ownership', () => {
  test('is offered and accepted with passkeys, in a session of the customer itself', async () => {
    const { owner, authenticator } = await newCompany();
    const email = newEmail();
    const { token } = await people.join(owner, email, 'developer');
    const { memberId } = await portal.ask(readAccount, {}, token);
    await minutesPass(owner, 16);
    const offered = { params: { memberId }, body: {} };
    expect(await portal.send(members.offerOwnership, offered, owner)).toMatchObject(needed);
    await portal.ask(members.offerOwnership, offered, await proven(owner, authenticator));
    const link = await people.linkTo(email);
    expect(await people.accept(token, link)).toMatchObject(needed);
    await passkeys.add(token);
    await minutesPass(token, 16);
    expect(await people.accept(token, link)).toMatchObject(needed);
    const elsewhere = await portal.newCustomer();
    expect(await people.accept(elsewhere, link)).toMatchObject(refused(403, 'invitation_for_other'));
    const rows = portal.owner.db.updateTable('sessions').set({ proven_at: new Date() });
    await rows.where('member_id', '=', memberId).execute();
    expect((await people.accept(token, link)).status).toBe(200);
    expect((await portal.ask(readAccount, {}, token)).role).toBe('owner');
  });

  const dayMs = 86_400_000;
  test('is given anew by the provider to an owner who has lost the passkeys: after 7 days, unless one of them objects', async () => {
    const { owner, activationId, authenticator } = await newCompany();
    const { token: member } = await people.join(owner, newEmail(), 'developer');
    const { id, email } = (await portal.ask(readAccount, {}, owner)).user;
    const alone = await portal.newCustomer();
    const ofAlone = (await portal.ask(readAccount, {}, alone)).user;
    await expect(transfer(ofAlone.id, ofAlone.email)).rejects.toMatchObject({ code: 'nothing_to_change' });
    const { told, removesPasskeys } = await transfer(id, email);
    expect([told.length, removesPasskeys]).toEqual([2, true]);
    const link = await people.linkTo(email);
    expect(await people.accept(owner, link)).toMatchObject(refused(409, 'link_expired'));
    // The thief of a mailbox would be seen by whoever has a passkey: the owner objects.
    await portal.ask(members.revokeInvitation, { params: { invitationId: link.invitationId } }, owner);
    expect(await people.accept(owner, link)).toMatchObject(refused(409, 'link_expired'));

    await transfer(id, email);
    const again = await people.linkTo(email);
    portal.moveClock(7 * dayMs + 1000);
    onTestFinished(() => portal.moveClock(-7 * dayMs - 1000));
    await minutesPass(owner, 16);
    expect(await people.accept(member, again)).toMatchObject(refused(403, 'invitation_for_other'));
    expect((await people.accept(owner, again)).status).toBe(200);
    expect(await stateOf(owner)).toMatchObject({ isOn: true, passkeys: [] });
    expect(await makeKey(owner, activationId, 'no')).toMatchObject(needed);
    expect(await portal.send(calls.beginMemberProof, {}, owner)).toMatchObject(refused(404, 'not_found'));
    await passkeys.add(owner);
    expect((await makeKey(owner, activationId, 'yes')).status).toBe(200);
    expect(await passkeys.prove(owner, authenticator)).toMatchObject(refused(409, 'passkey_not_accepted'));
  });
});

test('a passkey of another host of the portal counts for nothing: the member adds a new one', async () => {
  const { owner, activationId } = await newCompany();
  await portal.owner.pool.query(`update member_passkeys set host = 'old.kaveri.example'`);
  await minutesPass(owner, 16);
  expect(await makeKey(owner, activationId, 'no')).toMatchObject(needed);
  expect((await stateOf(owner)).passkeys).toEqual([]);
  await passkeys.add(owner);
  expect((await makeKey(owner, activationId, 'yes')).status).toBe(200);
});

test('a nonce that somebody else used is no sign-in', async () => {
  const owner = await portal.newCustomer();
  const { nonce } = await portal.ask(createSignInNonce, {});
  const claims = { sub: 'somebody', email: 'x@gmail.com', email_verified: true, name: 'X', picture: '' };
  const googleIdToken = await portal.idToken({ claims, nonce });
  const reply = await passkeys.register(owner, testAuthenticator(portal.portalUrl), { googleIdToken });
  expect(reply).toMatchObject(refused(409, 'identity_needed'));
});
