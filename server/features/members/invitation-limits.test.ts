import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { declineInvitation } from '#shared/contract/invitations.ts';
import * as calls from '#shared/contract/members.ts';
import { maxInvitationsToAddress } from '#shared/domain/members-of-customer.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
});
afterAll(() => portal.close());

const invite = (owner: string, email: string) =>
  portal.send(calls.inviteMember, { body: { email, role: 'viewer' } }, owner);

async function inviteAndRevoke(owner: string, email: string): Promise<number> {
  const { status, body } = await invite(owner, email);
  if (status !== 200) return status;
  const { id: invitationId } = calls.inviteMember.reply.parse(body);
  await portal.ask(calls.revokeInvitation, { params: { invitationId } }, owner);
  return status;
}

test('a stranger who invites and revokes uses up the own invitations to an address, and nobody else’s', async () => {
  const stranger = await portal.newCustomer();
  const email = 'wanted@gmail.com';
  const sent: number[] = [];
  for (let times = 0; times < 6; times += 1) sent.push(await inviteAndRevoke(stranger, email));
  expect(sent).toEqual([200, 200, 200, 200, 200, 409]);
  const employer = await portal.newCustomer();
  expect((await invite(employer, email)).status).toBe(200);
});

test('strangers together send an address no more than its daily share', async () => {
  const email = 'flooded@gmail.com';
  const sent: number[] = [];
  for (let times = 0; times <= maxInvitationsToAddress; times += 1)
    sent.push((await invite(await portal.newCustomer(), email)).status);
  expect(sent.filter((status) => status === 200)).toHaveLength(maxInvitationsToAddress);
  expect(sent.at(-1)).toBe(409);
});

test('plus parts are one mailbox for the limit, at any provider, and stay several addresses otherwise', async () => {
  const owner = await portal.newCustomer();
  const sent: number[] = [];
  for (let part = 0; part < 6; part += 1) sent.push((await invite(owner, `victim+${part}@outlook.example`)).status);
  expect(sent).toEqual([200, 200, 200, 200, 200, 409]);
  expect((await invite(owner, 'other@outlook.example')).status).toBe(200);
});

test('an address that wants no more invitations gets none from anybody for a year, and still the ownership of its own customer', async () => {
  const first = await portal.newCustomer();
  const own = await portal.newCustomer();
  const email = 'quiet@gmail.com';
  const { token } = await people.join(own, email, 'viewer');
  expect((await invite(first, email)).status).toBe(200);
  const { invitationId, signature } = await people.linkTo(email);
  await portal.ask(declineInvitation, { params: { invitationId }, body: { signature, noMore: true } });
  const another = await portal.newCustomer();
  expect(await invite(another, email)).toMatchObject({ status: 409, body: { code: 'invitations_unwanted' } });
  const offer = { params: { memberId: await people.memberOf(token) }, body: {} };
  expect((await portal.send(calls.offerOwnership, offer, own)).status).toBe(200);
});

test('a guest of others begins with an account of the own, once, and not while owning a blocked one', async () => {
  const host = await portal.newCustomer();
  const { token } = await people.join(host, 'guest@gmail.com', 'viewer');
  expect((await portal.ask(calls.listMyCustomers, {}, token)).mayOpenOwn).toBe(true);
  const { accessToken } = await portal.ask(calls.openOwnCustomer, {}, token);
  const { role, user } = await portal.ask(readAccount, {}, accessToken);
  expect(role).toBe('owner');
  const { customers, mayOpenOwn } = await portal.ask(calls.listMyCustomers, {}, token);
  expect([customers.length, mayOpenOwn]).toEqual([2, false]);
  expect(await portal.send(calls.openOwnCustomer, {}, token)).toMatchObject({ body: { code: 'account_passed_on' } });
  expect((await portal.ask(readAccount, {}, token)).user.id).not.toBe(user.id);

  const { token: heir } = await people.join(host, 'heir@gmail.com', 'viewer');
  await portal.ask(calls.offerOwnership, { params: { memberId: await people.memberOf(heir) }, body: {} }, host);
  await people.acceptFirst(heir);
  const { id: customerId } = (await portal.ask(readAccount, {}, heir)).user;
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId }, { actor: 'asha', reason: 'Abuse' });
  expect(await portal.send(calls.openOwnCustomer, {}, heir)).toMatchObject({ body: { code: 'account_blocked' } });
});

test('who leaves with the name takes the address from every ended invitation of that customer', async () => {
  const host = await portal.newCustomer();
  const email = 'leaver@gmail.com';
  await inviteAndRevoke(host, email);
  const { token } = await people.join(host, email, 'viewer');
  await portal.ask(calls.leaveCustomer, { body: { forget: true } }, token);
  const rows = await portal.portal.db
    .selectFrom('member_invitations')
    .select('id')
    .where('email', '=', email)
    .execute();
  expect(rows).toEqual([]);
});
