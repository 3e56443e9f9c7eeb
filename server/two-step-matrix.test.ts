import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { switchCustomer } from '#shared/contract/members.ts';
import { calls } from '#shared/contract/test-calls.ts';
import * as twoStep from '#shared/contract/two-step.ts';
import { needsPasskey, passkeyRules } from '#shared/policies/members/passkeys.ts';
import { memberRights } from '#shared/policies/members/rights.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { testAuthenticator } from './test/authenticator.ts';
import { contentsOf } from './test/contents.ts';
import { testMembers } from './test/members.ts';
import { absent, type Owned, ownEverything, sendCall, validInput } from './test/owned.ts';
import { type TestAuthenticator, testPasskeys } from './test/passkeys.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

const listed = calls.filter(({ auth, name }) => auth === 'session' && needsPasskey(name));
const others = calls.filter(({ auth, name }) => auth === 'session' && !needsPasskey(name));

let portal: TestPortal;
let passkeys: ReturnType<typeof testPasskeys>;
let own: Owned;
/** Sessions of the owner: one that confirms, and another one. */
let owner: string;
let second: string;
let authenticator: TestAuthenticator;
let ofMember: TestAuthenticator;
let ofOtherCustomer: TestAuthenticator;

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  passkeys = testPasskeys(portal);
  owner = await portal.newCustomer();
  own = await ownEverything(portal, owner, 'tax-lookup-api');
  ({ authenticator } = await addOne(owner));
  await portal.ask(twoStep.switchTwoStep, { body: { isOn: true } }, owner);
  const { id: customerId } = (await portal.ask(readAccount, {}, owner)).user;
  second = (await portal.ask(switchCustomer, { params: { customerId } }, owner)).accessToken;
  const { token: developer } = await testMembers(portal).join(owner, 'dev@gmail.com', 'developer');
  ({ authenticator: ofMember } = await passkeys.add(developer));
  ({ authenticator: ofOtherCustomer } = await passkeys.add(await portal.newCustomer()));
});
afterAll(() => portal.close());

/** Another passkey of somebody who has one. */
async function addOne(token: string) {
  const added = testAuthenticator(portal.portalUrl);
  const { status } = await passkeys.register(token, added);
  if (status !== 200) throw new Error('no passkey was added');
  return { authenticator: added };
}

/** As if the passkey had confirmed so long ago; null: never. */
const provenBefore = (token: string, minutes: number | null) =>
  portal.owner.db
    .updateTable('sessions')
    .set({ proven_at: minutes === null ? null : new Date(Date.now() - minutes * 60_000) })
    .where('token_hash', '=', sha256(token))
    .execute();

const send = (call: (typeof calls)[number], ids: Owned, token: string) =>
  sendCall(portal, call, validInput(call, ids), token);
const needed = { status: 403, code: 'passkey_needed' };
const notAccepted = { status: 409, body: { code: 'passkey_not_accepted' } };

test('the rules are of calls that there are, and each call of their files that changes something has one', () => {
  const names = Object.keys(memberRights);
  expect([...passkeyRules.keys()].filter((name) => !names.includes(name))).toEqual([]);
  expect(listed.map(({ name }) => name).toSorted()).toMatchInlineSnapshot(`
    [
      "approveMember",
      "askErasure",
      "changeMember",
      "createApiKey",
      "createTryKey",
      "createWebhook",
      "deleteActivation",
      "inviteMember",
      "limitMember",
      "offerOwnership",
      "removeMember",
      "removeMemberPasskey",
      "removePasskeysOf",
      "rollWebhookSecret",
      "rotateApiKey",
      "switchTwoStep",
      "updateApiKey",
      "updateWebhook",
    ]
  `);
});

describe.each(listed)('$name', (call) => {
  test('is refused without a passkey, in words and before anything is read or changed', async () => {
    await provenBefore(owner, null);
    const before = await contentsOf(portal.portal.db);
    expect(await send(call, own, owner)).toMatchObject(needed);
    expect(await contentsOf(portal.portal.db)).toEqual(before);
  });

  test('is let in for 15 minutes after a proof, in the session of the proof and no other', async () => {
    await provenBefore(owner, null);
    await provenBefore(second, null);
    expect((await passkeys.prove(owner, authenticator)).status).toBe(200);
    expect(await send(call, absent, second)).toMatchObject(needed);
    const reply = await send(call, absent, owner);
    expect([401, 403, 500], reply.text).not.toContain(reply.status);
    await portal.ask(twoStep.switchTwoStep, { body: { isOn: true } }, owner);
    await provenBefore(owner, 16);
    expect(await send(call, absent, owner)).toMatchObject(needed);
  });
});

test.each(['another member', 'another customer', 'another session', 'a replay'])(
  'every listed call is refused with the assertion of %s',
  async (of) => {
    await provenBefore(owner, null);
    const strangers = { 'another member': ofMember, 'another customer': ofOtherCustomer };
    const used = of === 'another member' || of === 'another customer' ? strangers[of] : authenticator;
    const from = of === 'another session' ? second : owner;
    const options = await portal.ask(twoStep.beginMemberProof, {}, from);
    const body = { credential: used.get(options) };
    if (of === 'a replay') {
      await portal.ask(twoStep.proveMemberPasskey, { body }, owner);
      await provenBefore(owner, null);
    }
    expect(await portal.send(twoStep.proveMemberPasskey, { body }, owner)).toMatchObject(notAccepted);
    for (const call of listed) expect(await send(call, own, owner), call.name).toMatchObject(needed);
  },
);

/** The first end the session; the others ask for a passkey of their own accord, where one is there. */
const apart = new Set(['signOut', 'leaveCustomer', 'beginMemberPasskey', 'addMemberPasskey']);

test.each(others.filter(({ name }) => !apart.has(name)))('$name never needs a passkey to be let in', async (call) => {
  await provenBefore(owner, null);
  const reply = await send(call, absent, owner);
  expect(reply.code, reply.text).not.toBe('passkey_needed');
});
