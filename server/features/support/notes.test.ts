import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { readDataExport } from '#shared/contract/privacy.ts';
import { createSupportThread, readSupportThread } from '#shared/contract/support.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
let support: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  support = await operators.signedIn('asha@kaveri.example', 'support');
});
afterAll(() => world.close());

async function asked() {
  const token = await world.newCustomer();
  const body = { subject: 'It fails', message: 'Hello', activationId: null };
  const { id: threadId } = await world.ask(createSupportThread, { body }, token);
  return { token, threadId, customerId: (await world.ask(readAccount, {}, token)).user.id };
}

test('notes of a thread and of a customer are for operators: no thread, mail or audit log of the customer has their text', async () => {
  const { token, threadId, customerId } = await asked();
  for (const of of [threadId, customerId])
    expect((await operators.act(support, 'addNote', { of, note: 'Pays late' })).status).toBe(200);
  const { body } = await operators.read(support, 'listNotes', { customerId });
  expect(body).toMatchObject({
    notes: [
      { threadId: null, note: 'Pays late', writtenBy: 'asha@kaveri.example' },
      { threadId, note: 'Pays late' },
    ],
  });
  expect(JSON.stringify(await world.ask(readSupportThread, { params: { threadId } }, token))).not.toContain('Pays');
  const { db } = world.portal;
  expect(JSON.stringify(await db.selectFrom('mails').selectAll().execute())).not.toContain('Pays');
  expect(JSON.stringify(await listActions(db, { limit: 10 }))).not.toContain('Pays');
  expect(await listActions(db, { limit: 10, customerId })).toEqual([]);
});

test('an export says of each note that it is there, and not what operators told each other', async () => {
  const { token, threadId } = await asked();
  await operators.act(support, 'addNote', { of: threadId, note: 'Pays late' });
  const { downloadUrl } = await world.ask(readDataExport, {}, token);
  const files = unzipSync(new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer()));
  const notes = strFromU8(files['data/support/support_notes.json'] ?? new Uint8Array());
  expect(JSON.parse(notes)).toMatchObject([{ thread_id: threadId }]);
  expect(notes).not.toMatch(/Pays|asha/);
});

test('a note is removed, and never changed', async () => {
  const { customerId } = await asked();
  await operators.act(support, 'addNote', { of: customerId, note: 'Wrong' });
  const { id: noteId } = await world.portal.db
    .selectFrom('support_notes')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await expect(sql`update support_notes set note = 'Other'`.execute(world.owner.db)).rejects.toThrow('never changed');
  expect((await operators.act(support, 'removeNote', { noteId })).status).toBe(200);
  expect((await operators.read(support, 'listNotes', { customerId })).body).toEqual({ notes: [] });
});

test('a canned answer is made, changed and removed; one with an unknown variable is refused, by the database too', async () => {
  const made = await operators.act(support, 'createCannedAnswer', { title: 'Greeting', answer: 'Dear {{name}},' });
  expect(made.status).toBe(200);
  const listed = async () => {
    const { body } = await operators.read(support, 'listCannedAnswers', {});
    return body;
  };
  expect(await listed()).toMatchObject({ answers: [{ title: 'Greeting', answer: 'Dear {{name}},' }] });
  const { id: answerId } = await world.portal.db.selectFrom('canned_answers').select('id').executeTakeFirstOrThrow();
  const unknown = { title: 'Other', answer: 'Dear {{nmae}},' };
  for (const refused of [
    await operators.act(support, 'createCannedAnswer', unknown),
    await operators.act(support, 'changeCannedAnswer', { answerId, ...unknown }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { message: /\{\{nmae\}\} is no variable/ } });
  const planted = sql`update canned_answers set answer = ${unknown.answer}`.execute(world.owner.db);
  await expect(planted).rejects.toThrow('canned_answers_variables');
  const same = await operators.act(support, 'createCannedAnswer', { title: 'Greeting', answer: 'Hello' });
  expect(same).toMatchObject({ status: 409, body: { message: /has the title Greeting/ } });
  const changed = { answerId, title: 'Hello', answer: 'Hello {{name}}' };
  expect((await operators.act(support, 'changeCannedAnswer', changed)).status).toBe(200);
  expect(await listed()).toMatchObject({ answers: [{ title: 'Hello' }] });
  expect((await operators.act(support, 'removeCannedAnswer', { answerId })).status).toBe(200);
  expect(await listed()).toEqual({ answers: [] });
});

test('a reply with a variable that is not filled in is not sent', async () => {
  const { threadId } = await asked();
  const reply = await operators.act(support, 'replyToThread', { threadId, message: 'Dear {{name}},' });
  expect(reply).toMatchObject({ status: 409, body: { message: /still says \{\{name\}\}/ } });
});
