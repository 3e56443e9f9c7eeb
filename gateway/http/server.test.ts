import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRequestQueue } from './request-queue.ts';
import { closeServer, createGatewayServer, listen } from './server.ts';
import { WholeResponse } from './whole-response.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** A server with one connection, whose calls wait until the test responds. */
async function openServer() {
  const begun: ServerResponse[] = [];
  const queue = createRequestQueue({
    begin: (_req, res) => begun.push(res),
    lineOf: () => ({ known: true, caller: '' }),
    isShared: () => false,
    maxQueueAgeMs: 60_000,
  });
  let stopping = false;
  const server = createGatewayServer(queue, {
    maxBodyBytes: 1000,
    maxHeadBytes: 16_384,
    isStopping: () => stopping,
  });
  const url = await listen(server, 0, '127.0.0.1');
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk: string) => (received += chunk));
  undo.push(() => {
    socket.destroy();
    server.closeAllConnections();
    if (!stopping) server.close();
  });
  return {
    server,
    socket,
    begun,
    /** Sends bytes and returns the calls that began. */
    send: async (bytes: string, calls: number): Promise<ServerResponse[]> => {
      socket.write(bytes);
      await vi.waitUntil(() => begun.length === calls, { timeout: 60_000 });
      return begun.splice(0);
    },
    /** Reads responses, and returns what each says of the connection. */
    read: async (responses: number): Promise<(string | undefined)[]> => {
      const whole = () => received.split('\r\n\r\ndone').slice(0, -1);
      await vi.waitUntil(() => whole().length === responses, { timeout: 60_000 });
      const heads = whole();
      received = '';
      return heads.map((head) => /^connection: (\S+)/im.exec(head)?.[1]);
    },
    stop: async (): Promise<{ closed: Promise<void> }> => {
      stopping = true;
      // Nothing else may end the connection.
      const closed = closeServer(server, { keepIdleMs: 60_000, longestMs: 120_000 });
      await vi.waitUntil(() => !server.listening, { timeout: 60_000 });
      return { closed };
    },
    ended: once(socket, 'close'),
  };
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const ways: [string, (res: ServerResponse) => void][] = [
  ['in one write', (res) => res instanceof WholeResponse && res.sendWhole(200, [], 'done')],
  ['in parts', (res) => void res.writeHead(200, ['Content-Length', '4']).end('done')],
  ['without a written head', (res) => void res.end('done')],
];

describe.each(ways)('a server that stopped, responding %s', (_way, respond) => {
  test('ends the connection with the response of a call that began before', async () => {
    const { send, read, stop, ended } = await openServer();
    for (const res of await send(get, 1)) respond(res);
    expect(await read(1)).toEqual(['keep-alive']);
    const running = await send(get, 1);
    const { closed } = await stop();
    for (const res of running) respond(res);
    expect(await read(1)).toEqual(['close']);
    await ended;
    await closed;
  });

  test('responds to every call that it has read on a connection, in whatever order they end', async () => {
    const { send, read, stop, ended } = await openServer();
    const [first, second, third] = await send(get + get + get, 3);
    const { closed } = await stop();
    for (const res of [second, first, third]) if (res) respond(res);
    expect(await read(3)).toEqual(['keep-alive', 'keep-alive', 'close']);
    await ended;
    await closed;
  });

  test.each([
    ['Content-Length: 4', 'body'],
    ['Transfer-Encoding: chunked', '4\r\nbody\r\n0\r\n\r\n'],
  ])('does not end the connection of a caller who still sends a body (%s)', async (field, body) => {
    const { send, read, stop, ended } = await openServer();
    const running = await send(`POST / HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n`, 1);
    const { closed } = await stop();
    for (const res of running) respond(res);
    expect(await read(1)).toEqual(['keep-alive']);
    for (const res of await send(body + get, 1)) respond(res);
    expect(await read(1)).toEqual(['close']);
    await ended;
    await closed;
  });
});

test.each(ways)(
  'responds %s to the 33 first of many pipelined requests, begins no further one, and ends the connection',
  async (_way, respond) => {
    const { server, socket, begun, read, ended } = await openServer();
    let received = 0;
    server.on('request', () => (received += 1));
    socket.write(get.repeat(100));
    await vi.waitUntil(() => received > 33 && begun.length === 33, { timeout: 60_000 });
    socket.write(get.repeat(10_000));
    for (const res of begun.toReversed()) respond(res);
    const keepAlive = Array.from({ length: 32 }, () => 'keep-alive');
    expect(await read(33)).toEqual([...keepAlive, 'close']);
    await ended;
    expect(begun).toHaveLength(33);
  },
);

test('reads no further from a connection on which 32 responses wait', async () => {
  const { socket, begun } = await openServer();
  socket.write(get.repeat(100));
  await vi.waitUntil(() => begun.length === 33, { timeout: 60_000 });
  socket.write(get.repeat(200_000));
  const other = connect(socket.remotePort ?? 0, '127.0.0.1');
  undo.push(() => other.destroy());
  // Each takes at least one turn of the event loop, which reads up to 64 KB of a connection.
  for (let calls = 1; calls <= 30; calls += 1) {
    other.write(get);
    await vi.waitUntil(() => begun.length === 33 + calls, { timeout: 60_000, interval: 1 });
  }
  expect(begun[0]?.req.socket.bytesRead).toBeLessThan(200_000);
});

test('a client that never has more than 32 requests without a response keeps its connection', async () => {
  const { send, read } = await openServer();
  const running = await send(get.repeat(32), 32);
  for (let nth = 0; nth < 40; nth += 1) {
    running.shift()?.end('done');
    expect(await read(1)).toEqual(['keep-alive']);
    running.push(...(await send(get, 1)));
  }
});
