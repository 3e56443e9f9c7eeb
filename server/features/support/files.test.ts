import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSupportFile, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { maxBytesOfMessage } from '#shared/domain/support-file.ts';
import { newId } from '#server/crypto/ids.ts';
import { writeAgain } from './support.ts';
import { startDesk } from './test-desk.ts';

let desk: Awaited<ReturnType<typeof startDesk>>;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const file = (name: string, content: Buffer | string) => ({ name, content: Buffer.from(content).toString('base64') });
const page = file('../evil.html', '<script>alert(1)</script>');

test('files of a customer have safe names and the type of their content, and both sides get them as they were sent', async () => {
  const { token, threadId, thread } = await desk.asked([
    file('shot.pdf', png),
    page,
    file('calls.CSV', 'a,b\r\n1,2\r\n'),
  ]);
  const sent = thread.messages[0]?.files ?? [];
  expect(sent.map(({ name, type, bytes }) => [name, type, bytes])).toEqual([
    ['shot.pdf.png', 'image/png', png.length],
    ['-evil.html.txt', 'text/plain', 25],
    ['calls.CSV', 'text/plain', 10],
  ]);
  const fileId = sent[0]?.id ?? '';
  const got = await desk.ask(readSupportFile, { params: { threadId, fileId } }, token);
  expect(Buffer.from(got.content, 'base64').equals(png)).toBe(true);
  const forTeam = await desk.read('readThreadFile', { threadId, fileId });
  expect(forTeam).toMatchObject({ status: 200, body: { name: 'shot.pdf.png', content: got.content } });
  const [mail] = await desk.portal.db.selectFrom('mails').selectAll().where('thread_id', '=', threadId).execute();
  expect(mail?.body_text).toContain('3 files are attached');
});

test('the file of somebody else, or of another thread, is not found on either side', async () => {
  const one = await desk.asked([file('a.txt', 'a')]);
  const other = await desk.asked([file('b.txt', 'b')]);
  const fileId = other.thread.messages[0]?.files[0]?.id ?? '';
  for (const threadId of [one.threadId, other.threadId]) {
    const reply = await desk.send(readSupportFile, { params: { threadId, fileId } }, one.token);
    expect(reply.status).toBe(404);
  }
  const forTeam = await desk.read('readThreadFile', { threadId: one.threadId, fileId });
  expect(forTeam.status).toBe(404);
});

test('an operator attaches files; the customer gets them in the portal, and the mail says that they are there', async () => {
  const { token, user, threadId } = await desk.asked();
  const files = [file('guide.pdf', '%PDF-1.7 guide')];
  const reply = await desk.act('replyToThread', { threadId, message: 'See the guide', files });
  expect(reply.status).toBe(200);
  const { messages } = await desk.ask(readSupportThread, { params: { threadId } }, token);
  expect(messages[1]?.files).toMatchObject([{ name: 'guide.pdf', type: 'application/pdf' }]);
  const mails = await desk.portal.db.selectFrom('mails').selectAll().where('recipient', '=', user.email).execute();
  expect(mails.at(-1)?.body_text).toContain('1 file is attached: open the thread to save them');
  const program = [file('run.exe', Buffer.from([0x4d, 0x5a, 0]))];
  const refused = await desk.act('replyToThread', { threadId, message: 'Run this', files: program });
  expect(refused).toMatchObject({ status: 409, body: { message: /Files are PDF/ } });
});

test.each([
  ['a program', () => [file('run.txt', Buffer.from([0x4d, 0x5a, 0, 1]))], 'file_refused'],
  ['text that is no UTF-8', () => [file('a.txt', Buffer.from([0xff, 0xfe, 0x41]))], 'file_refused'],
  ['too many bytes', () => ['a', 'b'].map((name) => file(name, 'x'.repeat(maxBytesOfMessage / 2 + 1))), 'file_refused'],
])('%s is refused, and nothing is sent', async (_name, files, code) => {
  const { token, threadId } = await desk.asked();
  const params = { threadId };
  const body = { message: 'Here', files: files() };
  const reply = await desk.send(replyToSupport, { params, body }, token);
  expect(reply).toMatchObject({ status: 422, body: { code } });
  expect((await desk.ask(readSupportThread, { params }, token)).messages).toHaveLength(1);
});

test('a customer sends 50 MB at most, which the database holds too; replies of operators don’t count', async () => {
  const { token, user, threadId, thread } = await desk.asked([file('a.txt', 'a')]);
  const { db } = desk.owner;
  const messageId = thread.messages[0]?.id ?? '';
  const plant = (position: number, bytes: number) =>
    sql`insert into support_files select ${newId('SPF')}, customer_id, id, ${position}, 'x.txt', 'text/plain', ${bytes}, convert_to(repeat('x', ${bytes}), 'UTF8')
      from support_messages where id = ${messageId}`.execute(db);
  await expect(plant(2, maxBytesOfMessage)).rejects.toThrow('more files than 4 MB');
  await expect(plant(6, 1)).rejects.toThrow('position');
  await expect(sql`update support_files set name = 'y.txt'`.execute(db)).rejects.toThrow('never changed');
  await expect(sql`delete from support_files`.execute(db)).rejects.toThrow('deleted only with its customer');
  const params = { threadId };
  const whole = [file('x.txt', 'x'.repeat(maxBytesOfMessage))];
  for (let sent = 0; sent < 12; sent += 1)
    await writeAgain(desk.portal, { customerId: user.id }, threadId, { message: 'x', files: whole });
  const more = await desk.send(replyToSupport, { params, body: { message: 'x', files: whole } }, token);
  expect(more).toMatchObject({ status: 409, body: { code: 'too_many_files' } });
  const reply = await desk.act('replyToThread', { threadId, message: 'Enough', files: whole });
  expect(reply.status).toBe(200);
  // Both sides' files together are more than 50 MB by now.
  const small = { message: 'One more', files: [file('b.txt', 'b')] };
  expect((await desk.send(replyToSupport, { params, body: small }, token)).status).toBe(200);
});
