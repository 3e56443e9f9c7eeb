import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDataExport } from '#shared/contract/privacy.ts';
import { readSupportThread } from '#shared/contract/support.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { startDesk } from './test-desk.ts';

let desk: Awaited<ReturnType<typeof startDesk>>;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

test('notes of a thread and of a customer are for operators: no thread, mail or audit log of the customer has their text', async () => {
  const { token, threadId, user } = await desk.asked();
  const customerId = user.id;
  for (const of of [threadId, customerId])
    expect((await desk.act('addNote', { of, note: 'Pays late' })).status).toBe(200);
  const { body } = await desk.read('listNotes', { customerId });
  expect(body).toMatchObject({
    notes: [
      { threadId: null, note: 'Pays late', writtenBy: 'asha@kaveri.example' },
      { threadId, note: 'Pays late' },
    ],
  });
  expect(JSON.stringify(await desk.ask(readSupportThread, { params: { threadId } }, token))).not.toContain('Pays');
  const { db } = desk.portal;
  expect(JSON.stringify(await db.selectFrom('mails').selectAll().execute())).not.toContain('Pays');
  expect(JSON.stringify(await listActions(db, { limit: 10 }))).not.toContain('Pays');
  expect(await listActions(db, { limit: 10, customerId })).toEqual([]);
});

test('an export says of each note that it is there, and not what operators told each other', async () => {
  const { token, threadId } = await desk.asked();
  await desk.act('addNote', { of: threadId, note: 'Pays late' });
  const { downloadUrl } = await desk.ask(readDataExport, {}, token);
  const files = unzipSync(new Uint8Array(await (await fetch(downloadUrl)).arrayBuffer()));
  const notes = strFromU8(files['data/support/support_notes.json'] ?? new Uint8Array());
  expect(JSON.parse(notes)).toMatchObject([{ thread_id: threadId }]);
  expect(notes).not.toMatch(/Pays|asha/);
});

test('a note is removed, and never changed', async () => {
  const { user } = await desk.asked();
  const customerId = user.id;
  await desk.act('addNote', { of: customerId, note: 'Wrong' });
  const { id: noteId } = await desk.portal.db
    .selectFrom('support_notes')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await expect(sql`update support_notes set note = 'Other'`.execute(desk.owner.db)).rejects.toThrow('never changed');
  expect((await desk.act('removeNote', { noteId })).status).toBe(200);
  expect((await desk.read('listNotes', { customerId })).body).toEqual({ notes: [] });
});

test('a canned answer is made, changed and removed; one with an unknown variable is refused, by the database too', async () => {
  const made = await desk.act('createCannedAnswer', { title: 'Greeting', answer: 'Dear {{name}},' });
  expect(made.status).toBe(200);
  const listed = async () => {
    const { body } = await desk.read('listCannedAnswers', {});
    return body;
  };
  expect(await listed()).toMatchObject({ answers: [{ title: 'Greeting', answer: 'Dear {{name}},' }] });
  const { id: answerId } = await desk.portal.db.selectFrom('canned_answers').select('id').executeTakeFirstOrThrow();
  const unknown = { title: 'Other', answer: 'Dear {{nmae}},' };
  for (const refused of [
    await desk.act('createCannedAnswer', unknown),
    await desk.act('changeCannedAnswer', { answerId, ...unknown }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { message: /\{\{nmae\}\} is no variable/ } });
  const planted = sql`update canned_answers set answer = ${unknown.answer}`.execute(desk.owner.db);
  await expect(planted).rejects.toThrow('canned_answers_variables');
  const same = await desk.act('createCannedAnswer', { title: 'Greeting', answer: 'Hello' });
  expect(same).toMatchObject({ status: 409, body: { message: /has the title Greeting/ } });
  const changed = { answerId, title: 'Hello', answer: 'Hello {{name}}' };
  expect((await desk.act('changeCannedAnswer', changed)).status).toBe(200);
  expect(await listed()).toMatchObject({ answers: [{ title: 'Hello' }] });
  expect((await desk.act('removeCannedAnswer', { answerId })).status).toBe(200);
  expect(await listed()).toEqual({ answers: [] });
});

test('a reply with a variable that is not filled in is not sent', async () => {
  const { threadId } = await desk.asked();
  const reply = await desk.act('replyToThread', { threadId, message: 'Dear {{name}},' });
  expect(reply).toMatchObject({ status: 409, body: { message: /still says \{\{name\}\}/ } });
});
