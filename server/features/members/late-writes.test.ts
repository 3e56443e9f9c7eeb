import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import type { Call } from '#shared/contract/call.ts';
import { listMemberActions } from '#shared/contract/member-log.ts';
import { offerOwnership, removeMember } from '#shared/contract/members.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '#shared/contract/webhooks.ts';
import { backendPath } from '#server/http/app.ts';
import { testMembers } from '#server/test/members.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

// What a call writes in a statement of its own, without a transaction around it.
let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
});
afterAll(() => portal.close());

/** A call whose session is known and whose body comes later. */
async function begin(call: Call, token: string, body: object, id = '') {
  const content = JSON.stringify(body);
  const asked = request(`${portal.portalUrl}${backendPath}${call.path.replace(/:\w+/, id)}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(content),
      expect: '100-continue',
    },
  });
  // Sent when the server has read the head.
  asked.flushHeaders();
  await once(asked, 'continue');
  asked.write(content.slice(0, 1));
  const replied = once(asked, 'response');
  return async (): Promise<number | undefined> => {
    asked.end(content.slice(1));
    const [reply] = await replied;
    await text(reply);
    return reply.statusCode;
  };
}

const changesOf = async (owner: string): Promise<unknown[]> =>
  (await portal.ask(listMemberActions, { query: { action: 'updateProfile' } }, owner)).entries;

test('business details whose sender is removed before they are whole stay as they were, and the log has nothing', async () => {
  const owner = await portal.newCustomer();
  const { token } = await people.join(owner, 'accounts@gmail.com', 'accountant');
  const before = (await changesOf(owner)).length;
  const finish = await begin(updateProfile, token, { ...sampleProfile, legalName: 'Robbed Traders' });
  await portal.ask(removeMember, { params: { memberId: await people.memberOf(token) } }, owner);
  expect(await finish()).toBe(401);
  expect((await portal.ask(readAccount, {}, owner)).profile?.legalName).toBe(sampleProfile.legalName);
  expect(await changesOf(owner)).toHaveLength(before);
});

test('a webhook stays whose deletion was begun by a member who is removed', async () => {
  const owner = await portal.newCustomer();
  const { token } = await people.join(owner, 'developer@gmail.com', 'developer');
  await portal.ask(createWebhook, { body: { url: 'https://1.1.1.1/', events: ['quota.reached'] } }, token);
  const { webhooks } = await portal.ask(listWebhooks, {}, owner);
  const finish = await begin(deleteWebhook, token, {}, webhooks[0]?.id);
  await portal.ask(removeMember, { params: { memberId: await people.memberOf(token) } }, owner);
  expect(await finish()).toBe(401);
  expect((await portal.ask(listWebhooks, {}, owner)).webhooks).toHaveLength(1);
});

test('whoever passed the ownership on meanwhile changes no business details any more', async () => {
  const owner = await portal.newCustomer();
  const { token } = await people.join(owner, 'next@gmail.com', 'developer');
  const params = { memberId: await people.memberOf(token) };
  await portal.ask(offerOwnership, { params, body: { formerRole: 'viewer' } }, owner);
  const finish = await begin(updateProfile, owner, { ...sampleProfile, legalName: 'Robbed Traders' });
  expect((await people.acceptFirst(token)).status).toBe(200);
  expect(await finish()).toBe(401);
  expect((await portal.ask(readAccount, {}, token)).profile?.legalName).toBe(sampleProfile.legalName);
});
