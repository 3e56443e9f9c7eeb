import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { createSupportThread, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

async function asked() {
  const token = await portal.newCustomer();
  const body = { subject: 'A question', message: 'How do I search?', activationId: null };
  const { id } = await portal.ask(createSupportThread, { body }, token);
  return { token, id, params: { threadId: id } };
}

test('a thread is listed, shown, answered and closed, and the customer hears of the reply', async () => {
  const { token, id, params } = await asked();
  expect(await run(['support', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${id}  OPEN`);
  const words = ['support', 'reply', id, 'With ?q=name.', '--actor', 'asha'];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(await run(words)).toBe(exitCodes.usage);
  expect((await portal.ask(readSupportThread, { params }, token)).messages).toHaveLength(1);
  terminal.out = '';
  expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ sent: true, thread: id, message: 'With ?q=name.' });

  const answered = await portal.ask(readSupportThread, { params }, token);
  expect(answered).toMatchObject({ status: 'ANSWERED', unread: 1 });
  expect(answered.messages[1]).toMatchObject({ author: 'PROVIDER', message: 'With ?q=name.' });
  expect(JSON.stringify(answered)).not.toContain('asha');
  const { user, unreadReplies } = await portal.ask(readAccount, {}, token);
  expect(unreadReplies).toBe(1);
  const mails = await portal.portal.db.selectFrom('mails').selectAll().where('recipient', '=', user.email).execute();
  expect(mails).toMatchObject([
    { subject: `Re: ${id}: A question`, body_text: expect.stringContaining(`/support/${id}`) },
  ]);
  const [action] = await listActions(portal.portal.db, { limit: 1 });
  expect(action).toMatchObject({ action: 'support.reply', target: id, actor: 'asha', customerId: user.id });
  expect(JSON.stringify(action)).not.toContain('q=name');

  terminal.out = '';
  expect(await run(['support', 'show', id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/asha, by command\n {2}With \?q=name\./);
  expect(await run(['support', 'close', id, '--reason', 'Solved', '--yes'])).toBe(exitCodes.done);
  for (const how of ['--yes', '--dry-run']) {
    terminal.errors = '';
    expect(await run(['support', 'close', id, '--reason', 'Solved', how])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain(`${id} is closed already`);
  }
  terminal.out = '';
  expect(await run(['support', 'list', '--status', 'CLOSED', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ threads: [{ id, status: 'CLOSED' }] });

  // Writing again opens it.
  await portal.ask(replyToSupport, { params, body: { message: 'And by city?' } }, token);
  terminal.out = '';
  expect(await run(['support', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${id}  OPEN`);
});

test('an unknown thread, an empty reply and one that is too long are refused with a message', async () => {
  expect(await run(['support', 'reply', 'SUP-NONE', 'Hello', '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no thread SUP-NONE');
  const { id } = await asked();
  expect(await run(['support', 'reply', id, '  ', '--yes'])).toBe(exitCodes.usage);
  expect(await run(['support', 'reply', id, 'x'.repeat(5001), '--yes'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('Write a message of 1 to 5000 characters.');
});
