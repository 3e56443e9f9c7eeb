import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import * as offered from '#shared/contract/invitations.ts';
import * as calls from '#shared/contract/members.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
  // As a running portal has it, since what the provider sends is signed by whoever can read it.
  const secret = { name: 'download-links', secret: portal.portal.linkSecret };
  await portal.owner.db.insertInto('installation_secrets').values(secret).execute();
});
afterAll(() => portal.close());

let count = 0;
const newEmail = (name = 'asha') => `${name}${(count += 1)}@gmail.com`;
const refused = (status: number, code: string) => ({ status, body: { code } });

const ownerOf = async (company: string) => (await portal.ask(calls.listMembers, {}, company)).members[0]?.email;

describe('the ownership', () => {
  test('passes on when it is accepted: both are told, and the customer is called after the new owner', async () => {
    const company = await portal.newCustomer();
    const email = newEmail('new');
    const { token } = await people.join(company, email, 'developer');
    const params = { memberId: await people.memberOf(token) };
    const offer = await portal.ask(calls.offerOwnership, { params, body: {} }, company);
    expect(offer).toMatchObject({ role: 'owner', formerRole: 'accountant', state: 'WAITING' });
    expect((await portal.ask(calls.listMembers, {}, token)).invitations).toMatchObject([{ id: offer.id }]);
    expect(await portal.send(calls.offerOwnership, { params, body: {} }, company)).toMatchObject(
      refused(409, 'invited_already'),
    );
    expect((await people.accept(token, await people.linkTo(email))).status).toBe(200);
    const { members } = await portal.ask(calls.listMembers, {}, company);
    expect(members).toMatchObject([{ email, role: 'owner' }, { role: 'accountant' }]);
    const { user } = await portal.ask(readAccount, {}, token);
    const { email: shown } = await portal.portal.db
      .selectFrom('customers')
      .select('email')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(shown).toBe(email);
    const told = await portal.portal.db
      .selectFrom('mails')
      .select('recipient')
      .where('dedupe_key', 'like', `ownership-passed:${offer.id}:%`)
      .execute();
    expect(told).toHaveLength(2);
  });

  test('that was withdrawn can’t be accepted', async () => {
    const company = await portal.newCustomer();
    const email = newEmail();
    const { token } = await people.join(company, email, 'viewer');
    const params = { memberId: await people.memberOf(token) };
    const { id } = await portal.ask(calls.offerOwnership, { params, body: { formerRole: 'viewer' } }, company);
    await portal.ask(calls.revokeInvitation, { params: { invitationId: id } }, company);
    expect(await people.accept(token, await people.linkTo(email))).toMatchObject(refused(409, 'link_expired'));
  });
});

describe('a transfer by the provider', () => {
  const dayMs = 86_400_000;
  const cause = { actor: 'root', reason: 'The owner has left' };
  const transfer = (customerId: string, email: string) =>
    actAsOperator(portal.portal, 'owner', 'transferOwnership', { customerId, email }, cause);

  test('tells all addresses, and can be accepted from outside after 7 days', async () => {
    const company = await portal.newCustomer();
    const { token: member } = await people.join(company, newEmail(), 'viewer');
    const { id, email: former } = (await portal.ask(readAccount, {}, company)).user;
    const email = newEmail('heir');
    const { told } = await transfer(id, email);
    expect(told).toEqual([former, (await portal.ask(readAccount, {}, member)).user.email, email]);
    const mails = await portal.portal.db
      .selectFrom('mails')
      .select(['recipient', 'body_text'])
      .where('dedupe_key', 'like', 'ownership-announced:%')
      .execute();
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(told.toSorted());
    // Only the two parties can answer.
    expect(mails.filter(({ body_text: text }) => text.includes('/invitation/'))).toHaveLength(2);
    const link = await people.linkTo(email);
    const { accessToken } = await people.signInAs(email);
    expect(await people.accept(accessToken, link)).toMatchObject(refused(409, 'link_expired'));
    portal.moveClock(7 * dayMs);
    onTestFinished(() => portal.moveClock(-7 * dayMs));
    expect((await people.accept(accessToken, link)).status).toBe(200);
    expect(await ownerOf(company)).toBe(email);
    expect((await portal.ask(readAccount, {}, company)).role).toBe('accountant');
  });

  test('ends when the owner objects, by the link of the mail or in the portal', async () => {
    for (const objects of ['link', 'portal']) {
      const company = await portal.newCustomer();
      const { id, email: former } = (await portal.ask(readAccount, {}, company)).user;
      const email = newEmail('heir');
      await transfer(id, email);
      const [offer] = (await portal.ask(calls.listMembers, {}, company)).invitations;
      expect(offer).toMatchObject({ role: 'owner', state: 'LATER', byProvider: true });
      const { invitationId, signature } = await people.linkTo(former);
      const params = { invitationId };
      if (objects === 'link') await portal.ask(offered.declineInvitation, { params, body: { signature } });
      else await portal.ask(calls.revokeInvitation, { params }, company);
      portal.moveClock(7 * dayMs);
      const { accessToken } = await people.signInAs(email);
      expect(await people.accept(accessToken, await people.linkTo(email)), objects).toMatchObject(
        refused(409, 'link_expired'),
      );
      portal.moveClock(-7 * dayMs);
      expect(await ownerOf(company)).toBe(former);
    }
  });
});

test('a person of two customers switches, each tab stays in its own, and the next sign-in leads to the last', async () => {
  const [one, two] = [await portal.newCustomer(), await portal.newCustomer()];
  const email = newEmail();
  const { token: first } = await people.join(one, email, 'viewer');
  const { token: second } = await people.join(two, email, 'accountant');
  const roleOf = async (token: string) => (await portal.ask(readAccount, {}, token)).role;
  expect([await roleOf(first), await roleOf(second)]).toEqual(['viewer', 'accountant']);
  const { customers } = await portal.ask(calls.listMyCustomers, {}, second);
  const other = customers.find(({ isCurrent }) => !isCurrent)?.customerId ?? '';
  const { accessToken } = await portal.ask(calls.switchCustomer, { params: { customerId: other } }, second);
  expect([await roleOf(accessToken), await roleOf(second)]).toEqual(['viewer', 'accountant']);
  expect(await roleOf((await people.signInAs(email)).accessToken)).toBe('viewer');
  const stranger = (await portal.ask(readAccount, {}, await portal.newCustomer())).user.id;
  expect(await portal.send(calls.switchCustomer, { params: { customerId: stranger } }, second)).toMatchObject(
    refused(404, 'not_found'),
  );
});

test('colleagues of the owner’s Workspace may ask where the owner allows it, and nobody joins without an approval', async () => {
  const hd = 'kosi.example';
  const { accessToken: company } = await people.signInAs('boss@kosi.example', { hd });
  const may = (mayAsk: boolean, token: string) => portal.send(calls.allowColleagues, { body: { mayAsk } }, token);
  const { accessToken: personal } = await people.signInAs(newEmail());
  expect(await may(true, personal)).toMatchObject(refused(409, 'no_workspace'));
  expect((await people.signInAs('early@kosi.example', { hd })).first).toBeUndefined();
  await may(true, company);
  const { first } = await people.signInAs('asha@kosi.example', { hd });
  const customerId = first?.joinable[0]?.customerId ?? '';
  const body = { identity: first?.identity ?? '', choice: { kind: 'ask', customerId } } as const;
  expect(await portal.ask(offered.continueSignIn, { body })).toBeNull();
  const { invitations } = await portal.ask(calls.listMembers, {}, company);
  expect(invitations).toMatchObject([{ email: 'asha@kosi.example', state: 'ASKED' }]);
  expect((await people.signInAs('asha@kosi.example', { hd })).first?.invitations).toEqual([]);
  const params = { invitationId: invitations[0]?.id ?? '' };
  await portal.ask(calls.approveMember, { params, body: { role: 'viewer' } }, company);
  expect((await people.signInAs('asha@kosi.example', { hd })).first?.invitations).toMatchObject([{ role: 'viewer' }]);
  // Another Workspace sees nothing.
  expect((await people.signInAs('x@kosi.example', { hd: 'other.example' })).first).toBeUndefined();
  await may(false, company);
  expect((await people.signInAs('late@kosi.example', { hd })).first).toBeUndefined();
});

test('whoever asks again after an invitation that expired is heard, and an owner who left the Workspace lets nobody ask', async () => {
  const hd = 'tapti.example';
  const { accessToken: company } = await people.signInAs('boss@tapti.example', { hd });
  await portal.ask(calls.allowColleagues, { body: { mayAsk: true } }, company);
  const { first } = await people.signInAs('ravi@tapti.example', { hd });
  const customerId = first?.joinable[0]?.customerId ?? '';
  const choice = { kind: 'ask', customerId } as const;
  await portal.ask(offered.continueSignIn, { body: { identity: first?.identity ?? '', choice } });
  const [asked] = (await portal.ask(calls.listMembers, {}, company)).invitations;
  await portal.ask(
    calls.approveMember,
    { params: { invitationId: asked?.id ?? '' }, body: { role: 'viewer' } },
    company,
  );
  portal.moveClock(8 * 86_400_000);
  onTestFinished(() => portal.moveClock(-8 * 86_400_000));
  const again = (await people.signInAs('ravi@tapti.example', { hd })).first;
  expect(again?.joinable).toMatchObject([{ hasAsked: false }]);
  await portal.ask(offered.continueSignIn, { body: { identity: again?.identity ?? '', choice } });
  expect((await portal.ask(calls.listMembers, {}, company)).invitations).toMatchObject([{ state: 'ASKED' }]);
  await people.signInAs('boss@tapti.example');
  expect((await people.signInAs('late@tapti.example', { hd })).first).toBeUndefined();
});

test('two first sign-ins of one person at once make one customer', async () => {
  const email = newEmail();
  const both = await Promise.all([people.signInAs(email), people.signInAs(email)]);
  const ids = await Promise.all(
    both.map(async ({ accessToken }) => (await portal.ask(readAccount, {}, accessToken)).user.id),
  );
  expect(new Set(ids).size).toBe(1);
});
