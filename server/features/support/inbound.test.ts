import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { removeMember } from '#shared/contract/members.ts';
import { replyMarker } from '#shared/domain/mail-reply.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testMembers } from '#server/test/members.ts';
import { itemsOf } from '#server/rounds/test-items.ts';
import { takeMails } from './support.ts';
import { base, mail, startInbox, team } from './test-inbox.ts';

let inbox: Awaited<ReturnType<typeof startInbox>>;
beforeAll(async () => {
  inbox = await startInbox();
});
afterEach(() => inbox.mailbox.empty());
afterAll(() => inbox.close());

test('both sides answer by replying to the mail, in turn, and quoted text is cut', async () => {
  const { customerAddress, teamAddress, email, read, mails } = await inbox.asked();
  expect(customerAddress).not.toBe(teamAddress);
  const [sent] = await mails();
  expect(sent?.body_text.startsWith(`${replyMarker}\n\n`)).toBe(true);
  const quoted = (sent?.body_text ?? '').split('\n').map((line) => `> ${line}`);
  const text = ['Since 10 o’clock.', '', `On Mon, 23 Nov 2026 at 10:04, Octroi <${customerAddress}> wrote:`, ...quoted];
  const utf8 = 'Content-Type: text/plain; charset=utf-8';
  inbox.mailbox.deliver(mail(customerAddress, email.toUpperCase(), text.join('\r\n'), [utf8]));
  expect(await itemsOf(inbox.portal.portal.db, (items) => takeMails(inbox.portal.portal, items))).toHaveLength(1);
  await inbox.take();
  inbox.mailbox.deliver(mail(teamAddress, 'second@provider.example', `It is mended. Ask ${teamAddress} again.`));
  await inbox.take();
  const { messages, status } = await read();
  expect(messages.map(({ author, message }) => [author, message])).toEqual([
    ['CUSTOMER', 'They take 30 seconds.'],
    ['PROVIDER', 'Since when?'],
    ['CUSTOMER', 'Since 10 o’clock.'],
    // The address of the team stays with the team.
    ['PROVIDER', `It is mended. Ask ${base} again.`],
  ]);
  expect(status).toBe('ANSWERED');
  expect((await mails()).at(-1)).toMatchObject({ reply_to: customerAddress });
  expect((await mails()).map(({ body_text }) => body_text).join()).not.toContain(teamAddress);
  const [action] = await listActions(inbox.portal.portal.db, { limit: 1 });
  expect(action).toMatchObject({
    actor: 'second@provider.example',
    action: 'support.reply',
    effect: { channel: 'MAIL' },
  });
  expect(inbox.mailbox.mails()).toEqual([]);
});

test('an operator who may reply answers from the own address, until the operator is removed', async () => {
  const { teamAddress, read } = await inbox.asked();
  const cause = { actor: 'root', reason: 'A test' };
  const email = 'meera@kaveri.example';
  const reads = 'looks@kaveri.example';
  await actAsOperator(inbox.portal.portal, 'owner', 'addOperator', { email, role: 'support' }, cause);
  await actAsOperator(inbox.portal.portal, 'owner', 'addOperator', { email: reads, role: 'read-only' }, cause);
  for (const from of [email, reads]) inbox.mailbox.deliver(mail(teamAddress, from, `From ${from}`));
  await inbox.take();
  await actAsOperator(inbox.portal.portal, 'owner', 'removeOperator', { email }, cause);
  inbox.mailbox.deliver(mail(teamAddress, email, 'Once more'));
  await inbox.take();
  expect((await read()).messages.slice(2).map(({ message }) => message)).toEqual([`From ${email}`]);
});

test('a mail that is read twice is one message', async () => {
  const { customerAddress, email, read } = await inbox.asked();
  const raw = mail(customerAddress, email, 'Since 10 o’clock.');
  inbox.mailbox.deliver(raw);
  inbox.mailbox.deliver(raw);
  await Promise.all([inbox.take().catch(() => undefined), inbox.take().catch(() => undefined)]);
  inbox.mailbox.deliver(raw);
  await inbox.take();
  expect((await read()).messages).toHaveLength(3);
});

test('a forged address, the address of the other side or another thread, and another sender write nothing', async () => {
  const { customerAddress, teamAddress, email, read } = await inbox.asked();
  const other = await inbox.asked();
  const forged = customerAddress.replace(/\+[0-9a-f]+/, `+${'0'.repeat(32)}`);
  for (const raw of [
    mail(forged, email, 'forged'),
    mail(teamAddress, email, 'the customer as the team'),
    mail(customerAddress, team, 'the team as the customer'),
    mail(other.customerAddress, email, 'another thread'),
    mail(customerAddress, 'mallory@example.com', 'a stranger with the address'),
    mail(teamAddress, 'mallory@example.com', 'a stranger as the team'),
    mail(customerAddress, `${email}>, <mallory@example.com`, 'two senders'),
    mail(customerAddress, `"${email}" <mallory@example.com`, 'a name like an address'),
    mail(customerAddress, email, 'one sender for the mail server, another one for us', ['From: mallory@example.com']),
  ])
    inbox.mailbox.deliver(raw);
  await inbox.take();
  expect((await read()).messages).toHaveLength(2);
  expect((await other.read()).messages).toHaveLength(2);
  // They stay for people to look at, and are not read again.
  expect(inbox.mailbox.mails().map(({ flags }) => [...flags].toSorted())).toEqual(
    inbox.mailbox.mails().map(() => ['\\Flagged', '\\Seen']),
  );
  expect(inbox.mailbox.mails()).toHaveLength(9);
});

test('a refused mail is told to the side whose address it came to, once a day, and never to its sender', async () => {
  const { params, customerAddress, mails } = await inbox.asked();
  for (let count = 0; count < 3; count += 1)
    inbox.mailbox.deliver(mail(customerAddress, 'mallory@example.com', 'Hello'));
  await inbox.take();
  const told = (await mails()).filter(({ subject }) => subject === `Your mail to ${params.threadId} was not taken`);
  expect(told).toHaveLength(1);
  expect(told[0]?.body_text).toContain('mallory@example.com');
  expect(await inbox.mailsTo('mallory@example.com')).toEqual([]);
});

test.each([
  ['Auto-Submitted: auto-replied'],
  ['Precedence: auto_reply'],
  ['Content-Type: multipart/report; report-type=delivery-status; boundary=x'],
])('a mail of a program (%s) is not taken and not answered', async (header) => {
  const { customerAddress, email, read, mails } = await inbox.asked();
  const before = (await mails()).length;
  inbox.mailbox.deliver(mail(customerAddress, email, 'I am away until Monday.', [header]));
  await inbox.take();
  expect((await read()).messages).toHaveLength(2);
  expect(await mails()).toHaveLength(before);
});

test('a program that hides what it is stops after 20 mails in an hour', async () => {
  const { customerAddress, email, read } = await inbox.asked();
  for (let count = 0; count < 30; count += 1)
    inbox.mailbox.deliver(mail(customerAddress, email, `I am away. ${count}`));
  await inbox.take();
  expect((await read()).messages).toHaveLength(22);
});

test('a mail above the limit of a thread stays in the mailbox, and its customer is told why', async () => {
  const { params, customerAddress, email, read, mails } = await inbox.asked();
  inbox.mailbox.deliver(mail(customerAddress, email, 'Since today.'));
  await inbox.take();
  await sql`insert into support_messages (id, customer_id, thread_id, author, channel, message, created_at)
    select id || n, customer_id, thread_id, author, channel, message, created_at - interval '2 days'
    from support_messages, generate_series(1, 97) n
    where thread_id = ${params.threadId} and author = 'CUSTOMER' and channel = 'PORTAL'`.execute(
    inbox.portal.portal.db,
  );
  for (let count = 0; count < 3; count += 1)
    inbox.mailbox.deliver(mail(customerAddress, email, `Since ${count} o’clock.`));
  await inbox.take();
  expect((await read()).messages).toHaveLength(101);
  expect(inbox.mailbox.mails().map(({ flags }) => flags.has('\\Flagged'))).toEqual([true, true]);
  const told = (await mails()).filter(({ subject }) => subject === `Your mail to ${params.threadId} was not taken`);
  expect(told.map(({ body_text }) => body_text)).toEqual([expect.stringContaining('100 messages in this thread')]);
});

test('HTML becomes text without scripts, and neither nesting nor length stops the mailbox', async () => {
  const { customerAddress, email, read } = await inbox.asked();
  const html = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'];
  inbox.mailbox.deliver(mail(customerAddress, email, `${'<div>'.repeat(100_000)}deep`, html));
  inbox.mailbox.deliver(mail(customerAddress, email, 'x'.repeat(900_000)));
  inbox.mailbox.deliver(
    mail(customerAddress, email, '\u0000\u0001\u0002 \xff=?utf-8?Q?', ['Content-Type: text/plain; charset=nonsense']),
  );
  inbox.mailbox.deliver(
    mail(customerAddress, email, '<p>Since <b>10</b>.</p><script>alert(1)</script><style>p{}</style>', html),
  );
  await inbox.take();
  const { messages } = await read();
  expect(messages.at(-1)?.message).toBe('Since 10.');
  expect(JSON.stringify(messages)).not.toContain('alert');
});

test('mails that cannot be read are refused, and keep no others waiting', async () => {
  const { customerAddress, email, read } = await inbox.asked();
  const nested = Array.from(
    { length: 500 },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
  );
  for (let count = 0; count < 50; count += 1)
    inbox.mailbox.deliver(
      `From: mallory@example.com\r\nTo: ${base.replace('@', '+x@')}\r\n${nested.join('')}Content-Type: text/plain\r\n\r\n`,
    );
  inbox.mailbox.deliver(mail(customerAddress, email, 'Since 10 o’clock.'));
  await inbox.take();
  expect(inbox.mailbox.mails().filter(({ flags }) => flags.has('\\Flagged'))).toHaveLength(50);
  await inbox.take();
  expect((await read()).messages).toHaveLength(3);
});

test('mails that are not replies stay as they are', async () => {
  inbox.mailbox.deliver(mail(base, 'someone@example.com', 'A first mail to support'));
  inbox.mailbox.deliver(mail('other@provider.example', 'someone@example.com', 'Another mail'));
  await inbox.take();
  expect(inbox.mailbox.mails().map(({ flags }) => [...flags])).toEqual([[], []]);
});

test('a mailbox that refuses the password, or is not there, is an error', async () => {
  const { settings } = inbox.portal.portal;
  const { supportInbox } = settings;
  Object.assign(settings, { supportInbox: inbox.mailbox.url.replace('p%40ss', 'wrong') });
  await expect(inbox.take()).rejects.toThrow('Invalid user or password');
  Object.assign(settings, { supportInbox: 'imap://a:b@127.0.0.1:9/INBOX' });
  await expect(inbox.take()).rejects.toThrow('ECONNREFUSED');
  Object.assign(settings, { supportInbox });
});

test('a member who may write to support replies from the own address, until it is removed', async () => {
  const { customerAddress, read, owner } = await inbox.asked();
  const people = testMembers(inbox.portal);
  const { token } = await people.join(owner, 'desk.of.replies@gmail.com', 'developer');
  inbox.mailbox.deliver(mail(customerAddress, 'Desk.of.replies@gmail.com', 'Since Monday.'));
  await inbox.take();
  expect((await read()).messages.map(({ message }) => message)).toContain('Since Monday.');
  await inbox.portal.ask(removeMember, { params: { memberId: await people.memberOf(token) } }, owner);
  inbox.mailbox.deliver(mail(customerAddress, 'desk.of.replies@gmail.com', 'Still there?'));
  await inbox.take();
  expect((await read()).messages.map(({ message }) => message)).not.toContain('Still there?');
});
