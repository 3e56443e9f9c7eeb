import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '#gateway/http/server.ts';
import { createConnector } from './connector.ts';

/** What the API does when it receives a request. */
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
  pool = new Pool(origin.origin, { connections: 1, connect: createConnector(origin, 1000) });
});
afterAll(async () => {
  await pool.destroy();
  await once(api.close(), 'close');
});

/** Calls the API. After each chunk of the response, pauses reading for `pauseMs`. */
function call(pauseMs: number, method: 'GET' | 'POST' = 'GET'): Promise<string> {
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
          // undici calls this again with an empty chunk when it resumes.
          if (pauseMs === 0 || chunk.length === 0) return true;
          setTimeout(() => resume?.(), pauseMs);
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
  ['without pauses', 0],
  ['slowly', 40],
] as const;

test.each(
  callers.flatMap(([how, pauseMs]) => [
    { how, pauseMs, response: 'that ends with the connection', head: untilEnd, pieces: ['hello'], got: /^hello$/ },
    { how, pauseMs, response: 'in pieces', head: untilEnd, pieces: ['he', 'l', 'lo', '!'], got: /^hello!$/ },
    {
      how,
      pauseMs,
      response: 'in chunked encoding',
      head: chunked,
      pieces: ['5\r\nhello\r\n', '0\r\n\r\n'],
      got: /^hello$/,
    },
    { how, pauseMs, response: 'with Content-Length', head: ofTen, pieces: ['hello', 'world'], got: /^helloworld$/ },
    { how, pauseMs, response: 'that is too short', head: ofTen, pieces: ['hello'], got: /^hello, then .*Error/ },
    {
      how,
      pauseMs,
      response: 'without its last chunk',
      head: chunked,
      pieces: ['5\r\nhello\r\n'],
      got: /^hello, then .*Error/,
    },
  ]),
)(
  'reads a response $response correctly from an API that closes the connection, when the caller reads $how',
  async (given) => {
    behave = async (socket) => {
      await send(socket, given.head, given.pieces);
      socket.end();
    };
    expect(await call(given.pauseMs)).toMatch(given.got);
  },
);

test.each(callers)('reports an error when the connection is reset and the caller reads %s', async (_how, pauseMs) => {
  behave = async (socket) => {
    await send(socket, untilEnd, ['hello']);
    socket.resetAndDestroy();
  };
  expect(await call(pauseMs)).toBe('hello, then SocketError');
});

test('does not reuse an idle connection that the API has closed', async () => {
  behave = (socket) => send(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', ['{}']);
  expect(await call(0, 'POST')).toBe('{}');
  await Promise.all([...connections].filter(({ closed }) => !closed).map((socket) => once(socket.end(), 'close')));
  expect(await call(0, 'POST')).toBe('{}');
});

test('chunks buffered for a slow reader have memory of exactly their size', async () => {
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
  // Pieces may arrive together.
  expect(Buffer.concat(kept).toString()).toBe('helloworldagain');
  expect(kept.map((chunk) => chunk.buffer.byteLength)).toEqual(kept.map((chunk) => chunk.length));
});
