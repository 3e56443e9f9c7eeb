import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { asha, startDesk } from './test-desk.ts';

let desk: Awaited<ReturnType<typeof startDesk>>;
const ravi = 'ravi@kaveri.example';
const cause = { actor: 'root', reason: 'A test' };
const tokens = new Map<string, string>();
const tokenOf = (email: string) => tokens.get(email) ?? '';

beforeAll(async () => {
  desk = await startDesk();
  tokens.set(asha, desk.ofAsha);
  tokens.set(ravi, await desk.operators.signedIn(ravi, 'support'));
});
afterAll(() => desk.close());

const read = (threadId: string) => readAsOperator(desk.portal, 'owner', 'readThread', { threadId });
const assign = (token: string, threadId: string, email: string | null) =>
  desk.operators.act(token, 'assignThread', { threadId, email });

test('a thread is assigned, listed as somebody’s, and is nobody’s again; its customer does not see it', async () => {
  const { threadId, token } = await desk.asked();
  const listed = async (assignedTo: string | null) => {
    const { threads } = await readAsOperator(desk.portal, 'owner', 'listThreads', { assignedTo, limit: 1000 });
    return threads.map(({ id }) => id).includes(threadId);
  };
  expect(await listed(null)).toBe(true);
  expect(await assign(tokenOf(asha), threadId, asha)).toMatchObject({ status: 200, body: { before: null } });
  expect(await read(threadId)).toMatchObject({ assignedTo: asha });
  expect([await listed(null), await listed(asha), await listed(ravi)]).toEqual([false, true, false]);
  const again = await assign(tokenOf(ravi), threadId, asha);
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_change' } });
  const seen = await desk.ask(readSupportThread, { params: { threadId } }, token);
  expect(JSON.stringify(seen)).not.toContain('asha');
  expect(await assign(tokenOf(ravi), threadId, null)).toMatchObject({ status: 200, body: { before: asha } });
  expect(await listed(null)).toBe(true);
});

test('a thread is assigned to nobody who is not an operator, or may not reply', async () => {
  const { threadId } = await desk.asked();
  await desk.operators.add('looks@kaveri.example', 'read-only');
  const stranger = await assign(tokenOf(asha), threadId, 'stranger@kaveri.example');
  expect(stranger).toMatchObject({ status: 404, body: { message: /is not an operator/ } });
  const reader = await assign(tokenOf(asha), threadId, 'looks@kaveri.example');
  expect(reader).toMatchObject({ status: 409, body: { message: /may not reply/ } });
  expect(await read(threadId)).toMatchObject({ assignedTo: null });
});

test('the threads of an operator who is removed are nobody’s in the same transaction, and get no removed one', async () => {
  const leaving = 'leaving@kaveri.example';
  await desk.operators.add(leaving, 'support');
  const { threadId } = await desk.asked();
  await assign(tokenOf(asha), threadId, leaving);
  const { id } = await desk.portal.db
    .selectFrom('operators')
    .select('id')
    .where('email', '=', leaving)
    .executeTakeFirstOrThrow();
  await actAsOperator(desk.portal, 'owner', 'removeOperator', { email: leaving }, cause);
  expect(await read(threadId)).toMatchObject({ assignedTo: null });
  const set = sql`update support_threads set assigned_to = ${id} where id = ${threadId}`.execute(desk.portal.db);
  await expect(set).rejects.toThrow('is not an operator');
});

test('of two operators who answer at once one is told of the newer message, and nothing is sent twice', async () => {
  const { threadId, token, thread } = await desk.asked();
  const firstId = thread.messages[0]?.id ?? '';
  const reply = (email: string, message: string, lastMessageId: string) =>
    desk.operators.act(tokenOf(email), 'replyToThread', { threadId, message, lastMessageId });
  const replies = await Promise.all([reply(asha, 'With q.', firstId), reply(ravi, 'With name.', firstId)]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'refused', message: /newer message/ });
  const { messages } = await read(threadId);
  expect(messages).toHaveLength(2);
  // Having read it, the other one sends.
  const last = messages.at(-1)?.id ?? '';
  expect((await reply(ravi, 'Or with name.', last)).status).toBe(200);
  await desk.ask(replyToSupport, { params: { threadId }, body: { message: 'Thank you' } }, token);
  const close = await desk.operators.act(tokenOf(asha), 'closeThread', { threadId, lastMessageId: last });
  expect(close).toMatchObject({ status: 409, body: { message: /newer message/ } });
  expect(await read(threadId)).toMatchObject({ status: 'OPEN' });
});
