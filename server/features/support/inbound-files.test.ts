import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readAsOperator } from '#server/operator-calls.ts';
import { mail, startInbox } from './test-inbox.ts';

let inbox: Awaited<ReturnType<typeof startInbox>>;
beforeAll(async () => {
  inbox = await startInbox();
});
afterEach(() => inbox.mailbox.empty());
afterAll(() => inbox.close());

/** A text, a program and a PDF. */
const parts = (size: number) =>
  [
    '--x\r\nContent-Type: text/plain\r\n\r\nSee the files.',
    ...[
      ['a.exe', 'TVoA'],
      ['b.pdf', 'JVBERi0x'],
    ].map(
      ([name, content]) =>
        `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}${'QUFB'.repeat(size)}`,
    ),
    '--x--',
  ].join('\r\n');

test('the files of a mail are taken as far as they are allowed, small enough and whole; both sides see how many were not', async () => {
  const { params, customerAddress, email, read } = await inbox.asked();
  const mixed = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'];
  inbox.mailbox.deliver(mail(customerAddress, email, parts(2), mixed));
  inbox.mailbox.deliver(mail(customerAddress, email, parts(2_000_000), mixed));
  await inbox.take();
  const { messages } = await read();
  expect(
    messages.slice(2).map(({ message, leftOut, files }) => [message, leftOut, files.map(({ name }) => name).join()]),
  ).toEqual([
    ['See the files.', 1, 'b.pdf'],
    ['See the files.', 1, ''],
  ]);
  const { messages: seen } = await readAsOperator(inbox.portal.portal, 'read-only', 'readThread', params);
  expect(seen.map(({ leftOut }) => leftOut)).toEqual([0, 0, 1, 1]);
  expect((await inbox.mailsTo(inbox.portal.portal.settings.supportEmail)).at(-1)?.body_text).toContain(
    '1 file of this mail was not',
  );
});

/** A text with six pictures in it, and an attached PDF. */
const signed = (attached: string) =>
  [
    '--x\r\nContent-Type: multipart/related; boundary=y\r\n',
    '--y\r\nContent-Type: text/plain\r\n\r\nSee the file.',
    ...Array.from(
      { length: 6 },
      (_, at) =>
        `--y\r\nContent-Type: image/png; name=icon${at}.png\r\nContent-ID: <${at}>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=`,
    ),
    '--y--',
    attached,
    '--x--',
  ].join('\r\n');

test('pictures of a signature crowd out no attached file', async () => {
  const { customerAddress, email, read } = await inbox.asked();
  const pdf =
    '--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=b.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0x';
  const mixed = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x'];
  inbox.mailbox.deliver(mail(customerAddress, email, signed(pdf), mixed));
  await inbox.take();
  const message = (await read()).messages.at(-1);
  expect(message?.files.map(({ name }) => name)).toEqual(expect.arrayContaining(['b.pdf']));
  expect(message).toMatchObject({ leftOut: 2 });
});

test('a mail with nothing but a file that is too large is refused, and says so', async () => {
  const { customerAddress, email, read, mails } = await inbox.asked();
  const photo = `--x\r\nContent-Type: image/jpeg\r\nContent-Disposition: attachment; filename=a.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUFB'.repeat(1_400_000)}\r\n--x--`;
  inbox.mailbox.deliver(
    mail(customerAddress, email, photo, ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x']),
  );
  await inbox.take();
  expect((await read()).messages).toHaveLength(2);
  expect((await mails()).at(-1)?.body_text).toContain('its files were larger than 4 MB');
});
