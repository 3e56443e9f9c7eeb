import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createRequestQueue } from './request-queue.ts';
import { closeServer, createGatewayServer, listen } from './server.ts';
import { WholeResponse } from './whole-response.ts';

const ways: [string, (res: ServerResponse) => void][] = [
  ['in one write', (res) => res instanceof WholeResponse && res.sendWhole(200, [], 'done')],
  ['in parts', (res) => void res.writeHead(200, ['Content-Length', '4']).end('done')],
  ['without a written head', (res) => void res.end('done')],
];

test.each(ways.flatMap(([way, send]) => [false, true].map((held) => ({ way, send, held }))))(
  'a response $way ends its connection when the server stopped after the call began (in-process APIs: $held)',
  async ({ send, held }) => {
    const begun: ServerResponse[] = [];
    const queue = createRequestQueue({ begin: (_req, res) => begun.push(res), maxQueueAgeMs: 60_000 });
    const server = createGatewayServer(queue, held, 1000);
    const url = await listen(server, 0, '127.0.0.1');
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk: string) => (received += chunk));
    const beginCall = async (): Promise<void> => {
      received = '';
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await vi.waitUntil(() => begun.length > 0, { timeout: 60_000 });
    };
    const respond = async (): Promise<void> => {
      for (const res of begun.splice(0)) send(res);
      await vi.waitUntil(() => received.endsWith('\r\n\r\ndone'), { timeout: 60_000 });
    };
    await beginCall();
    await respond();
    expect(received).toMatch(/^connection: keep-alive\r$/im);
    await beginCall();
    // Nothing else may end the connection.
    const closed = closeServer(server, { keepIdleMs: 60_000, longestMs: 120_000 });
    await vi.waitUntil(() => !server.listening, { timeout: 60_000 });
    const ended = once(socket, 'close');
    await respond();
    expect(received).toMatch(/^connection: close\r$/im);
    await ended;
    await closed;
  },
);
