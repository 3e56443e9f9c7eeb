import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import {
  createSupportThread,
  listSupportThreads,
  markSupportRead,
  readSupportThread,
  replyToSupport,
} from '#shared/contract/support.ts';
import { maxMessagesShown, maxThreadsShown } from '#shared/domain/support-thread.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { readThread, replyToThread } from './support.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

/** A customer with a thread, who can start another one and write again in the first. */
async function asked() {
  const token = await portal.newCustomer();
  const ask = () =>
    portal.send(createSupportThread, { body: { subject: 'A question', message: 'How?', activationId: null } }, token);
  const { id: threadId } = createSupportThread.reply.parse((await ask()).body);
  const params = { threadId };
  return {
    token,
    params,
    ask,
    write: () => portal.send(replyToSupport, { params, body: { message: 'And how?' } }, token),
    read: () => portal.ask(readSupportThread, { params }, token),
  };
}

/** Copies the first message of a thread, as calls would write it in hours. The copies are `daysAgo` old; the last is the newest. */
const copyMessage = (threadId: string, count: number, { author = 'CUSTOMER', daysAgo = 0 } = {}) =>
  sql`insert into support_messages (id, customer_id, thread_id, author, channel, written_by, message, created_at)
    select id || n, customer_id, thread_id, ${author}::text,
      case ${author}::text when 'CUSTOMER' then 'PORTAL' else 'COMMAND' end, case ${author}::text when 'PROVIDER' then 'asha' end,
      'Message ' || n, created_at - ${daysAgo} * interval '1 day' + n * interval '1 ms'
    from (select * from support_messages where thread_id = ${threadId} order by created_at limit 1) first,
      generate_series(1, ${count}::integer) n`.execute(portal.portal.db);

test('a thread takes 100 messages of its customer; support still replies in it, and the customer starts another', async () => {
  const { params, ask, write, read } = await asked();
  await copyMessage(params.threadId, 98, { daysAgo: 2 });
  expect((await write()).status).toBe(200);
  expect(await write()).toMatchObject({ status: 409, body: { code: 'thread_full' } });
  await replyToThread(portal.portal, { ...params, message: 'Like this.' }, 'asha');
  expect((await read()).messages.at(-1)).toMatchObject({ author: 'PROVIDER', message: 'Like this.' });
  expect((await ask()).status).toBe(200);
});

test('a customer writes 100 messages in 24 hours, in all threads together, also with calls at the same time', async () => {
  const { params, ask, write } = await asked();
  await copyMessage(params.threadId, 97);
  expect((await ask()).status).toBe(200);
  const responses = await Promise.all([ask(), write(), ask()]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'too_many_messages' });
  portal.moveClock(25 * 3_600_000);
  expect((await ask()).status).toBe(200);
});

test('of a longer thread the newest messages are read, and every reply is counted until it is read', async () => {
  const { token, params, read } = await asked();
  const replies = maxMessagesShown + 50;
  await copyMessage(params.threadId, replies, { author: 'PROVIDER' });
  const { messages, unread } = await read();
  expect(messages).toHaveLength(maxMessagesShown);
  expect(messages.map(({ message }) => message).slice(-2)).toEqual([`Message ${replies - 1}`, `Message ${replies}`]);
  expect((await readThread(portal.portal.db, params.threadId)).messages).toHaveLength(maxMessagesShown);
  expect(unread).toBe(replies);
  const unreadOfAll = async () => (await portal.ask(readAccount, {}, token)).unreadReplies;
  expect(await unreadOfAll()).toBe(replies);
  const seenUntil = messages.at(-3)?.createdAt ?? '';
  await portal.ask(markSupportRead, { params, body: { seenUntil } }, token);
  expect(await unreadOfAll()).toBe(2);
});

test('the threads that changed last are listed, however many there are', async () => {
  const { token, params } = await asked();
  await sql`insert into support_threads (id, customer_id, subject, created_at, changed_at)
    select id || n, customer_id, subject, created_at, changed_at - n * interval '1 second' + interval '1 hour'
    from support_threads, generate_series(1, ${maxThreadsShown + 5}::integer) n where id = ${params.threadId}`.execute(
    portal.portal.db,
  );
  const listed = (await portal.ask(listSupportThreads, {}, token)).map(({ id }) => id);
  expect(listed).toHaveLength(maxThreadsShown);
  expect(listed[0]).toBe(`${params.threadId}1`);
});
