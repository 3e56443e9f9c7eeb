import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ContentInfo, SignedData, TimeStampReq } from 'pkijs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startTimeStamps } from '#ship/standins/time-stamps/time-stamps.ts';
import { cadesSignature } from './cades.ts';
import { createDevelopmentCertificate } from './development-certificate.ts';
import { readSigningCertificate } from './signing-certificate.ts';
import { createTimeStamps, requestTimeStamp, type TimeStamps } from './time-stamps.ts';

const quietLog = pino({ enabled: false });
const content = Buffer.from('a document');
const certificate = readSigningCertificate(await createDevelopmentCertificate('secret'), 'secret');
let authority: Awaited<ReturnType<typeof startTimeStamps>>;
beforeAll(async () => {
  authority = await startTimeStamps();
});
afterAll(() => authority.close());

async function signerOf(timeStamps: TimeStamps) {
  const message = ContentInfo.fromBER(await cadesSignature(content, certificate, timeStamps));
  const [signer] = new SignedData({ schema: message.content }).signerInfos;
  const [attribute] = signer?.unsignedAttrs?.attributes ?? [];
  return { signature: Buffer.from(signer?.signature.getValue() ?? new ArrayBuffer(0)), attribute };
}

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

test.skipIf(!hasOpenssl)('OpenSSL accepts the time stamp in a signature as one over this signature', async () => {
  const { signature, attribute } = await signerOf(createTimeStamps(authority.url, quietLog));
  expect(attribute?.type).toBe('1.2.840.113549.1.9.16.2.14');
  const folder = mkdtempSync(join(tmpdir(), 'octroi-time-stamp-'));
  writeFileSync(join(folder, 'token'), Buffer.from(attribute?.values[0].toBER()));
  writeFileSync(join(folder, 'authority.pem'), authority.certificate);
  const verify = (data: Buffer) => {
    writeFileSync(join(folder, 'data'), data);
    const args = ['ts', '-verify', '-in', 'token', '-token_in', '-data', 'data', '-CAfile', 'authority.pem'];
    return spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' }).stdout.trim();
  };
  expect(verify(signature)).toBe('Verification: OK');
  expect(verify(content)).toBe('Verification: FAILED');
  rmSync(folder, { recursive: true });
});

test('an authority that is down stops no signature, is named, and is not waited for again at once', async () => {
  let asked = 0;
  const server = createServer((_req, res) => {
    asked += 1;
    res.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const timeStamps = createTimeStamps(`http://127.0.0.1:${port}/`, quietLog);
  expect(timeStamps.fault()).toBeUndefined();
  for (let document = 0; document < 3; document += 1) expect((await signerOf(timeStamps)).attribute).toBeUndefined();
  expect(timeStamps.fault()).toBe('the authority responded with status 503');
  expect(asked).toBe(1);
  server.close();
});

/** An authority that changes requests and responses on their way to and from the real one. */
async function startBetween(change: { request?: (body: Buffer) => Buffer; response?: (body: Buffer) => Buffer }) {
  const server = createServer((req, res) => {
    void buffer(req)
      .then((body) => {
        const headers = { 'content-type': 'application/timestamp-query' };
        const sent = Uint8Array.from(change.request?.(body) ?? body);
        return fetch(authority.url, { method: 'POST', headers, body: sent });
      })
      .then(async (response) => Buffer.from(await response.arrayBuffer()))
      .then((body) => res.end(change.response?.(body) ?? body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${port}/`;
}

test('a time stamp over something else, or of an earlier request, is refused', async () => {
  const replayed: Buffer[] = [];
  const url = await startBetween({ response: (body) => (replayed.push(body) && replayed[0]) || body });
  expect(await requestTimeStamp(url, content)).toBeInstanceOf(ContentInfo);
  await expect(requestTimeStamp(url, content)).rejects.toThrow('of another request');
  await expect(requestTimeStamp(url, Buffer.from('another'))).rejects.toThrow('over something else');
});

function withoutNonce(body: Buffer): Buffer {
  const request = TimeStampReq.fromBER(Uint8Array.from(body).buffer);
  delete request.nonce;
  return Buffer.from(request.toSchema().toBER());
}

test('a time stamp that names no request is refused', async () => {
  const url = await startBetween({ request: withoutNonce });
  await expect(requestTimeStamp(url, content)).rejects.toThrow('of another request');
});

test('of a response that is larger than a time stamp no more is read', async () => {
  const url = await startBetween({ response: () => Buffer.alloc(16_385) });
  await expect(requestTimeStamp(url, content)).rejects.toThrow('more than 16384 bytes');
});
