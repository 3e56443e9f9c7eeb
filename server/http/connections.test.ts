import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const open = (): Socket => connect(Number(new URL(portal.portalUrl).port), '127.0.0.1').setEncoding('latin1');

test('responds to the 33 first of many pipelined requests, and ends the connection', async () => {
  const socket = open();
  socket.write('GET /backend/account HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
  const responses = (await text(socket)).split('HTTP/1.1 401 ').slice(1);
  expect(responses).toHaveLength(33);
  expect(responses.map((each) => /^connection: (\S+)/im.exec(each)?.[1])).toEqual([
    ...Array.from({ length: 32 }, () => 'keep-alive'),
    'close',
  ]);
});

test('a call without a session is refused before its body arrives', async () => {
  const socket = open();
  socket.write(
    'PUT /backend/account/tax-claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
  );
  const [head] = await once(socket, 'data');
  expect(head).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});
