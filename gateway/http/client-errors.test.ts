import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkHead } from './client-errors.ts';
import { createRequestQueue } from './request-queue.ts';
import { closeServer, createGatewayServer, listen } from './server.ts';
import { createCustomer, type Customer, type Harness, openHarness } from '#gateway/test/world.ts';

let harness: Harness;
let customer: Customer;
beforeAll(async () => {
  harness = await openHarness();
  customer = await createCustomer(harness.database.pool);
});
afterAll(() => harness.close());

const problem = z.object({ status: z.number(), code: z.string(), message: z.string(), requestId: z.string() });

/** Sends raw bytes and reads until the gateway closes the connection. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.write(bytes, 'latin1');
  return text(socket);
}

const head = (extra: string): string =>
  `POST /tax-lookup/v1/echo HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n${extra}`;

test.each<[number, string, string, () => string]>([
  [400, 'request-malformed', 'bytes that are not HTTP', () => 'hello\r\n\r\n'],
  [
    400,
    'request-malformed',
    'two Content-Length headers',
    () => head('Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd'),
  ],
  [
    400,
    'request-malformed',
    'a malformed chunk size',
    () => head('Transfer-Encoding: chunked\r\n\r\n+4\r\nabcd\r\n0\r\n\r\n'),
  ],
  [400, 'host-missing', 'a missing Host header', () => 'GET /health HTTP/1.1\r\n\r\n'],
  [408, 'request-too-slow', 'headers that never end', () => 'GET /tax-lookup/v1/ok HTTP/1.1\r\nHost: a\r\n'],
  [417, 'expectation-unknown', 'an unknown expectation', () => head('Expect: wonders\r\nConnection: close\r\n\r\n')],
  [431, 'head-too-large', 'headers of 20,000 bytes', () => head(`X-A: ${'a'.repeat(20_000)}\r\n\r\n`)],
])(
  'responds %i %s to %s with a problem and a request id, and closes the connection',
  async (status, code, _what, bytes) => {
    const [top = '', body = ''] = (await exchange(bytes())).split('\r\n\r\n', 2);
    expect(top).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\S`));
    expect(top).toMatch(/^content-type: application\/problem\+json$/im);
    expect(top).toMatch(/^connection: close$/im);
    expect(top).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    const parsed = problem.parse(JSON.parse(body));
    expect(parsed).toMatchObject({ status, code });
    expect(/^x-request-id: (req_\S+)$/im.exec(top)?.[1]).toBe(parsed.requestId);
  },
);

test('a malformed request that follows on the connection adds nothing to a response in progress', async () => {
  const socket = connect(Number(new URL(harness.gateway.url).port), '127.0.0.1');
  socket.write(head('Content-Length: 0\r\n\r\n').replace('/echo', '/pieces/400'));
  let sent = '';
  socket.on('data', (chunk: Buffer) => {
    if (sent === '') socket.write('nonsense\r\n\r\n');
    sent += chunk.toString();
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  expect(sent).toMatch(/^HTTP\/1\.1 201/);
  expect(sent).not.toContain('problem+json');
});

test.each([
  ['an unknown expectation', 'Host: a\r\nExpect: wonders\r\n', 417],
  ['no host', '', 400],
])('requests with %s take turns with all others', async (_what, fields, status) => {
  let waited = 0;
  const queue = createRequestQueue({
    begin: checkHead(() => expect.unreachable()),
    lineOf: () => ({ known: false, caller: String((waited += 1)) }),
    isShared: () => false,
    maxQueueAgeMs: 60_000,
  });
  const server = createGatewayServer(queue, {
    maxBodyBytes: 1000,
    maxHeadBytes: 16_384,
    isStopping: () => false,
  });
  try {
    const socket = connect(Number(new URL(await listen(server, 0, '127.0.0.1')).port), '127.0.0.1');
    // In one piece, in the turn that accepts the connection: such a turn begins two requests.
    socket.write(`GET / HTTP/1.1\r\n${fields}\r\n`.repeat(20) + `GET / HTTP/1.1\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(waited).toBeGreaterThan(10);
  } finally {
    await closeServer(server);
  }
});
