import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import * as offered from '#shared/contract/invitations.ts';
import * as calls from '#shared/contract/members.ts';
import { readDataExport } from '#shared/contract/privacy.ts';
import { usageStreamPath } from '#shared/contract/usage.ts';
import { backendPath } from '#server/http/app.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const dayMs = 86_400_000;

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
let owner: string;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
  owner = await portal.newCustomer();
});
afterAll(() => portal.close());

let count = 0;
const newEmail = (name = 'asha') => `${name}${(count += 1)}@gmail.com`;
const refused = (status: number, code: string) => ({ status, body: { code } });
const invite = (email: string, role: calls.GivenRole = 'developer', token = owner) =>
  portal.send(calls.inviteMember, { body: { email, role } }, token);

describe('an invitation', () => {
  test('waits at the first sign-in, and is accepted instead of a customer of one’s own', async () => {
    const email = newEmail();
    expect(await invite(email)).toMatchObject({ status: 200, body: { email, state: 'WAITING' } });
    const customers = () => portal.portal.db.selectFrom('customers').select('id').execute();
    const before = await customers();
    const { first, accessToken } = await people.signInAs(email);
    expect(accessToken).toBe('');
    expect(first?.invitations).toMatchObject([{ customerName: 'Kaveri Traders', role: 'developer' }]);
    expect(await customers()).toEqual(before);
    const invitation = first?.invitations[0];
    const [invitationId, signature] = [invitation?.id ?? '', invitation?.signature ?? ''];
    const choice = { kind: 'accept', invitationId, signature } as const;
    const entered = await portal.ask(offered.continueSignIn, { body: { identity: first?.identity ?? '', choice } });
    const account = await portal.ask(readAccount, {}, entered?.accessToken ?? '');
    expect(account).toMatchObject({
      role: 'developer',
      user: { email },
      profile: null,
      customerName: 'Kaveri Traders',
    });
    expect((await people.signInAs(email)).first).toBeUndefined();
    // Used once, also with what the sign-in gave.
    const again = await portal.send(offered.continueSignIn, { body: { identity: first?.identity ?? '', choice } });
    expect(again).toMatchObject(refused(409, 'link_expired'));
  });

  test('may be left aside for a customer of one’s own, and is accepted later', async () => {
    const email = newEmail();
    await invite(email, 'accountant');
    const { first } = await people.signInAs(email);
    const body = { identity: first?.identity ?? '', choice: { kind: 'own' } } as const;
    const entered = await portal.ask(offered.continueSignIn, { body });
    const token = entered?.accessToken ?? '';
    expect(entered?.requireOnboarding).toBe(true);
    const { invitations, customers } = await portal.ask(calls.listMyCustomers, {}, token);
    expect([invitations.length, customers.length]).toEqual([1, 1]);
    const accepted = await people.accept(token, await people.linkTo(email));
    expect(accepted.status).toBe(200);
    expect((await portal.ask(calls.listMyCustomers, {}, token)).customers).toMatchObject([
      { role: 'owner', isCurrent: true },
      { role: 'accountant', isCurrent: false },
    ]);
  });

  test('is for the Google account of its address, however that is spelt, and nobody else’s', async () => {
    const email = newEmail('as.ha');
    await invite(email);
    const link = await people.linkTo(email);
    expect(await people.accept(await portal.newCustomer(), link)).toMatchObject(refused(403, 'invitation_for_other'));
    expect(await people.accept(await portal.newCustomer(), { ...link, signature: 'ab' })).toMatchObject(
      refused(404, 'not_found'),
    );
    const { first } = await people.signInAs(email.replace('.', '').replace('gmail', 'googlemail'));
    expect(first?.invitations).toMatchObject([{ id: link.invitationId, signature: link.signature }]);
  });

  test('to an address that Google doesn’t vouch for needs the link of its mail', async () => {
    const email = `asha${(count += 1)}@kaveri.example`;
    await invite(email);
    const { first } = await people.signInAs(email);
    expect(first?.invitations).toMatchObject([{ signature: null }]);
    const choice = { kind: 'accept', ...(await people.linkTo(email)) } as const;
    const forged = { ...choice, signature: 'f'.repeat(64) };
    const body = { identity: first?.identity ?? '' };
    expect(await portal.send(offered.continueSignIn, { body: { ...body, choice: forged } })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await portal.send(offered.continueSignIn, { body: { ...body, choice } })).toMatchObject({ status: 200 });
  });

  test('of two who accept at once lets one in', async () => {
    const email = newEmail();
    await invite(email);
    const link = await people.linkTo(email);
    const enter = async (sub: string) => {
      const { first } = await people.signInAs(email, { sub });
      const choice = { kind: 'accept', ...link } as const;
      return { body: { identity: first?.identity ?? '', choice } };
    };
    // Google gives an address to one account; two `sub` of it are as bad as it gets.
    const both = [await enter('one'), await enter('other')];
    const replies = await Promise.all(both.map((input) => portal.send(offered.continueSignIn, input)));
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  });

  test('ends after 7 days, by its revocation, and by a decline', async () => {
    const [late, revoked, declined] = [newEmail(), newEmail(), newEmail()];
    for (const email of [late, revoked, declined]) await invite(email);
    const links = [await people.linkTo(late), await people.linkTo(revoked), await people.linkTo(declined)];
    const { invitationId: toRevoke = '' } = links[1] ?? {};
    await portal.ask(calls.revokeInvitation, { params: { invitationId: toRevoke } }, owner);
    const { invitationId = '', signature = '' } = links[2] ?? {};
    await portal.ask(offered.declineInvitation, { params: { invitationId }, body: { signature } });
    const state = async (link = { invitationId, signature }) =>
      (
        await portal.ask(offered.readInvitation, {
          params: { invitationId: link.invitationId },
          query: { signature: link.signature },
        })
      ).state;
    expect(await state()).toBe('ENDED');
    portal.moveClock(7 * dayMs);
    expect(await state(links[0])).toBe('EXPIRED');
    for (const [place, email] of [late, revoked, declined].entries()) {
      const token = await portal.newCustomer();
      expect(await people.accept(token, links[place] ?? { invitationId, signature })).toMatchObject(
        refused(409, 'link_expired'),
      );
      expect((await people.signInAs(email)).first).toBeUndefined();
    }
    portal.moveClock(-7 * dayMs);
    expect((await invite(revoked)).status).toBe(200);
  });

  test('is neither sent twice nor to a member', async () => {
    const email = newEmail();
    const other = await portal.newCustomer();
    await invite(email, 'viewer', other);
    expect(await invite(email.toUpperCase(), 'viewer', other)).toMatchObject(refused(409, 'invited_already'));
    const own = (await portal.ask(readAccount, {}, other)).user.email;
    expect(await invite(own, 'viewer', other)).toMatchObject(refused(409, 'member_already'));
  });
});

async function offerTo(company: string, to: string) {
  const params = { memberId: await people.memberOf(to) };
  await portal.ask(calls.offerOwnership, { params, body: {} }, company);
  return people.linkTo((await portal.ask(readAccount, {}, to)).user.email);
}

describe('a member who is removed', () => {
  test('has lost session, stream and links when the owner hears of it, and keys are told', async () => {
    const email = newEmail();
    const company = await portal.newCustomer();
    const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
    const { activationId } = await portal.ask(activatePlan, plan, company);
    const { token } = await people.join(company, email, 'developer');
    const made = await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'own' } }, token);
    const url = `${portal.portalUrl}${backendPath}${usageStreamPath.replace(':activationId', activationId)}`;
    const stream = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const ended = stream.text();
    const memberId = await people.memberOf(token);
    const { keys } = await portal.ask(calls.removeMember, { params: { memberId } }, company);
    expect(keys).toMatchObject([{ id: made.id, activationId, keyName: 'own' }]);
    expect(await Promise.race([ended.then(() => 'ended'), new Promise((open) => setImmediate(open, 'open'))])).toBe(
      'ended',
    );
    expect(await portal.send(readAccount, {}, token)).toMatchObject(refused(401, 'unauthorized'));
    // Signs in to a customer of the own from now on.
    const { accessToken } = await people.signInAs(email);
    expect((await portal.ask(readAccount, {}, accessToken)).role).toBe('owner');
    const { customers } = await portal.ask(calls.listMyCustomers, {}, accessToken);
    expect(customers).toHaveLength(1);
  });

  test('downloads nothing with a link of before, nor does one whose role changed', async () => {
    const company = await portal.newCustomer();
    const { token } = await people.join(company, newEmail(), 'viewer');
    const link = async (as: string) => (await portal.ask(readDataExport, {}, as)).downloadUrl;
    expect(await portal.send(readDataExport, {}, token)).toMatchObject(refused(403, 'not_your_role'));
    const own = await link(company);
    expect((await fetch(own)).status).toBe(200);
    const taken = own.replace(/member=MEM-\w+/, `member=${await people.memberOf(token)}`);
    expect((await fetch(taken)).status).toBe(404);
    const { invitationId, signature } = await offerTo(company, token);
    await portal.ask(offered.acceptInvitation, { params: { invitationId }, body: { signature } }, token);
    expect((await fetch(own)).status).toBe(404);
  });

  test('takes the name along when leaving with it, and the owner can’t leave', async () => {
    const email = newEmail();
    const company = await portal.newCustomer();
    const { token } = await people.join(company, email, 'viewer');
    await portal.ask(calls.leaveCustomer, { body: { forget: true } }, token);
    const kept = await portal.portal.db.selectFrom('members').selectAll().where('email', '=', email).execute();
    const invited = await portal.portal.db
      .selectFrom('member_invitations')
      .selectAll()
      .where('email', '=', email)
      .execute();
    expect([kept, invited]).toEqual([[], []]);
    expect(await portal.send(calls.leaveCustomer, { body: { forget: true } }, company)).toMatchObject(
      refused(409, 'owner_stays'),
    );
  });
});
