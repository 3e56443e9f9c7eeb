import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, signIn } from '#shared/contract/account.ts';
import * as calls from '#shared/contract/members.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

// What holds for a person, however many customers the person has, had or leaves.
let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
});
afterAll(() => portal.close());

const idOf = async (token: string): Promise<string> => (await portal.ask(readAccount, {}, token)).user.id;
const cause = { actor: 'asha', reason: 'Asked by phone' };
const offerTo = async (owner: string, token: string) =>
  portal.send(calls.offerOwnership, { params: { memberId: await people.memberOf(token) }, body: {} }, owner);
const signInAgain = async (email: string) =>
  portal.send(signIn, { body: { googleIdToken: await people.googleToken(email) } });

test('whoever passed the own account on and left founds no second one, nor its trial', async () => {
  const email = 'founder@gmail.com';
  const { accessToken: owner } = await people.signInAs(email);
  const { token } = await people.join(owner, 'successor@gmail.com', 'viewer');
  await offerTo(owner, token);
  expect((await people.acceptFirst(token)).status).toBe(200);
  await portal.ask(calls.leaveCustomer, { body: { forget: true } }, owner);
  expect(await signInAgain(email)).toMatchObject({ status: 403, body: { code: 'account_passed_on' } });
  // As a member of others the person still may sign in.
  await portal.ask(calls.inviteMember, { body: { email, role: 'viewer' } }, token);
  expect((await signInAgain(email)).status).toBe(200);
});

test('a blocked account is passed on to nobody, also where that was offered before', async () => {
  const { accessToken: owner } = await people.signInAs('blocked@gmail.com');
  const { token } = await people.join(owner, 'helper@gmail.com', 'developer');
  await offerTo(owner, token);
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId: await idOf(owner) }, cause);
  expect(await people.acceptFirst(token)).toMatchObject({ body: { code: 'link_expired' } });
  expect(await offerTo(owner, token)).toMatchObject({ status: 409, body: { code: 'account_blocked' } });
});

test('a session that comes from another ends with it, and when the provider ends those of the person', async () => {
  const { accessToken: owner } = await people.signInAs('first@gmail.com');
  const { accessToken: own } = await people.signInAs('second@gmail.com');
  const { token: joined } = await people.join(owner, 'second@gmail.com', 'viewer');
  const { sessions, ends } = await portal.portal.db
    .selectFrom('sessions')
    .innerJoin('members', 'members.id', 'sessions.member_id')
    .select((row) => [row.fn.countAll<number>().as('sessions'), row.fn.count('expires_at').distinct().as('ends')])
    .where('members.email', '=', 'second@gmail.com')
    .executeTakeFirstOrThrow();
  expect({ sessions, ends: Number(ends) }).toEqual({ sessions: 3, ends: 2 });
  const back = await portal.ask(calls.switchCustomer, { params: { customerId: await idOf(own) } }, joined);
  await actAsOperator(portal.portal, 'owner', 'endSessions', { customerId: await idOf(owner) }, cause);
  for (const token of [own, joined, back.accessToken])
    expect((await portal.send(readAccount, {}, token)).status).toBe(401);
});
