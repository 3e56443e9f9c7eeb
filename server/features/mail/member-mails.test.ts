import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateMails } from '#shared/contract/account.ts';
import { changeMember, leaveCustomer, removeMember } from '#shared/contract/members.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import type { MailKind } from '#shared/domain/mail-kind.ts';
import { happened } from '#server/features/events/events.ts';
import { replyToThread } from '#server/features/support/support.ts';
import { readAsOperator, actAsOperator } from '#server/operator-calls.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { testMembers } from '#server/test/members.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { sendMail } from './mail.ts';
import { startMailServer } from './test-mail-server.ts';

const cause = { actor: 'asha', reason: 'Asked by phone' };
let portal: TestPortal;
let people: ReturnType<typeof testMembers>;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
  const mailer = createMailer(`smtp://127.0.0.1:${server.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ mailer, jobs: false });
  people = testMembers(portal);
});
afterAll(async () => {
  await portal.close();
  await server.close();
});

let number = 0;
const at = new Date('2026-11-23T06:00:00Z');
/** Events of three audiences, each its own one. */
const tdsRefused = (): PortalEvent => ({
  type: 'tds.refused',
  claimId: `TDS-${(number += 1)}`,
  cycleId: 'CYC-1',
  invoice: 'INV/1',
  quarter: '2026-Q3',
  amountPaise: 100_00,
  reason: 'Another TAN',
});
const keyRevoked = (): PortalEvent => ({
  type: 'key.revoked',
  keyId: `KEY-${(number += 1)}`,
  keyName: 'prod',
  hint: 'abcd',
  activationId: 'ACT-1',
  reason: 'Leaked',
  at,
});
const webhookOff = (): PortalEvent => ({
  type: 'webhook.disabled',
  webhookId: `WHK-${(number += 1)}`,
  url: 'https://shop.example/hook',
  reason: 'GONE',
  at,
});

/** A customer whose members have the addresses `<role>.<n>@gmail.com`. */
async function company() {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const n = (number += 1);
  const owner = { customerId: user.id };
  const addressOf = (role: string) => `${role}.${n}@gmail.com`;
  const join = async (role: 'developer' | 'accountant' | 'viewer') =>
    (await people.join(token, addressOf(role), role)).token;
  const members = {
    developer: await join('developer'),
    accountant: await join('accountant'),
    viewer: await join('viewer'),
  };
  const written = () => portal.portal.db.selectFrom('mails').selectAll().where('customer_id', '=', user.id).execute();
  const publish = async (event: PortalEvent) => {
    const before = new Set((await written()).map(({ id }) => id));
    await transaction(portal.portal.db, (tx) => happened(portal.portal, owner, tx, event));
    return (await written()).filter(({ id }) => !before.has(id));
  };
  const toWhom = async (event: PortalEvent) => (await publish(event)).map(({ recipient }) => recipient).toSorted();
  return { token, email: user.email, owner, members, addressOf, publish, toWhom };
}

test('money goes to owner and accountant, keys to owner and developer, each in a mail of its own, once', async () => {
  const { email, addressOf, toWhom, publish } = await company();
  const event = tdsRefused();
  expect(await toWhom(event)).toEqual([addressOf('accountant'), email].toSorted());
  expect(await toWhom(event)).toEqual([]);
  const warned = await publish(keyRevoked());
  expect(warned.map(({ recipient }) => recipient).toSorted()).toEqual([addressOf('developer'), email].toSorted());
  const [own, other] = warned.toSorted((a) => (a.recipient === email ? -1 : 1));
  expect(own?.body_text).not.toContain(addressOf('developer'));
  expect(other?.body_text).not.toContain(email);
  expect(other?.body_text).toContain('/account?view=mails');
});

test('each member chooses for itself, only what its role may have, and a choice in a role before counts for nothing', async () => {
  const { token, email, members, addressOf, toWhom } = await company();
  const choose = (as: string, mailsOff: MailKind[], mailsOn: MailKind[]) =>
    portal.send(updateMails, { body: { mailsOff, mailsOn } }, as);
  expect((await choose(members.developer, [], ['papers'])).status).toBe(400);
  expect((await choose(members.developer, [], ['payment.failed'])).status).toBe(400);
  expect((await choose(members.developer, ['keys'], [])).status).toBe(400);
  expect((await choose(token, ['papers'], [])).status).toBe(400);
  expect((await choose(members.viewer, [], ['papers', 'keys'])).status).toBe(200);
  expect((await choose(members.accountant, ['papers'], [])).status).toBe(200);
  expect((await choose(members.developer, ['webhook.disabled'], [])).status).toBe(200);
  expect(await toWhom(tdsRefused())).toEqual([addressOf('viewer'), email].toSorted());
  expect(await toWhom(webhookOff())).toEqual([email]);
  expect(await portal.ask(readAccount, {}, members.viewer)).toMatchObject({
    mailsOff: [],
    mailsOn: ['papers', 'keys'],
  });
  const viewerId = await people.memberOf(members.viewer);
  await portal.ask(changeMember, { params: { memberId: viewerId }, body: { role: 'developer' } }, token);
  expect(await toWhom(tdsRefused())).toEqual([email]);
});

test('a mail that waited does not leave once its member was removed, or may not have it in the role of now', async () => {
  const { token, email, owner, members, addressOf, publish } = await company();
  const [warned, money] = [await publish(keyRevoked()), await publish(tdsRefused())];
  await portal.ask(removeMember, { params: { memberId: await people.memberOf(members.developer) } }, token);
  const accountantId = await people.memberOf(members.accountant);
  await portal.ask(changeMember, { params: { memberId: accountantId }, body: { role: 'developer' } }, token);
  for (const { id } of [...warned, ...money]) await sendMail(portal.portal, id);
  expect(server.received(addressOf('developer'))).toEqual([]);
  expect(server.received(addressOf('accountant'))).toEqual([]);
  expect(server.received(email)).toHaveLength(2);
  const removed = warned.find(({ recipient }) => recipient === addressOf('developer'));
  const { mails } = await readAsOperator(portal.portal, 'support', 'listMails', owner);
  expect(mails.find(({ id }) => id === removed?.id)).toMatchObject({
    sentAt: null,
    fault: expect.stringContaining('removed'),
  });
  await expect(
    actAsOperator(portal.portal, 'support', 'resendMail', { mailId: removed?.id ?? '' }, cause),
  ).rejects.toThrow('is to a member who was removed');
});

test('a mail that was sent to a member is sent again to it alone', async () => {
  const { publish, addressOf } = await company();
  const mail = (await publish(keyRevoked())).find(({ recipient }) => recipient === addressOf('developer'));
  await sendMail(portal.portal, mail?.id ?? '');
  const { copyId } = await actAsOperator(portal.portal, 'support', 'resendMail', { mailId: mail?.id ?? '' }, cause);
  await sendMail(portal.portal, copyId ?? '');
  expect(server.received(addressOf('developer'))).toHaveLength(2);
});

test('two members with one address get one mail, which still leaves when one of them is removed', async () => {
  const { token, email, members, publish } = await company();
  const memberId = await people.memberOf(members.developer);
  await portal.portal.db.updateTable('members').set({ email }).where('id', '=', memberId).execute();
  const written = await publish(keyRevoked());
  expect(written.map(({ recipient }) => recipient)).toEqual([email]);
  const accountantId = await people.memberOf(members.accountant);
  await portal.portal.db
    .updateTable('members')
    .set({ email: 'desk@example.com' })
    .where('id', 'in', [memberId, accountantId])
    .execute();
  const viewerId = await people.memberOf(members.viewer);
  await portal.portal.db.updateTable('members').set({ email: 'desk@example.com' }).where('id', '=', viewerId).execute();
  await portal.ask(updateMails, { body: { mailsOff: [], mailsOn: ['keys'] } }, members.viewer);
  const mail = (await publish(keyRevoked())).find(({ recipient }) => recipient === 'desk@example.com');
  await portal.ask(removeMember, { params: { memberId } }, token);
  await sendMail(portal.portal, mail?.id ?? '');
  expect(server.received('desk@example.com')).toHaveLength(1);
});

test('a reply of support goes to the owner and to who wrote in the thread', async () => {
  const { email, members, addressOf, owner } = await company();
  const body = { subject: 'Slow calls', message: 'They take 30 seconds.', activationId: null };
  const { id: threadId } = await portal.ask(createSupportThread, { body }, members.developer);
  await replyToThread(portal.portal, { threadId, message: 'Since when?' }, 'asha');
  const replies = await portal.portal.db
    .selectFrom('mails')
    .select('recipient')
    .where('customer_id', '=', owner.customerId)
    .where('kind', '=', 'support.answered')
    .execute();
  expect(replies.map(({ recipient }) => recipient).toSorted()).toEqual([addressOf('developer'), email].toSorted());
});

test('a member who leaves and takes the own name along takes the own mails along too', async () => {
  const { members, addressOf, publish, owner } = await company();
  await publish(keyRevoked());
  await portal.ask(leaveCustomer, { body: { forget: true } }, members.developer);
  const left = await portal.portal.db
    .selectFrom('mails')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .where('recipient', '=', addressOf('developer'))
    .execute();
  expect(left).toEqual([]);
});
