import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginClose, type Closing } from './close-server.ts';

let server: Server;
let url: string;
const agent = new Agent({ keepAlive: true });
const begun = vi.fn<() => void>();
let answer = (): void => {};

beforeEach(async () => {
  begun.mockClear();
  server = createServer((_req, res) => {
    begun();
    answer = () => void res.end('done');
  });
  // Longer than the test may take, as in a real portal.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(() => agent.destroy());

const ok = (path: string, options: { agent?: Agent }): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${url}${path}`, options, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

const close = async (closing?: Closing): Promise<void> => {
  await beginClose(server, closing);
  await new Promise((resolve) => server.close(resolve));
};

test('a running request finishes, and its keep-alive connection does not delay closing the server', async () => {
  const call = new Promise<IncomingMessage>((resolve) => get(url, { agent }, resolve));
  await vi.waitUntil(() => begun.mock.calls.length === 1, { timeout: 60_000 });
  const closed = close({ longestMs: 30_000 });
  answer();
  expect(await text(await call)).toBe('done');
  await closed;
});

test('a connection without any request is closed after the deadline', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  await close({ longestMs: 200 });
  if (!socket.closed) await once(socket, 'close');
  expect(socket.closed).toBe(true);
});

test('connections that wait to be accepted when the server closes are served', async () => {
  server.removeAllListeners('request');
  server.on('request', (_req, res) => void res.setHeader('connection', 'close').end('served'));
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    return socket;
  });
  const received = sockets.map((socket) => text(socket));
  // This loop has not looked at the listening socket since the kernel took these connections.
  const closed = close();
  for (const response of await Promise.all(received)) expect(response).toContain('served');
  await closed;
});

test('behind a proxy an idle connection is still served for a time, and no new one is accepted', async () => {
  server.removeAllListeners('request');
  server.on(
    'request',
    (req, res) => void res.setHeader('connection', req.url === '/last' ? 'close' : 'keep-alive').end(),
  );
  await ok('/', { agent });
  const closed = close({ keepIdleMs: 60_000 });
  await vi.waitUntil(() => !server.listening, { timeout: 60_000 });
  await expect(ok('/', {})).rejects.toThrow('ECONNREFUSED');
  await ok('/', { agent });
  await ok('/last', { agent });
  await closed;
});
