import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import type { Call } from '#shared/contract/call.ts';
import { memberRoles } from '#shared/contract/member-roles.ts';
import { leaveCustomer, removeMember } from '#shared/contract/members.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { passkeyRules } from '#shared/policies/members/passkeys.ts';
import { mayMember, memberRights } from '#shared/policies/members/rights.ts';
import { contentsOf } from './test/contents.ts';
import { testMembers } from './test/members.ts';
import { absent, type Input, type Owned, ownEverything, ownershipCases, sendCall, validInput } from './test/owned.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

const ofSession = calls.filter(({ auth }) => auth === 'session');
/** Of other roles than the owner's. */
const given = ['developer', 'accountant', 'viewer'] as const;

let portal: TestPortal;
let own: Owned;
let foreign: Owned;
const tokens = new Map<string, string>();
const tokenOf = (role: string) => tokens.get(role) ?? '';
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  const owner = await portal.newCustomer();
  own = await ownEverything(portal, owner, 'tax-lookup-api');
  foreign = await ownEverything(portal, await portal.newCustomer(), 'tax-lookup-api');
  tokens.set('owner', owner);
  for (const role of given) tokens.set(role, (await testMembers(portal).join(owner, `${role}@gmail.com`, role)).token);
  const former = await testMembers(portal).join(owner, 'former@gmail.com', 'developer');
  const { memberId } = await portal.ask(readAccount, {}, former.token);
  await portal.ask(removeMember, { params: { memberId } }, owner);
  tokens.set('former', former.token);
});
afterAll(() => portal.close());

const send = (call: Call, input: Input, token: string) => sendCall(portal, call, input, token);

test('every call with a session has a line for its roles, and no line is of another call', () => {
  expect(Object.keys(memberRights).toSorted()).toEqual(ofSession.map(({ name }) => name).toSorted());
  for (const roles of Object.values(memberRights)) expect(roles).toContain('owner');
});

test('the page about members is the matrix of rights', async () => {
  const rows = ofSession.map(({ name, summary }) => {
    const marks = memberRoles.map((role) => (mayMember(role, name) ? 'yes' : '–'));
    const rule = passkeyRules.get(name) ?? 'never';
    return `| \`${name}\` | ${summary} | ${marks.join(' | ')} | ${rule === 'never' ? '–' : rule} |`;
  });
  const page = `# Members

What people may do for a customer, by role: from \`shared/policies/members\`, which the portal obeys ([decision 079](decisions/079-members.md)). A customer has one owner. An
operator who sees the portal as a customer sees what the owner sees, and changes nothing. The last column: where the owner has switched it on, the call needs a
passkey of the member, which confirmed within 15 minutes in the same session ([decision 083](decisions/083-two-step.md)); other calls never do.

| call | what it does | ${memberRoles.join(' | ')} | passkey |
| --- | --- | ${memberRoles.map(() => '---').join(' | ')} | --- |
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot(projectFolder('docs', 'members.md'));
});

describe.each(given)('a member with the role %s', (role) => {
  const denied = ofSession.filter(({ name }) => !mayMember(role, name));
  // Those that end the session come last.
  const last = new Set(['signOut', 'leaveCustomer']);
  const allowed = ofSession.filter(({ name }) => mayMember(role, name) && !last.has(name));

  test.each(denied)('is refused $name of the own customer in words, and changes nothing', async (call) => {
    const before = await contentsOf(portal.portal.db);
    const refused = await send(call, validInput(call, own), tokenOf(role));
    expect(refused).toMatchObject({ status: 403, code: 'not_your_role' });
    expect(await contentsOf(portal.portal.db)).toEqual(before);
  });

  test.each(allowed)('may call $name', async (call) => {
    const reply = await send(call, validInput(call, absent), tokenOf(role));
    expect([401, 403, 500], reply.text).not.toContain(reply.status);
  });

  const cases = ownershipCases(allowed);
  test.each(cases)('finds nothing of another customer: $title', async ({ call, inputOf }) => {
    const missing = await send(call, inputOf(own, absent), tokenOf(role));
    const found = await send(call, inputOf(own, foreign), tokenOf(role));
    expect([found.status, found.code]).toEqual([missing.status, missing.code]);
  });
});

test.each(ofSession)('a former member is a stranger to $name', async (call) => {
  const before = await contentsOf(portal.portal.db);
  expect(await send(call, validInput(call, own), tokenOf('former'))).toMatchObject({ status: 401 });
  expect(await contentsOf(portal.portal.db)).toEqual(before);
});

test.each(ofSession)('the owner may call $name', ({ name }) => {
  expect(mayMember('owner', name)).toBe(true);
});

test('a call without a line is for the owner alone', () => {
  expect(memberRoles.filter((role) => mayMember(role, 'callOfTomorrow'))).toEqual(['owner']);
});

test('everybody may leave but the owner, who is told why', async () => {
  const left = await send(leaveCustomer, validInput(leaveCustomer, own), tokenOf('viewer'));
  expect(left.status).toBe(200);
  expect(await send(leaveCustomer, validInput(leaveCustomer, own), tokenOf('owner'))).toMatchObject({
    status: 409,
    code: 'owner_stays',
  });
});
