import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drainConnections } from './drain-connections.ts';

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

const close = async (longestMs: number): Promise<void> => {
  drainConnections(server, longestMs);
  await new Promise((resolve) => server.close(resolve));
};

test('a running request finishes, and its keep-alive connection does not delay closing the server', async () => {
  const call = new Promise<IncomingMessage>((resolve) => get(url, { agent }, resolve));
  await vi.waitUntil(() => begun.mock.calls.length === 1);
  const closed = close(30_000);
  answer();
  expect(await text(await call)).toBe('done');
  await closed;
});

test('a connection without any request is closed after the deadline', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  await close(200);
  if (!socket.closed) await once(socket, 'close');
  expect(socket.closed).toBe(true);
});
