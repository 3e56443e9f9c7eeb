import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HeldResponse } from './held-response.ts';
import { listen } from './server.ts';

/** What the product does with its answer, and what the gateway does then. */
let play: (res: HeldResponse, req: IncomingMessage) => void = () => {};
const options: object = { ServerResponse: HeldResponse };
const server = createServer(options, (req, res) => {
  if (res instanceof HeldResponse) play(res, req);
});
let url = '';
beforeAll(async () => {
  url = await listen(server, 0, '127.0.0.1');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Lets the product write its answer whole, and then the gateway send its own instead. */
const replaced = (write: (res: HeldResponse) => void) => (res: HeldResponse) => {
  res.hold({ begun: () => {}, ended: () => {} });
  write(res);
  res.answerInstead(() => {
    res.writeHead(503, ['Content-Type', 'text/plain']);
    res.end('instead');
  });
  // The product does not know, and goes on.
  res.write('more');
  res.end('the end');
};

test.each([
  ['has begun', (res: HeldResponse) => void res.writeHead(200, { 'X-A': 'a' }).write('some')],
  ['has ended', (res: HeldResponse) => void res.writeHead(200, { 'X-A': 'a' }).end('all')],
  ['has ended with fields set by their names', (res: HeldResponse) => void res.setHeader('X-A', 'a').end('all')],
])('an answer that the product %s is replaced whole', async (_what, write) => {
  play = replaced(write);
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
  expect([answer.status, await answer.text(), answer.headers.get('x-a')]).toEqual([503, 'instead', null]);
});

test.each([
  ['a status that is none', (res: HeldResponse) => res.writeHead(1000)],
  ['a line end in a field', (res: HeldResponse) => res.writeHead(200, { 'X-A': 'a\r\nX-B: b' })],
  ['a line end in a field of a list', (res: HeldResponse) => res.writeHead(200, ['X-A', 'a\nb'])],
  ['a line end in one of several values', (res: HeldResponse) => res.writeHead(200, { 'X-A': ['a', 'b\n'] })],
  ['a name with a space', (res: HeldResponse) => res.writeHead(200, { 'X A': 'a' })],
])('%s is refused while the product is there to be told, and it can still answer', async (_what, write) => {
  let begun = 0;
  play = (res) => {
    res.hold({ begun: () => (begun += 1), ended: () => res.release(200, ['X-B', 'b'], '') });
    expect(() => write(res)).toThrow(/status|Invalid character|valid HTTP token/);
    res.writeHead(200).end('after');
  };
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
  expect([await answer.text(), answer.headers.get('x-b'), begun]).toEqual(['after', 'b', 1]);
});
