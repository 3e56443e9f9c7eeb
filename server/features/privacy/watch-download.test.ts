import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { readDataExport } from '#shared/contract/privacy.ts';
import { refusals } from '#shared/contract/refusals.ts';
import { isToBegin } from '#shared/platform/pipelining.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { spooled } from './spool.ts';
import { type DownloadLimits, watchDownload } from '#server/http/watch-download.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

/** More than the buffers of both ends of a connection hold, so that an unread download stays open. */
const largeBytes = 16_000_000;
const large = randomBytes(largeBytes);

/** Asks for a URL, reads the first bytes of the response, and then nothing more until the connection is resumed. `times`: in one piece. */
async function standStill(url: string, times = 1): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(times));
  await once(socket, 'readable');
  const head: unknown = socket.read(16);
  expect(String(head)).toContain('200');
  return socket;
}

/** A server of one file, which is watched; with the content of each response. */
async function startDownloads(limits: DownloadLimits) {
  const files: Readable[] = [];
  const send = async (response: ServerResponse) => {
    const { content } = await spooled(Readable.from([large]));
    files.push(content);
    void watchDownload(content, response, limits);
    content.pipe(response);
  };
  const server = createServer((request, response) => void (isToBegin(request, response) && send(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/`, files };
}

const minutes = 60_000;
const closed = (files: readonly Readable[]) => files.map((file) => file.closed);

test('a download that its caller does not read is ended, and its file is closed', async () => {
  const { url, files } = await startDownloads({ idleMs: 100, longestMs: 5 * minutes });
  await standStill(url);
  await expect.poll(() => closed(files)).toEqual([true]);
});

test('a download that takes too long is ended', async () => {
  const { url, files } = await startDownloads({ idleMs: 5 * minutes, longestMs: 100 });
  await standStill(url);
  await expect.poll(() => closed(files)).toEqual([true]);
});

test.each([
  ['its caller hangs up', 5 * minutes, (socket: Socket) => void socket.destroy()],
  ['it takes too long', 100, () => undefined],
])('a download that waits behind another one of its connection is ended when %s', async (_why, longestMs, then) => {
  const { url, files } = await startDownloads({ idleMs: 5 * minutes, longestMs });
  const socket = await standStill(url, 2);
  await expect.poll(() => files.length).toBe(2);
  then(socket);
  await expect.poll(() => closed(files)).toEqual([true, true]);
});

test('a download that is read is whole, and its file is closed', async () => {
  const { url, files } = await startDownloads({ idleMs: 5 * minutes, longestMs: 5 * minutes });
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(large)).toBe(true);
  await expect.poll(() => closed(files)).toEqual([true]);
});

test('the file of a download whose caller has hung up already is closed', async () => {
  const { content } = await spooled(Readable.from([large]));
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.destroy();
  expect(() => watchDownload(content, response, { idleMs: minutes, longestMs: minutes })).toThrow(
    refusals.unavailable.message,
  );
  await expect.poll(() => closed([content])).toEqual([true]);
});

test('while a customer’s export is being downloaded, the next one waits and is then whole; more than four are refused', async () => {
  const { db } = portal.portal;
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  const made = { dedupe_key: `large:${user.id}`, customer_id: user.id };
  await db
    .insertInto('event_keys')
    .values({ ...made, happened_at: new Date() })
    .execute();
  const mail = {
    ...made,
    id: 'MSG-LARGE0000001',
    recipient: user.email,
    subject: 'Large',
    body_text: large.toString('base64'),
    body_html: '',
    created_at: new Date(),
    sent_at: new Date(),
  };
  await db.insertInto('mails').values(mail).execute();
  const linkOf = async (of: string) => (await portal.ask(readDataExport, {}, of)).downloadUrl;
  const link = await linkOf(token);
  const unread = await standStill(link);
  let refused = 0;
  const hangUp = new AbortController();
  const download = async (signal: AbortSignal | null) => {
    const response = await fetch(link, { signal });
    if (response.status === 429) refused += 1;
    return { status: response.status, file: new Uint8Array(await response.arrayBuffer()) };
  };
  const next = download(null);
  const others = Promise.allSettled(Array.from({ length: 14 }, () => download(hangUp.signal)));
  await expect.poll(() => refused).toBe(11);
  expect((await fetch(await linkOf(await portal.newCustomer()))).status).toBe(200);
  expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits');
  hangUp.abort();
  await others;
  unread.destroy();
  const { status, file } = await next;
  expect(status).toBe(200);
  expect(Object.keys(unzipSync(file))).toContain('data/mails/mails.json');
});
