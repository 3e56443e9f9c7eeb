import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startMailbox } from '#standins/mailbox/mailbox.ts';
import { readMailbox, verifyMailbox } from './mailbox.ts';

async function openMailbox() {
  const mailbox = await startMailbox({ user: 'replies', password: 'p@ss/word' });
  onTestFinished(() => mailbox.close());
  return mailbox;
}

const verifying = (url: string) => verifyMailbox(url, 5000);
const reading = (url: string) =>
  readMailbox(
    url,
    'support@kaveri.example.in',
    async () => 'taken',
    () => undefined,
  );

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
