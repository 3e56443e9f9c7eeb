import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { StandinsConfig } from '#ship/standins/config.ts';
import { basicAuthHeader } from '#ship/standins/razorpay/basic-auth.ts';
import { startStandins } from '#ship/standins/standins.ts';

const keyId = 'rzp_test_LOCAL000000001';
export const keySecret = 'rzp_sandbox_secret_0000';
export const webhookSecret = 'whsec_local_1';
export const clientId = 'octroi-local.apps.googleusercontent.com';

const anyObject = z.record(z.string(), z.any());
type Reply = { status: number; body: z.infer<typeof anyObject> };

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'standins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Sends JSON and returns the status with the parsed body. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: unknown = await response.json();
  return { status: response.status, body: anyObject.parse(Array.isArray(parsed) ? { items: parsed } : parsed) };
}

export type ReceivedWebhook = { headers: IncomingHttpHeaders; raw: string; event: string };

/** What the portal has at `/hook`, until the test ends; `answer` gets the raw body. */
export async function startHook(
  answer: (raw: string, headers: IncomingHttpHeaders, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(Buffer.concat(chunks).toString('utf8'), request.headers, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return `http://127.0.0.1:${address.port}/hook`;
}

/** A webhook receiver that stores the raw bytes; `respondWith` may make it refuse. */
export async function startReceiver(respondWith: (count: number) => number = () => 200) {
  const received: ReceivedWebhook[] = [];
  const url = await startHook((raw, headers, response) => {
    received.push({ headers, raw, event: String(anyObject.parse(JSON.parse(raw))['event']) });
    response.writeHead(respondWith(received.length)).end();
  });
  return { url, received };
}

export function testConfig(dataDir: string, webhookUrl = 'http://127.0.0.1:9/nobody-listens'): StandinsConfig {
  return {
    dataDir,
    google: { port: 0, clientId, issuer: 'https://accounts.google.com' },
    gstn: null,
    razorpay: { port: 0, keyId, keySecret, webhookSecret, webhookUrl },
  };
}

let signingKeys: Buffer | null = null;

/** Creating an RSA key takes longer than a whole test, so the tests of a file share the first one. */
async function startWithSharedKeys(config: StandinsConfig) {
  const folder = join(config.dataDir, 'standins');
  const keysPath = join(folder, 'google-keys.json');
  if (signingKeys && !existsSync(keysPath)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(keysPath, signingKeys);
  }
  const standins = await startStandins(config);
  signingKeys ??= readFileSync(keysPath);
  return standins;
}

/** Both stand-ins on free ports, stopped when the test ends, each with a signed-in client. */
export async function startForTest(options: { dataDir?: string; webhookUrl?: string } = {}) {
  const standins = await startWithSharedKeys(testConfig(options.dataDir ?? temporaryFolder(), options.webhookUrl));
  onTestFinished(() => standins.close());
  const authorization = basicAuthHeader(keyId, keySecret);
  const { googleUrl, razorpayUrl } = standins;

  const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(method, `${razorpayUrl}/v1${path}`, body, { authorization, ...headers });
  const control = (method: string, path: string, body?: unknown) => send(method, `${razorpayUrl}/standin${path}`, body);
  const google = (method: string, path: string, body?: unknown) => send(method, `${googleUrl}${path}`, body);
  const createOrder = async (amount = 149_900, more: object = {}) => {
    const { body } = await api('POST', '/orders', { amount, currency: 'INR', receipt: 'cycle-1', ...more });
    return z.object({ id: z.string(), amount: z.number() }).parse(body);
  };
  return { standins, googleUrl, razorpayUrl, api, control, google, createOrder, keyId };
}
