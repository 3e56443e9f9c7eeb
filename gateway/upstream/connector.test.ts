import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '#gateway/http/server.ts';
import { connectorFor } from './connector.ts';

/** What the API does with a connection on which it was asked. */
let behave: (socket: Socket) => Promise<void> = () => Promise.resolve();
const connections = new Set<Socket>();
const api = createServer({ noDelay: true }, (socket) => {
  connections.add(socket);
  socket.on('error', () => {});
  socket.on('data', () => void behave(socket));
});

let pool: Pool;
beforeAll(async () => {
  const origin = new URL(await listen(api, 0, '127.0.0.1'));
  pool = new Pool(origin.origin, { connections: 1, connect: connectorFor(origin, 1000) });
});
afterAll(async () => {
  await pool.destroy();
  await once(api.close(), 'close');
});

/** Calls the API; each piece of its answer but the last is taken `restMs` after the one before. */
function call(restMs: number, method: 'GET' | 'POST' = 'GET'): Promise<string> {
  return new Promise((resolve) => {
    let body = '';
    let resume: (() => void) | undefined;
    pool.dispatch(
      { method, path: '/' },
      {
        onConnect: () => {},
        onHeaders: (_status, _head, goOn) => {
          resume = goOn;
          return true;
        },
        onData: (chunk) => {
          body += chunk.toString('latin1');
          // undici says it again without more when it goes on.
          if (restMs === 0 || chunk.length === 0) return true;
          setTimeout(() => resume?.(), restMs);
          return false;
        },
        onComplete: () => resolve(body),
        onError: (error) => resolve(`${body}, then ${error.name}`),
      },
    );
  });
}

const untilEnd = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n';
const ofTen = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n';
const chunked = 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Sends the head and then the pieces one by one. */
async function send(socket: Socket, head: string, pieces: readonly string[]): Promise<void> {
  socket.write(head);
  for (const piece of pieces) {
    await sleep(10);
    socket.write(piece);
  }
  await sleep(10);
}

const callers = [
  ['at once', 0],
  ['slowly', 40],
] as const;

test.each(
  callers.flatMap(([how, restMs]) => [
    { how, restMs, answer: 'that ends with its connection', head: untilEnd, pieces: ['hello'], got: /^hello$/ },
    { how, restMs, answer: 'in pieces', head: untilEnd, pieces: ['he', 'l', 'lo', '!'], got: /^hello!$/ },
    { how, restMs, answer: 'in chunks', head: chunked, pieces: ['5\r\nhello\r\n', '0\r\n\r\n'], got: /^hello$/ },
    { how, restMs, answer: 'of its length', head: ofTen, pieces: ['hello', 'world'], got: /^helloworld$/ },
    { how, restMs, answer: 'too short', head: ofTen, pieces: ['hello'], got: /^hello, then .*Error/ },
    {
      how,
      restMs,
      answer: 'without its last chunk',
      head: chunked,
      pieces: ['5\r\nhello\r\n'],
      got: /^hello, then .*Error/,
    },
  ]),
)('of an API that ends its connection, an answer $answer is right for who reads $how', async (given) => {
  behave = async (socket) => {
    await send(socket, given.head, given.pieces);
    socket.end();
  };
  expect(await call(given.restMs)).toMatch(given.got);
});

test.each(callers)('an answer whose connection is reset is no whole one, for who reads %s', async (_how, restMs) => {
  behave = async (socket) => {
    await send(socket, untilEnd, ['hello']);
    socket.resetAndDestroy();
  };
  expect(await call(restMs)).toBe('hello, then SocketError');
});

test('a connection that an API closed while nobody called is not called on', async () => {
  behave = (socket) => send(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', ['{}']);
  expect(await call(0, 'POST')).toBe('{}');
  connections.forEach((socket) => socket.end());
  await sleep(50);
  expect(await call(0, 'POST')).toBe('{}');
});

test('of pieces that wait for a slow reader, none keeps more than itself from being freed', async () => {
  const kept: Buffer[] = [];
  behave = async (socket) => {
    await send(socket, untilEnd, ['hello', 'world', 'again']);
    socket.end();
  };
  await new Promise<void>((resolve, reject) => {
    pool.dispatch(
      { method: 'GET', path: '/' },
      {
        onConnect: () => {},
        onHeaders: () => true,
        onData: (chunk) => kept.push(chunk) > 0,
        onComplete: () => resolve(),
        onError: reject,
      },
    );
  });
  expect(kept.map((piece) => piece.toString())).toEqual(['hello', 'world', 'again']);
  expect(kept.map((piece) => piece.buffer.byteLength)).toEqual([5, 5, 5]);
});
