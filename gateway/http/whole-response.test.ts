import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listen } from './server.ts';
import { keepAliveMs, WholeResponse } from './whole-response.ts';

type Handler = (res: WholeResponse, req: IncomingMessage) => void;

/** Starts a server, sends it bytes, and returns what it sent until it closed or 150 ms passed. */
async function exchange(request: string, handle: Handler): Promise<string> {
  const options: object = { ServerResponse: WholeResponse, keepAliveTimeout: keepAliveMs };
  const server = createServer(options, (req, res) => {
    if (res instanceof WholeResponse) handle(res, req);
  });
  const url = await listen(server, 0, '127.0.0.1');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.setEncoding('latin1');
  socket.write(request, 'latin1');
  const timer = setTimeout(() => socket.end(), 150);
  const got = await text(socket);
  clearTimeout(timer);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return got;
}

/** Parses a response. Headers are sorted, because Node appends its own after all others. */
const parts = (response: string): { start: string | undefined; fields: string[]; body: string } => {
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const [start, ...fields] = head.split('\r\n');
  return { start, fields: fields.toSorted(), body: rest.join('\r\n\r\n') };
};

const aboutMessage = (fields: readonly string[]): string[] =>
  fields.filter((field) => !/^(connection|keep-alive):/i.test(field));

/** Sends the same response with Node's own methods. */
const byNode = (res: WholeResponse, status: number, head: readonly string[], body: string): void => {
  ServerResponse.prototype.writeHead.call(res, status, [...head]);
  ServerResponse.prototype.end.call(res, body, 'latin1');
};

const get = (more = '', method = 'GET', version = '1.1'): string =>
  `${method} / HTTP/${version}\r\nHost: a\r\n${more}\r\n`;
const fixed = ['Date', 'Sun, 22 Nov 2026 05:05:05 GMT', 'X-A', 'b', 'X-A', 'c\xe9', 'RateLimit', '"day";r=1'];

test.each([
  ['a response', 200, get(), 'body \xff'],
  ['an empty response', 200, get(), ''],
  ['an error', 422, get(), '{}'],
  ['a status without a name', 299, get(), 'x'],
  ['no content', 204, get(), ''],
  ['not modified', 304, get(), ''],
  ['a response to HEAD', 200, get('', 'HEAD'), ''],
  ['a response on a connection that closes', 200, get('Connection: close\r\n'), 'x'],
  ['a response in HTTP/1.0', 200, get('', 'GET', '1.0'), 'x'],
  ['a response in HTTP/1.0 on a kept-alive connection', 200, get('Connection: keep-alive\r\n', 'GET', '1.0'), 'x'],
])('%s is sent exactly as by Node', async (_name, status, request, body) => {
  const length = ['Content-Length', String(body.length)];
  const hasLength = status !== 204 && status !== 304 && !request.startsWith('HEAD');
  const node = await exchange(request, (res) => byNode(res, status, [...fixed, ...(hasLength ? length : [])], body));
  const whole = await exchange(request, (res) => res.sendWhole(status, [...fixed], body));
  expect(parts(whole)).toEqual(parts(node));
  expect(node).toContain('X-A: c\xe9\r\n');
});

test('any headers with any body, string or buffer, short or long, are sent exactly as by Node', async () => {
  const name = fc.stringMatching(/^X-[A-Za-z0-9]{1,12}$/);
  const value = fc.stringMatching(/^[!-~\xa1-\xff]([ -~\xa1-\xff]{0,30}[!-~\xa1-\xff])?$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, value), { maxLength: 6 }),
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(1, 1000),
      fc.boolean(),
      async (fields, bytes, times, asText) => {
        const body = Buffer.concat(Array.from({ length: times }, () => Buffer.from(bytes)));
        const latin1 = body.toString('latin1');
        const head = ['Date', 'x', ...fields.flat()];
        const length = ['Content-Length', String(body.length)];
        const node = await exchange(get('Connection: close\r\n'), (res) =>
          byNode(res, 200, [...head, ...length], latin1),
        );
        const whole = await exchange(get(), (res) => {
          res.sendWhole(200, head, asText && body.length < 16_000 ? latin1 : body);
          res.socket?.end();
        });
        const [one, other] = [parts(whole), parts(node)];
        expect({ ...one, fields: aboutMessage(one.fields) }).toEqual({ ...other, fields: aboutMessage(other.fields) });
        return true;
      },
    ),
    { numRuns: 40 },
  );
});

test('replaces a wrong Content-Length, and closes the connection after Connection: close', async () => {
  const wrong = await exchange(get(), (res) => res.sendWhole(200, ['content-length', '3'], 'longer'));
  expect(wrong).toMatch(/\r\nContent-Length: 6\r\n/);
  expect(wrong).not.toMatch(/: 3\r\n/);
  const closing = await exchange(get() + get(), (res) => res.sendWhole(200, ['Connection', 'close'], 'once'));
  expect(closing.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(closing).toMatch(/\r\nConnection: close\r\n/);
});

test('each response has the date of its second', async () => {
  const dates: string[] = [];
  const dated = async (): Promise<void> => {
    const before = Date.now();
    const response = await exchange(get(), (res) => res.sendWhole(200, [], 'x'));
    const after = Date.now();
    const date = /\r\nDate: (.*)\r\n/.exec(response)?.[1] ?? '';
    expect(new Date(date).toUTCString()).toBe(date);
    expect(Date.parse(date)).toBeGreaterThanOrEqual(before - 1500);
    expect(Date.parse(date)).toBeLessThanOrEqual(after);
    dates.push(date);
  };
  await dated();
  await sleep(1100);
  await dated();
  expect(dates[0]).not.toBe(dates[1]);
});

test('pipelined requests get their responses in order, even when later ones are ready first', async () => {
  const waiting: (() => void)[] = [];
  const requests = Array.from({ length: 5 }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
  const sent = await exchange(requests, (res, req) => {
    waiting.unshift(() => res.sendWhole(200, ['X-Url', req.url ?? ''], `body of ${req.url}`));
    if (waiting.length === 5) for (const send of waiting) send();
  });
  expect(sent.match(/body of \/\d/g)).toEqual([0, 1, 2, 3, 4].map((index) => `body of /${index}`));
  expect(sent.match(/X-Url: \/\d/g)).toEqual([0, 1, 2, 3, 4].map((index) => `X-Url: /${index}`));
});
