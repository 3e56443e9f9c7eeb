import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '#gateway/http/server.ts';
import { UnreadRequest } from './unread-request.ts';

let server: Server;
let socket: Socket;
let got = '';
let play: (req: UnreadRequest, res: ServerResponse) => void;
const read = (req: UnreadRequest): Buffer | null => req.read();

beforeEach(async () => {
  const options: object = { IncomingMessage: UnreadRequest };
  server = createServer(options, (req: IncomingMessage, res) => {
    if (req instanceof UnreadRequest) play(req, res);
  });
  socket = connect(Number(new URL(await listen(server, 0, '127.0.0.1')).port), '127.0.0.1');
  got = '';
  socket.setEncoding('latin1').on('data', (text: string) => void (got += text));
});
afterEach(async () => {
  socket.destroy();
  server.close();
  await once(server, 'close');
});

const send = (more = '', body = ''): void => void socket.write(`POST /a HTTP/1.1\r\nHost: a\r\n${more}\r\n${body}`);
const responses = (): number => got.split('HTTP/1.1 200').length - 1;

test('reads the rest of a body whose request got an early response, so that the next request is served', async () => {
  play = (_req, res) => res.end('done');
  send('Content-Length: 6\r\n', 'abc');
  await expect.poll(responses).toBe(1);
  socket.write('def');
  send();
  await expect.poll(responses).toBe(2);
});

test.each([
  ['an unread body', 'Content-Length: 3\r\n', 'abc'],
  ['an unread chunked body', 'Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n'],
  ['no body', '', ''],
])('serves many requests with %s on one connection', async (_what, field, body) => {
  play = (_req, res) => res.end('done');
  for (let call = 1; call <= 5; call += 1) {
    send(field, body);
    await expect.poll(responses).toBe(call);
  }
  for (let call = 0; call < 5; call += 1) send(field, body);
  await expect.poll(responses).toBe(10);
});

test.each([
  ['at once', 0],
  ['later', 30],
])('a body, even an empty one, can be read completely %s', async (_when, afterMs) => {
  const bodies: string[] = [];
  play = (req, res) => {
    const respond = async (): Promise<void> => {
      bodies.push(await text(req));
      res.end('done');
    };
    setTimeout(() => void respond(), afterMs);
  };
  for (const body of ['', 'abc', 'x'.repeat(100_000)]) {
    send(`Content-Length: ${body.length}\r\n`, body);
    await expect.poll(() => bodies.at(-1)).toBe(body);
    await expect.poll(responses).toBe(bodies.length);
  }
  send('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n');
  setTimeout(() => socket.write('3\r\ndef\r\n0\r\n\r\n'), 60);
  await expect.poll(() => bodies.at(-1)).toBe('abcdef');
});

test('a request can be read in pieces with readable events', async () => {
  const pieces: string[] = [];
  play = (req, res) => {
    req.on('readable', () => {
      for (let piece = read(req); piece !== null; piece = read(req)) pieces.push(piece.toString());
    });
    req.on('end', () => res.end(pieces.join('')));
  };
  send('Content-Length: 6\r\n', 'abc');
  await expect.poll(() => pieces).toEqual(['abc']);
  socket.write('def');
  await expect.poll(() => got).toContain('abcdef');
  send();
  await expect.poll(responses).toBe(2);
});
