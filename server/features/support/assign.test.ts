import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSupportThread, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
const asha = 'asha@kaveri.example';
const ravi = 'ravi@kaveri.example';
const cause = { actor: 'root', reason: 'A test' };
const tokens = new Map<string, string>();
const tokenOf = (email: string) => tokens.get(email) ?? '';

beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  for (const email of [asha, ravi]) tokens.set(email, await operators.signedIn(email, 'support'));
});
afterAll(() => world.close());

async function asked(subject = 'A question') {
  const customer = await world.newCustomer();
  const body = { subject, message: 'How do I search?', activationId: null };
  const { id, messages } = await world.ask(createSupportThread, { body }, customer);
  return { threadId: id, customer, firstId: messages[0]?.id ?? '' };
}

const read = (threadId: string) => readAsOperator(world.portal, 'owner', 'readThread', { threadId });
const assign = (token: string, threadId: string, email: string | null) =>
  operators.act(token, 'assignThread', { threadId, email });

test('a thread is assigned, listed as somebody’s, and is nobody’s again; its customer does not see it', async () => {
  const { threadId, customer } = await asked();
  const listed = async (assignedTo: string | null) => {
    const { threads } = await readAsOperator(world.portal, 'owner', 'listThreads', { assignedTo, limit: 1000 });
    return threads.map(({ id }) => id).includes(threadId);
  };
  expect(await listed(null)).toBe(true);
  expect(await assign(tokenOf(asha), threadId, asha)).toMatchObject({ status: 200, body: { before: null } });
  expect(await read(threadId)).toMatchObject({ assignedTo: asha });
  expect([await listed(null), await listed(asha), await listed(ravi)]).toEqual([false, true, false]);
  const again = await assign(tokenOf(ravi), threadId, asha);
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_change' } });
  const seen = await world.ask(readSupportThread, { params: { threadId } }, customer);
  expect(JSON.stringify(seen)).not.toContain('asha');
  expect(await assign(tokenOf(ravi), threadId, null)).toMatchObject({ status: 200, body: { before: asha } });
  expect(await listed(null)).toBe(true);
});

test('a thread is assigned to nobody who is not an operator, or may not reply', async () => {
  const { threadId } = await asked();
  await operators.add('looks@kaveri.example', 'read-only');
  const stranger = await assign(tokenOf(asha), threadId, 'stranger@kaveri.example');
  expect(stranger).toMatchObject({ status: 404, body: { message: /is not an operator/ } });
  const reader = await assign(tokenOf(asha), threadId, 'looks@kaveri.example');
  expect(reader).toMatchObject({ status: 409, body: { message: /may not reply/ } });
  expect(await read(threadId)).toMatchObject({ assignedTo: null });
});

test('the threads of an operator who is removed are nobody’s in the same transaction, and get no removed one', async () => {
  const leaving = 'leaving@kaveri.example';
  await operators.add(leaving, 'support');
  const { threadId } = await asked();
  await assign(tokenOf(asha), threadId, leaving);
  const { id } = await world.portal.db
    .selectFrom('operators')
    .select('id')
    .where('email', '=', leaving)
    .executeTakeFirstOrThrow();
  await actAsOperator(world.portal, 'owner', 'removeOperator', { email: leaving }, cause);
  expect(await read(threadId)).toMatchObject({ assignedTo: null });
  const set = sql`update support_threads set assigned_to = ${id} where id = ${threadId}`.execute(world.portal.db);
  await expect(set).rejects.toThrow('is not an operator');
});

test('of two operators who answer at once one is told of the newer message, and nothing is sent twice', async () => {
  const { threadId, customer, firstId } = await asked();
  const reply = (email: string, message: string, lastMessageId: string) =>
    operators.act(tokenOf(email), 'replyToThread', { threadId, message, lastMessageId });
  const replies = await Promise.all([reply(asha, 'With q.', firstId), reply(ravi, 'With name.', firstId)]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const refused = replies.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'refused', message: /newer message/ });
  const { messages } = await read(threadId);
  expect(messages).toHaveLength(2);
  // Having read it, the other one sends.
  const last = messages.at(-1)?.id ?? '';
  expect((await reply(ravi, 'Or with name.', last)).status).toBe(200);
  await world.ask(replyToSupport, { params: { threadId }, body: { message: 'Thank you' } }, customer);
  const close = await operators.act(tokenOf(asha), 'closeThread', { threadId, lastMessageId: last });
  expect(close).toMatchObject({ status: 409, body: { message: /newer message/ } });
  expect(await read(threadId)).toMatchObject({ status: 'OPEN' });
});
