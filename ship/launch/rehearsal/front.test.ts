import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:tls';
import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '#shared/platform/free-ports.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { openFront } from './front.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-front-'));
let certificates: Certificates;
let port: number;
let close: () => void;
let received: { request: IncomingMessage; body: string } | undefined;
const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  received = { request, body: await text(request) };
  response.setHeader('strict-transport-security', 'max-age=31536000');
  response.setHeader('x-kept', ['one', 'two']);
  response.end('whole');
};
const behind = createServer((request, response) => void receive(request, response));

beforeAll(async () => {
  certificates = openCertificates(folder);
  const [front = 0, back = 0] = await freePorts(2);
  port = front;
  await once(behind.listen(back, '127.0.0.1'), 'listening');
  close = await openFront([{ port, behind: back }], certificates);
});
afterAll(() => {
  close();
  behind.close();
  rmSync(folder, { recursive: true });
});

const ask = (init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
  fetch(`https://localhost:${port}/a%2Fb?c=%20`, {
    ...init,
    dispatcher: new Agent({ connect: { ca: readFileSync(certificates.authorityFile) } }),
  });

test('the front passes path and body unchanged and the caller’s own address, and keeps HSTS from localhost', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer key' };
  const response = await ask({ method: 'POST', body: 'hello', headers });
  expect(received).toMatchObject({
    body: 'hello',
    request: {
      url: '/a%2Fb?c=%20',
      method: 'POST',
      headers: { 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer key', host: `localhost:${port}` },
    },
  });
  expect(await response.text()).toBe('whole');
  expect(response.headers.get('x-kept')).toBe('one, two');
  expect(response.headers.get('strict-transport-security')).toBeNull();
});

const verify = async (ca: string | undefined) => {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.end();
  return socket.authorized;
};

test('the authority is valid for this machine alone, and its key is kept nowhere', async () => {
  const authority = readFileSync(certificates.authorityFile, 'utf8');
  expect(await verify(authority)).toBe(true);
  expect(await verify(undefined)).toBe(false);
  expect(certificates.chain.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  // Name constraints (2.5.29.30), and localhost as the permitted name.
  const der = Buffer.from(authority.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  expect(der.includes(Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e]))).toBe(true);
  expect(der.includes(Buffer.from('\u0082\u0009localhost', 'latin1'))).toBe(true);
  expect(openCertificates(folder)).toEqual(certificates);
});
