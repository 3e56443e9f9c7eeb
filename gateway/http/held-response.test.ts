import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HeldResponse } from './held-response.ts';
import { listen } from './server.ts';

/** How the product responds, and what the gateway does then. */
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

/** Runs the product's writes, then replaces its response with one of the gateway. */
const replaced = (write: (res: HeldResponse) => void) => (res: HeldResponse) => {
  res.hold({ onHead: () => {}, onEnd: () => {}, onFull: () => {} });
  write(res);
  res.replaceWith(() => {
    res.writeHead(503, ['Content-Type', 'text/plain']);
    res.end('instead');
  });
  // The product does not notice and continues.
  res.write('more');
  res.end('the end');
};

test.each([
  ['began', (res: HeldResponse) => void res.writeHead(200, { 'X-A': 'a' }).write('some')],
  ['ended', (res: HeldResponse) => void res.writeHead(200, { 'X-A': 'a' }).end('all')],
  ['ended with headers set by setHeader', (res: HeldResponse) => void res.setHeader('X-A', 'a').end('all')],
])('a response that the product %s is replaced entirely', async (_what, write) => {
  play = replaced(write);
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
  expect([response.status, await response.text(), response.headers.get('x-a')]).toEqual([503, 'instead', null]);
});

test.each([
  ['an invalid status', (res: HeldResponse) => res.writeHead(1000)],
  ['a line break in a header', (res: HeldResponse) => res.writeHead(200, { 'X-A': 'a\r\nX-B: b' })],
  ['a line break in a header of a flat list', (res: HeldResponse) => res.writeHead(200, ['X-A', 'a\nb'])],
  ['a line break in one of several values', (res: HeldResponse) => res.writeHead(200, { 'X-A': ['a', 'b\n'] })],
  ['a space in a header name', (res: HeldResponse) => res.writeHead(200, { 'X A': 'a' })],
])('%s throws in the product, which can still respond', async (_what, write) => {
  let begun = 0;
  play = (res) => {
    res.hold({ onHead: () => (begun += 1), onEnd: () => res.release(200, ['X-B', 'b'], ''), onFull: () => {} });
    expect(() => write(res)).toThrow(/status|Invalid character|valid HTTP token/);
    res.writeHead(200).end('after');
  };
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
  expect([await response.text(), response.headers.get('x-b'), begun]).toEqual(['after', 'b', 1]);
});
