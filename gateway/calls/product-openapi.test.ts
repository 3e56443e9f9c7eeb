import { createServer, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { describeWebhooks } from '#shared/contract/described-events.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';

let harness: Harness;
let api: Server;
let gateway: Gateway;
/** Reads of the document that wait for their response. */
let held: ServerResponse[] = [];
let reads = 0;

beforeAll(async () => {
  harness = await openHarness();
  api = createServer((req, res) => {
    if (req.url !== '/openapi.json') return void res.end('ok');
    reads += 1;
    held.push(res);
    return undefined;
  });
});
afterAll(async () => {
  await harness.close();
  api.closeAllConnections();
  api.close();
});

let gateways = 0;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  [held, reads] = [[], 0];
  gateways += 1;
  gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/${gateways}` },
    {
      upstream: api.listening ? addressOf(api) : await listen(api, 0, '127.0.0.1'),
      env: { UPSTREAM_CONNECTIONS: '1' },
    },
  );
});
afterEach(async () => {
  vi.useRealTimers();
  api.closeAllConnections();
  await gateway.close();
});

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return `http://127.0.0.1:${address.port}`;
}

const document = (title: string) => JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths: {} });
const shown = z.object({ info: z.object({ title: z.string() }) });
const readMany = (count: number) =>
  Array.from({ length: count }, async () => {
    const response = await fetch(`${gateway.url}/tax-lookup/openapi.json`);
    if (response.status !== 200) return response.status;
    return shown.parse(await response.json()).info.title;
  });
const untilHeld = () => expect.poll(() => held.length).toBe(1);
const answer = (respond: (res: ServerResponse) => void) => held.splice(0).forEach(respond);
const repeat = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);

test('a document that is being read keeps no call waiting', async () => {
  const { key } = await createCustomer(harness.database.pool, { daily: 10 });
  const readers = readMany(20);
  await untilHeld();
  expect((await harness.call(key, { url: gateway.url })).status).toBe(200);
  answer((res) => res.end(document('one')));
  expect(await Promise.all(readers)).toEqual(repeat('one', 20));
  expect(reads).toBe(1);
});

test('a document is read again after some seconds', async () => {
  const before = readMany(1);
  await untilHeld();
  answer((res) => res.end(document('one')));
  expect(await Promise.all(before)).toEqual(['one']);
  vi.advanceTimersByTime(4900);
  expect(await Promise.all(readMany(3))).toEqual(repeat('one', 3));
  expect(reads).toBe(1);
  vi.advanceTimersByTime(200);
  const after = readMany(3);
  await untilHeld();
  answer((res) => res.end(document('two')));
  expect(await Promise.all(after)).toEqual(repeat('two', 3));
  expect(reads).toBe(2);
});

test('a read that fails is not repeated for everyone who asks, and soon is', async () => {
  const before = readMany(3);
  await untilHeld();
  answer((res) => res.writeHead(500).end());
  expect(await Promise.all(before)).toEqual(repeat(502, 3));
  expect(await Promise.all(readMany(3))).toEqual(repeat(502, 3));
  expect(reads).toBe(1);
  vi.advanceTimersByTime(1100);
  const after = readMany(1);
  await untilHeld();
  answer((res) => res.end(document('one')));
  expect(await Promise.all(after)).toEqual(['one']);
});

test('a document without an end is given up when it is too large', async () => {
  const reading = readMany(1);
  await untilHeld();
  const [res] = held;
  let sent = 0;
  const endless = new Readable({
    read() {
      sent += 1;
      this.push(Buffer.alloc(1024 * 1024, ' '));
    },
  });
  answer((each) => endless.pipe(each));
  expect(await Promise.all(reading)).toEqual([502]);
  await expect.poll(() => res?.destroyed).toBe(true);
  expect(sent).toBeLessThan(64);
});

test("a document has the events of customers' webhooks, with an example of its product", async () => {
  const read = fetch(`${gateway.url}/tax-lookup/openapi.json`);
  await untilHeld();
  answer((res) => res.end(document('one')));
  const { webhooks } = z.object({ webhooks: z.record(z.string(), z.unknown()) }).parse(await (await read).json());
  expect(Object.keys(webhooks)).toEqual(Object.keys(describeWebhooks('tax-lookup-api', 'openapi-3.0')));
  expect(JSON.stringify(webhooks['cycle.ended'])).toContain('"productId":"tax-lookup-api"');
});
