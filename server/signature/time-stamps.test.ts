import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentInfo, SignedData } from 'pkijs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTimeStamps } from '#standins/time-stamps/time-stamps.ts';
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

test('a time stamp over something else, or of an earlier request, is refused', async () => {
  const replayed: Buffer[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const headers = { 'content-type': 'application/timestamp-query' };
      void fetch(authority.url, { method: 'POST', headers, body: Buffer.concat(chunks) })
        .then((response) => response.arrayBuffer())
        .then((body) => res.end(replayed.push(Buffer.from(body)) && replayed[0]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  expect(await requestTimeStamp(url, content)).toBeInstanceOf(ContentInfo);
  await expect(requestTimeStamp(url, content)).rejects.toThrow('of another request');
  await expect(requestTimeStamp(url, Buffer.from('another'))).rejects.toThrow('over something else');
  server.close();
});
