import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import { createApiKey, listApiKeys } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { listMemberActions, loggedCalls, memberLogCsvPath } from '#shared/contract/member-log.ts';
import { inviteMember, leaveCustomer, listMembers, removeMember } from '#shared/contract/members.ts';
import { readPurchaseRegister } from '#shared/contract/documents.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { memberRights } from '#shared/policies/members/rights.ts';
import { backendPath } from '#server/http/app.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testMembers } from '#server/test/members.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
let owner: string;
let activationId: string;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
  owner = await portal.newCustomer();
  ({ activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, owner));
});
afterAll(() => portal.close());

const read = async (query = {}, token = owner) => portal.ask(listMemberActions, { query }, token);

/** Calls that change nothing of weight: about the session, the person, or talk. */
const unlogged = new Set([
  'signOut',
  'switchCustomer',
  'openOwnCustomer',
  'askToJoin',
  'testWebhook',
  'replayWebhookDelivery',
  'createSupportThread',
  'replyToSupport',
  'markSupportRead',
  'closeSupportThread',
  'beginMemberPasskey',
  'beginMemberProof',
  'proveMemberPasskey',
]);

test('every call of a session that changes something is logged or said not to be, and the log knows no other call', () => {
  const changing = calls.filter(({ auth, method }) => auth === 'session' && method !== 'GET').map(({ name }) => name);
  const known: readonly string[] = loggedCalls;
  expect(changing.filter((name) => known.includes(name) === unlogged.has(name))).toEqual([]);
  expect(known.filter((name) => !Object.hasOwn(memberRights, name))).toEqual([]);
});

test('owner and accountant read who made a key, changed the profile, took papers, and what the provider did', async () => {
  const { token: developer } = await people.join(owner, 'dev@gmail.com', 'developer');
  const { token: accountant } = await people.join(owner, 'books@gmail.com', 'accountant');
  await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'mine' } }, developer);
  await portal.ask(updateProfile, { body: sampleProfile }, accountant);
  await portal.ask(readPurchaseRegister, { params: { from: '2026-04-01', to: '2027-03-31' } }, accountant);
  const { id: customerId } = (await portal.ask(readAccount, {}, owner)).user;
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId }, { actor: 'root', reason: 'A test' });
  await actAsOperator(portal.portal, 'owner', 'unblockCustomer', { customerId }, { actor: 'root', reason: 'Enough' });
  const { entries } = await read({}, accountant);
  expect(entries.slice(0, 5)).toMatchObject([
    { action: 'customers.unblock', member: null, reason: 'Enough' },
    { action: 'customers.block', member: null },
    { action: 'readPurchaseRegister', member: { email: 'books@gmail.com' } },
    { action: 'updateProfile', member: { email: 'books@gmail.com' } },
    { action: 'createApiKey', member: { email: 'dev@gmail.com' }, target: activationId },
  ]);
  expect(await portal.send(listMemberActions, { query: {} }, developer)).toMatchObject({ status: 403 });
  const filtered = await read({ action: 'createApiKey' });
  expect(filtered.entries.map(({ action }) => action)).toEqual(['createApiKey']);
  const memberId = entries[4]?.member?.id ?? '';
  expect((await read({ memberId })).entries.every(({ member }) => member?.id === memberId)).toBe(true);
  const { entries: ofProvider, people: known } = await read({ memberId: 'provider' });
  expect(ofProvider.map(({ action, by }) => [action, by])).toEqual([
    ['customers.unblock', null],
    ['customers.block', null],
  ]);
  expect(known.map(({ name, isFormer }) => [name, isFormer])).toContainEqual(['dev@gmail.com', false]);
});

test.each(['2026-99-99T00:00:00Z_m0000000000000000001', '2026-02-31T00:00:00Z_p0000000000000000001', 'x'])(
  'a place that no page gave is the first page: %s',
  async (after) => {
    expect(await read({ after })).toEqual(await read());
  },
);

test('a refused call leaves no entry', async () => {
  const before = (await read()).entries;
  const body = { email: 'not an address', role: 'viewer' as const };
  expect((await portal.send(inviteMember, { body }, owner)).status).toBe(400);
  const absent = { params: { memberId: 'MEM-000000000000' } };
  expect((await portal.send(removeMember, absent, owner)).status).toBe(404);
  expect((await read()).entries).toEqual(before);
});

test('comes in pages without a gap, and as a CSV file that is for the same roles', async () => {
  const company = await portal.newCustomer();
  for (let saved = 0; saved < 54; saved += 1) await portal.ask(updateProfile, { body: sampleProfile }, company);
  const first = await read({}, company);
  const second = await read({ after: first.next ?? '' }, company);
  expect([first.entries.length, second.entries.length, second.next]).toEqual([50, 5, null]);
  expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(55);
  const { token: viewer } = await people.join(company, 'reader@gmail.com', 'viewer');
  const csv = (token: string) =>
    fetch(`${portal.portalUrl}${backendPath}${memberLogCsvPath}?action=updateProfile`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await csv(viewer)).status).toBe(403);
  expect((await (await csv(company)).text()).trim().split('\r\n')).toHaveLength(56);
});

test('a call under way when its member is removed does nothing', async () => {
  const { token } = await people.join(owner, 'slow@gmail.com', 'developer');
  const { memberId } = await portal.ask(readAccount, {}, token);
  const client = openClient({ connectionString: portal.owner.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin; lock table api_keys in access exclusive mode');
  const making = portal.send(createApiKey, { params: { activationId }, body: { keyName: 'late' } }, token);
  await expect.poll(() => countWaiting(portal.owner.db), { timeout: 60_000 }).toBe(1);
  // Without the lock of the customer, for which a removal by the owner would wait.
  await portal.portal.db.updateTable('members').set({ removed_at: new Date() }).where('id', '=', memberId).execute();
  await client.query('rollback');
  expect(await making).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  const keys = await portal.ask(listApiKeys, { params: { activationId } }, owner);
  expect(keys.map(({ keyName }) => keyName)).not.toContain('late');
});

test('whoever leaves is in the log, without the name where it was taken along', async () => {
  const { token } = await people.join(owner, 'gone@gmail.com', 'viewer');
  await portal.ask(leaveCustomer, { body: { forget: true } }, token);
  const [entry] = (await read({ action: 'leaveCustomer' })).entries;
  expect(entry).toMatchObject({ member: { name: 'Former member' } });
  expect(JSON.stringify(await read())).not.toContain('gone@gmail.com');
  expect((await portal.ask(listMembers, {}, owner)).members.map(({ email }) => email)).not.toContain('gone@gmail.com');
});
