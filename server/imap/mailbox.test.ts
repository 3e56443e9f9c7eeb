import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startMailbox } from '#ship/standins/mailbox/mailbox.ts';
import { readMailbox, verifyMailbox } from './mailbox.ts';
import { parseMail } from './parse-mail.ts';

async function openMailbox() {
  const mailbox = await startMailbox({ user: 'replies', password: 'p@ss/word' });
  onTestFinished(() => mailbox.close());
  return mailbox;
}

const verifying = (url: string) => verifyMailbox(url, 5000);
const reading = (url: string) =>
  readMailbox(url, 'support@kaveri.example.in', {
    expects: async () => true,
    take: async () => 'taken',
    onUnreadable: () => undefined,
  });

test('a refusal has the reason of the server, for a look and for a round', async () => {
  const { url } = await openMailbox();
  await verifying(url);
  for (const open of [verifying, reading]) {
    await expect(open(url.replace('p%40ss', 'wrong'))).rejects.toThrow('Invalid user or password');
    await expect(open(url.replace('INBOX', 'Gone'))).rejects.toThrow("Mailbox doesn't exist: Gone");
  }
});

test('a server that says nothing after the login ends a look in the time that it was given', async () => {
  const mailbox = await openMailbox();
  mailbox.hangAfterLogin();
  await expect(verifyMailbox(mailbox.url, 300)).rejects.toThrow('no whole response within 0.3 s');
});

test('a server that sends line after line without end does not hold a look up', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('* OK ready\r\n');
    const dripping = setInterval(() => socket.write('* OK a moment, please\r\n'), 50);
    socket.on('close', () => clearInterval(dripping));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await expect(verifyMailbox(`imap://a:b@127.0.0.1:${port}/INBOX`, 500)).rejects.toThrow(
    'no whole response within 0.5 s',
  );
});

const mailOf = (name: string, body: string, type = 'text/plain') =>
  `From: asha@example.com\r\nTo: Support <support+${name}@kaveri.example.in>\r\nSubject: Re\r\nContent-Type: ${type}\r\n\r\n${body}`;
const hostile = mailOf('hostile', '<div><a href="http://x.example">y</a></div>'.repeat(24_000), 'text/html');

async function readAll(
  mails: string[],
  more: { parseMs?: number; expects?: (headers: string) => Promise<boolean> } = {},
) {
  const mailbox = await openMailbox();
  for (const mail of mails) mailbox.deliver(mail);
  const taken: string[] = [];
  const unreadable: string[] = [];
  await readMailbox(mailbox.url, 'support@kaveri.example.in', {
    expects: async () => true,
    take: async ({ to }) => {
      taken.push(...to);
      return 'taken';
    },
    onUnreadable: (error) => void unreadable.push(String(error)),
    ...more,
  });
  return { taken, unreadable, left: mailbox.mails().map(({ flags }) => [...flags]) };
}

test('a megabyte of HTML is read beside other work, not instead of it', async () => {
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 5);
  const { text } = await parseMail(Buffer.from(hostile), 120_000);
  clearInterval(turning);
  expect(text.length).toBeGreaterThan(24_000);
  expect(turns).toBeGreaterThan(50);
});

test('a mail that takes too long to read is refused and kept for people', async () => {
  const { taken, unreadable, left } = await readAll([hostile], { parseMs: 1 });
  expect(taken).toEqual([]);
  expect(unreadable).toEqual(['Error: it took longer than 1 ms']);
  expect(left).toEqual([['\\Seen', '\\Flagged']]);
});

test('of a mail that is not expected only its addresses are read', async () => {
  const { taken, unreadable, left } = await readAll([hostile, mailOf('known', 'Thank you')], {
    expects: async (headers) => headers.includes('+known@') && !headers.includes('Subject'),
    parseMs: 60_000,
  });
  expect(taken).toEqual(['support+known@kaveri.example.in']);
  expect(unreadable).toEqual([]);
  expect(left).toEqual([['\\Seen', '\\Flagged']]);
});

test('mails of strangers, however many, delay no mail that is expected; fifty of those are taken in a round', async () => {
  const strangers = Array.from({ length: 120 }, (_, index) => mailOf(`guess${index}`, 'Buy now'));
  const expected = Array.from({ length: 52 }, (_, index) => mailOf(`known${index}`, 'Thank you'));
  const { taken, left } = await readAll([...strangers, ...expected], {
    expects: async (headers) => headers.includes('+known'),
  });
  expect(taken).toEqual(Array.from({ length: 50 }, (_, index) => `support+known${index}@kaveri.example.in`));
  expect(left).toEqual([...strangers.map(() => ['\\Seen', '\\Flagged']), [], []]);
});
