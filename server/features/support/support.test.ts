import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount, updateMails } from '#shared/contract/account.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import {
  closeSupportThread,
  createSupportThread,
  listSupportThreads,
  markSupportRead,
  readSupportThread,
  replyToSupport,
} from '#shared/contract/support.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { replyToThread } from './support.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

async function asked(subject = 'A question') {
  const token = await portal.newCustomer();
  const body = { subject, message: 'How do I search?', activationId: null };
  const { id } = await portal.ask(createSupportThread, { body }, token);
  return { token, params: { threadId: id } };
}

const mailsOf = (dedupeKey: string) =>
  portal.portal.db.selectFrom('mails').selectAll().where('dedupe_key', '=', dedupeKey).execute();

test('a message is stored, shown only to its author, and mailed to the support team', async () => {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const message = 'How do I search by name?\n\nThank you <b>very</b> much';
  const body = { subject: 'A question', message, activationId };
  const sent = await portal.ask(createSupportThread, { body }, token);
  expect(sent).toMatchObject({ id: expect.stringMatching(/^SUP-/), activationId, status: 'OPEN', unread: 0 });
  expect(sent.messages).toMatchObject([{ author: 'CUSTOMER', message }]);
  expect(await portal.ask(listSupportThreads, {}, token)).toMatchObject([{ id: sent.id, subject: 'A question' }]);
  expect(await portal.ask(listSupportThreads, {}, await portal.newCustomer())).toEqual([]);
  const [mail, ...others] = await mailsOf(`support:${sent.messages[0]?.id}`);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ recipient: 'support@example.com', subject: `${sent.id}: A question` });
  expect(mail?.body_html).not.toContain('<b>very</b>');
});

test('a subject is one line, so that no thread of a list looks like two', async () => {
  const { token } = await asked('A question\r\nSUP-7K2M9QX4TB01\tOPEN\u2028now');
  expect(await portal.ask(listSupportThreads, {}, token)).toMatchObject([
    { subject: 'A question SUP-7K2M9QX4TB01 OPEN now' },
  ]);
});

test('customer and provider write in turn in one thread; each message moves its status', async () => {
  const { token, params } = await asked();
  const thread = () => portal.ask(readSupportThread, { params }, token);
  await replyToThread(portal.portal, { ...params, message: 'With q.' }, 'asha');
  expect(await thread()).toMatchObject({ status: 'ANSWERED', unread: 1 });
  const again = await portal.ask(replyToSupport, { params, body: { message: 'Thank you' } }, token);
  expect(again.status).toBe('OPEN');
  expect(again.messages.map(({ author }) => author)).toEqual(['CUSTOMER', 'PROVIDER', 'CUSTOMER']);
  const [mail] = await mailsOf(`support:${again.messages[2]?.id}`);
  expect(mail?.subject).toBe(`Re: ${params.threadId}: A question`);
  expect(await portal.ask(closeSupportThread, { params }, token)).toMatchObject({ status: 'CLOSED' });
  await replyToThread(portal.portal, { ...params, message: 'You are welcome' }, 'asha');
  expect(await thread()).toMatchObject({ status: 'ANSWERED' });
});

test('replies are unread until they were shown, and one that comes meanwhile stays unread', async () => {
  const { token, params } = await asked();
  await replyToThread(portal.portal, { ...params, message: 'First' }, 'asha');
  const { messages } = await portal.ask(readSupportThread, { params }, token);
  await replyToThread(portal.portal, { ...params, message: 'Second' }, 'asha');
  const read = (seenUntil: string) => portal.ask(markSupportRead, { params, body: { seenUntil } }, token);
  await read(messages[1]?.createdAt ?? '');
  expect((await portal.ask(readAccount, {}, token)).unreadReplies).toBe(1);
  await read('2099-01-01T00:00:00.000Z');
  await read(messages[0]?.createdAt ?? '');
  expect((await portal.ask(readAccount, {}, token)).unreadReplies).toBe(0);
});

test('the mail about a reply can be switched off; the reply stands in the portal', async () => {
  const { token, params } = await asked();
  await portal.ask(updateMails, { body: { mailsOff: ['support.answered'] } }, token);
  await replyToThread(portal.portal, { ...params, message: 'With q.' }, 'asha');
  const { messages } = await portal.ask(readSupportThread, { params }, token);
  expect(messages).toHaveLength(2);
  expect(await mailsOf(`support-answered:${messages[1]?.id}`)).toEqual([]);
});

test('the database refuses a status that the messages do not say, and changed or deleted messages', async () => {
  const { params } = await asked();
  const { db } = portal.owner;
  const setStatus = (status: string) =>
    sql`update support_threads set status = ${status} where id = ${params.threadId}`.execute(db);
  await expect(setStatus('ANSWERED')).rejects.toThrow('does not follow its messages');
  await setStatus('CLOSED');
  await expect(setStatus('ANSWERED')).rejects.toThrow('does not follow its messages');
  await setStatus('OPEN');
  for (const change of [
    sql`update support_messages set message = 'Other' where thread_id = ${params.threadId}`,
    sql`delete from support_messages where thread_id = ${params.threadId}`,
    sql`delete from support_threads where id = ${params.threadId}`,
    sql`update support_threads set subject = 'Other' where id = ${params.threadId}`,
  ])
    await expect(change.execute(db)).rejects.toThrow(/never changed|does not follow|deleted only with its customer/);
});

test.each([
  [{ subject: '', message: 'x' }, '/subject'],
  [{ subject: 'x', message: '   ' }, '/message'],
  [{ subject: 'x'.repeat(121), message: 'x' }, '/subject'],
])('a message such as %j is refused with an error at %s', async (fields, pointer) => {
  const token = await portal.newCustomer();
  const response = await portal.send(createSupportThread, { body: { ...fields, activationId: null } }, token);
  expect(response.body).toMatchObject({ status: 400, errors: [expect.objectContaining({ pointer })] });
});
