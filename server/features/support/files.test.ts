import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createSupportThread, readSupportFile, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { maxBytesOfMessage } from '#shared/domain/support-file.ts';
import { newId } from '#server/crypto/ids.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { writeAgain } from './support.ts';

let world: TestPortal;
let operators: TestOperators;
let support: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  support = await operators.signedIn('asha@kaveri.example', 'support');
});
afterAll(() => world.close());

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const file = (name: string, content: Buffer | string) => ({ name, content: Buffer.from(content).toString('base64') });
const page = file('../evil.html', '<script>alert(1)</script>');

async function asked(files: { name: string; content: string }[] = []) {
  const token = await world.newCustomer();
  const body = { subject: 'It fails', message: 'See the files', activationId: null, files };
  const thread = await world.ask(createSupportThread, { body }, token);
  return { token, threadId: thread.id, thread };
}

test('files of a customer have safe names and the type of their content, and both sides get them as they were sent', async () => {
  const { token, threadId, thread } = await asked([file('shot.pdf', png), page, file('calls.CSV', 'a,b\r\n1,2\r\n')]);
  const sent = thread.messages[0]?.files ?? [];
  expect(sent.map(({ name, type, bytes }) => [name, type, bytes])).toEqual([
    ['shot.pdf.png', 'image/png', png.length],
    ['-evil.html.txt', 'text/plain', 25],
    ['calls.CSV', 'text/plain', 10],
  ]);
  const fileId = sent[0]?.id ?? '';
  const got = await world.ask(readSupportFile, { params: { threadId, fileId } }, token);
  expect(Buffer.from(got.content, 'base64').equals(png)).toBe(true);
  const forTeam = await operators.read(support, 'readThreadFile', { threadId, fileId });
  expect(forTeam).toMatchObject({ status: 200, body: { name: 'shot.pdf.png', content: got.content } });
  const [mail] = await world.portal.db.selectFrom('mails').selectAll().where('thread_id', '=', threadId).execute();
  expect(mail?.body_text).toContain('3 files are attached');
});

test('the file of somebody else, or of another thread, is not found on either side', async () => {
  const one = await asked([file('a.txt', 'a')]);
  const other = await asked([file('b.txt', 'b')]);
  const fileId = other.thread.messages[0]?.files[0]?.id ?? '';
  for (const threadId of [one.threadId, other.threadId]) {
    const reply = await world.send(readSupportFile, { params: { threadId, fileId } }, one.token);
    expect(reply.status).toBe(404);
  }
  const forTeam = await operators.read(support, 'readThreadFile', { threadId: one.threadId, fileId });
  expect(forTeam.status).toBe(404);
});

test('an operator attaches files; the customer gets them in the portal, and the mail says that they are there', async () => {
  const { token, threadId } = await asked();
  const files = [file('guide.pdf', '%PDF-1.7 guide')];
  const reply = await operators.act(support, 'replyToThread', { threadId, message: 'See the guide', files });
  expect(reply.status).toBe(200);
  const { messages } = await world.ask(readSupportThread, { params: { threadId } }, token);
  expect(messages[1]?.files).toMatchObject([{ name: 'guide.pdf', type: 'application/pdf' }]);
  const { user } = await world.ask(readAccount, {}, token);
  const mails = await world.portal.db.selectFrom('mails').selectAll().where('recipient', '=', user.email).execute();
  expect(mails.at(-1)?.body_text).toContain('1 file is attached: open the thread to save them');
  const program = [file('run.exe', Buffer.from([0x4d, 0x5a, 0]))];
  const refused = await operators.act(support, 'replyToThread', { threadId, message: 'Run this', files: program });
  expect(refused).toMatchObject({ status: 409, body: { message: /Files are PDF/ } });
});

test.each([
  ['a program', () => [file('run.txt', Buffer.from([0x4d, 0x5a, 0, 1]))], 'file_refused'],
  ['text that is no UTF-8', () => [file('a.txt', Buffer.from([0xff, 0xfe, 0x41]))], 'file_refused'],
  ['too many bytes', () => ['a', 'b'].map((name) => file(name, 'x'.repeat(maxBytesOfMessage / 2 + 1))), 'file_refused'],
])('%s is refused, and nothing is sent', async (_name, files, code) => {
  const { token, threadId } = await asked();
  const params = { threadId };
  const body = { message: 'Here', files: files() };
  const reply = await world.send(replyToSupport, { params, body }, token);
  expect(reply).toMatchObject({ status: 422, body: { code } });
  expect((await world.ask(readSupportThread, { params }, token)).messages).toHaveLength(1);
});

test('a customer sends 50 MB at most, which the database holds too; replies of operators don’t count', async () => {
  const { token, threadId, thread } = await asked([file('a.txt', 'a')]);
  const { db } = world.owner;
  const messageId = thread.messages[0]?.id ?? '';
  const plant = (position: number, bytes: number) =>
    sql`insert into support_files select ${newId('SPF')}, customer_id, id, ${position}, 'x.txt', 'text/plain', ${bytes}, convert_to(repeat('x', ${bytes}), 'UTF8')
      from support_messages where id = ${messageId}`.execute(db);
  await expect(plant(2, maxBytesOfMessage)).rejects.toThrow('more files than 4 MB');
  await expect(plant(6, 1)).rejects.toThrow('position');
  await expect(sql`update support_files set name = 'y.txt'`.execute(db)).rejects.toThrow('never changed');
  await expect(sql`delete from support_files`.execute(db)).rejects.toThrow('deleted only with its customer');
  const { user } = await world.ask(readAccount, {}, token);
  const params = { threadId };
  const whole = [file('x.txt', 'x'.repeat(maxBytesOfMessage))];
  for (let sent = 0; sent < 12; sent += 1)
    await writeAgain(world.portal, { customerId: user.id }, threadId, { message: 'x', files: whole });
  const more = await world.send(replyToSupport, { params, body: { message: 'x', files: whole } }, token);
  expect(more).toMatchObject({ status: 409, body: { code: 'too_many_files' } });
  const reply = await operators.act(support, 'replyToThread', { threadId, message: 'Enough', files: whole });
  expect(reply.status).toBe(200);
});
