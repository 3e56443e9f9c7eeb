import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import * as calls from '#shared/contract/members.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  people = testMembers(portal);
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const octroi = async (...words: string[]) => {
  terminal.out = '';
  return run(['customers', ...words]);
};
const why = ['--reason', 'Asked by mail', '--actor', 'asha', '--yes'];

test('members are listed, and one who was removed is forgotten by command, with the reason in the customer’s log', async () => {
  const { accessToken: owner } = await people.signInAs('asha.owner@gmail.com');
  const { token } = await people.join(owner, 'dev.gone@gmail.com', 'developer');
  const memberId = await people.memberOf(token);
  const { id: customerId } = (await portal.ask(readAccount, {}, owner)).user;
  await portal.ask(calls.inviteMember, { body: { email: 'next@gmail.com', role: 'viewer' } }, owner);
  expect(await octroi('members', customerId)).toBe(exitCodes.done);
  expect(terminal.out).toContain('<dev.gone@gmail.com>  developer');
  expect(terminal.out).toMatch(/next@gmail\.com {2}viewer {2}WAITING/);
  expect(await octroi('forget-member', memberId, ...why)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is a member');
  await portal.ask(calls.removeMember, { params: { memberId } }, owner);
  expect(await octroi('forget-member', memberId, ...why)).toBe(exitCodes.done);
  expect(await octroi('members', customerId)).toBe(exitCodes.done);
  expect(terminal.out).not.toContain('dev.gone@');
  const { providerActions } = await portal.ask(readAccount, {}, owner);
  expect(providerActions[0]).toMatchObject({ action: 'members.forget', target: memberId, reason: 'Asked by mail' });
  expect(await octroi('forget-member', memberId, ...why)).toBe(exitCodes.failed);
});

test('whoever passed the own account on and left begins anew once an operator allows it', async () => {
  const email = 'seller@gmail.com';
  const { accessToken: owner } = await people.signInAs(email);
  const { id: customerId } = (await portal.ask(readAccount, {}, owner)).user;
  expect(await octroi('release', customerId, ...why)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('owns it still');
  const { token } = await people.join(owner, 'buyer@gmail.com', 'viewer');
  const offer = { params: { memberId: await people.memberOf(token) }, body: {} };
  await portal.ask(calls.offerOwnership, offer, owner);
  await people.acceptFirst(token);
  await portal.ask(calls.leaveCustomer, { body: { forget: true } }, owner);
  await expect(people.signInAs(email)).rejects.toThrow(/account_passed_on|passed your account on/);
  expect(await octroi('release', customerId, ...why)).toBe(exitCodes.done);
  const { accessToken } = await people.signInAs(email);
  expect((await portal.ask(readAccount, {}, accessToken)).user.id).not.toBe(customerId);
});
