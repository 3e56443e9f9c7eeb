import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey, revokeApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { listMemberActions } from '#shared/contract/member-log.ts';
import { limitMember, listMembers } from '#shared/contract/members.ts';
import { openClient } from '#shared/database/clients.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let owner: string;
let developer: string;
let memberId: string;
let activations: string[];
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  owner = await portal.newCustomer();
  const email = 'limited@gmail.com';
  ({ token: developer } = await testMembers(portal).join(owner, email, 'developer'));
  ({ memberId } = await portal.ask(readAccount, {}, developer));
  const lookup = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, owner);
  const invoicing = await portal.ask(activatePlan, { params: { id: 'invoicing-system', planId: 'free' } }, owner);
  activations = [lookup.activationId, invoicing.activationId];
});
afterAll(() => portal.close());

const limit = (dailyLimit: number | null, token = owner) =>
  portal.send(limitMember, { params: { memberId }, body: { dailyLimit } }, token);
const limitsOf = async (token: string) => {
  const { members } = await portal.ask(listMembers, {}, token);
  return members.map(({ role, dailyLimit }) => [role, dailyLimit]);
};

test('the owner limits a member, whom the list and the log tell, and takes the limit away', async () => {
  expect(await limit(500)).toMatchObject({ status: 200, body: { effectiveBy: null } });
  const both = [
    ['owner', null],
    ['developer', 500],
  ];
  expect(await limitsOf(owner)).toEqual(both);
  expect(await limitsOf(developer)).toEqual(both);
  const { entries } = await portal.ask(listMemberActions, { query: { action: 'limitMember' } }, owner);
  expect(entries).toMatchObject([{ action: 'limitMember', target: memberId, member: { email: expect.any(String) } }]);
  expect((await limit(null)).status).toBe(200);
  expect(await limitsOf(developer)).toEqual([
    ['owner', null],
    ['developer', null],
  ]);
});

test('a developer sets no limit, also not for the own keys, and nobody one of another customer', async () => {
  expect(await limit(5, developer)).toMatchObject({ status: 403, body: { code: 'not_your_role' } });
  expect(await limit(5, await portal.newCustomer())).toMatchObject({ status: 404 });
  for (const dailyLimit of [0, -1, 1.5, 1_000_000_001])
    expect(await limit(dailyLimit)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(await limitsOf(owner)).toContainEqual(['developer', null]);
});

test('gateways are told to read the keys of every activation in which the member has made some', async () => {
  const announced: string[] = [];
  const listener = openClient({ connectionString: portal.owner.databaseUrl });
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => void announced.push(payload));
  await listener.query('listen access');
  const activationsTold = async () => {
    // What the keys themselves announced has come by then.
    await listener.query(`notify access, 'mark'`);
    await expect.poll(() => announced.includes('mark'), { timeout: 60_000 }).toBe(true);
    announced.length = 0;
    await limit(700);
    // Messages come in the order in which they were sent.
    await expect.poll(() => announced.some((each) => each.startsWith('barrier')), { timeout: 60_000 }).toBe(true);
    return announced.filter((each) => each.startsWith('activation')).toSorted();
  };
  const make = (activationId: string, token: string) =>
    portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'k1' } }, token);
  const [lookup = '', invoicing = ''] = activations;
  const { id: keyId } = await make(lookup, developer);
  await make(invoicing, developer);
  expect(await activationsTold()).toEqual([lookup, invoicing].map((id) => `activation ${id}`).toSorted());
  await portal.ask(revokeApiKey, { params: { activationId: lookup, keyId } }, owner);
  await make(lookup, owner);
  expect(await activationsTold()).toEqual([`activation ${invoicing}`]);
  await listener.end();
});
