import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { gatewayOptions } from '#catalog/gateway-options.ts';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { gatewayAnswers } from '#shared/domain/metering.ts';
import { listen } from '#gateway/http/server.ts';
import { addKey, createCustomer } from '#gateway/test/world.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { checked, send, useLiveApis } from './live-apis.ts';
import type { LiveResponse } from './response-validator.ts';

const live = useLiveApis();

/** Sends raw bytes and reads until the gateway closes the connection. */
async function raw(bytes: string): Promise<LiveResponse> {
  const socket = connect(Number(new URL(live().gateway.url).port), '127.0.0.1');
  socket.write(bytes, 'latin1');
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n', 2);
  const [top = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  return { status: Number(top.split(' ')[1]), headers: Object.fromEntries(headers), body };
}

test('every refusal of the gateway is as the public documents say', async () => {
  const { apis, gateway, harness, invoicing, lookUp, readApi } = live();
  const { pool, owner } = harness.database;
  const [states] = await apis();
  const own = await readApi('', lookUp);
  const [ended, poor, blocked, partial, limited, expiring, testing] = await Promise.all([
    createCustomer(pool, { from: -40, to: -10 }),
    createCustomer(pool, { daily: 1 }),
    createCustomer(pool),
    createCustomer(pool, { operations: ['search-codes'] }),
    addKey(pool, lookUp.activationId, { allowedIps: ['203.0.113.9'] }),
    addKey(pool, lookUp.activationId, { expiresInMs: 1 }),
    addKey(pool, lookUp.activationId, { test: true }),
  ]);
  const path = '/v1/states';
  const url = states.url + path;
  const get = (key: string, headers: Record<string, string> = {}, at = url): Promise<LiveResponse> =>
    send(at, { method: 'get', headers: { 'x-api-key': key, ...headers } });
  const line = 'GET /tax-lookup/v1/states HTTP/1.1\r\n';
  const close = `Connection: close\r\nX-API-Key: ${lookUp.key}\r\n`;

  const refusals: Record<string, () => Promise<LiveResponse>> = {
    'path-invalid': () => raw(`${line.replace('states', '%2e%2e/x')}Host: a\r\n${close}\r\n`),
    'version-unsupported': () => raw('GET /tax-lookup/v1/states HTTP/0.9\r\n\r\n'),
    'host-missing': () => raw(`${line}\r\n`),
    'header-repeated': () => raw(`${line}Host: a\r\nHost: b\r\n${close}\r\n`),
    'coding-unsupported': () => raw(`${line}Host: a\r\n${close}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
    'request-malformed': () => raw('hello\r\n\r\n'),
    'key-missing': () => send(url, { method: 'get' }),
    'keys-differ': () => get(lookUp.key, { authorization: `Bearer ${invoicing.key}` }),
    'key-malformed': () => get('nonsense'),
    'key-invalid': () => get(makeApiKey(randomBytes(120), false)),
    'key-expired': () => get(expiring.key),
    'account-blocked': async () => {
      await pool.query(
        `with action as (insert into operator_actions (actor, action, target, customer_id, reason, effect)
            select 'test', 'customers.block', customer_id, customer_id, 'A test', '{}' from activations where id = $1)
          update customers set blocked_at = now(), blocked_reason = 'A test'
            where id = (select customer_id from activations where id = $1)`,
        [blocked.activationId],
      );
      return get(blocked.key);
    },
    'no-running-plan': () => get(ended.key),
    'address-not-allowed': () => get(limited.key),
    'operation-not-in-plan': () => get(partial.key),
    'key-of-other-api': () => get(invoicing.key),
    'path-unknown': () => get(lookUp.key, {}, `${gateway.url}/nothing/v1/states`),
    'request-too-slow': () => raw(line),
    'body-too-large': () => raw(`${line}Host: a\r\n${close}Content-Length: 99999999\r\n\r\n`),
    'expectation-unknown': () => raw(`${line}Host: a\r\n${close}Expect: wonders\r\n\r\n`),
    'quota-exceeded': async () => {
      await get(poor.key);
      return get(poor.key);
    },
    'target-too-long': () => raw(`GET /tax-lookup/v1/states?${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`),
    'head-too-large': () => raw(`${line}X-A: ${'a'.repeat(20_000)}\r\n\r\n`),
    'no-websocket': () =>
      raw(`${line}Host: a\r\n${close.replace('close', 'Upgrade, close')}Upgrade: websocket\r\n\r\n`),
    'method-unsupported': () => raw(`${line.replace('GET', 'PROPFIND')}Host: a\r\n${close}\r\n`),
    'cannot-check': async () => {
      const { key } = await createCustomer(pool);
      await owner.pool.query('alter table api_keys rename to api_keys_away');
      try {
        return await get(key);
      } finally {
        await owner.pool.query('alter table api_keys_away rename to api_keys');
      }
    },
  };
  const seen = new Set<string | undefined>();
  for (const [code, refused] of Object.entries(refusals)) {
    const response = checked(states, path, 'get', await refused());
    expect({ code: response.code, body: response.body }).toEqual({ code, body: response.body });
    seen.add(code);
  }
  const wrongMethod = checked(own, '/v1/usage', 'get', await send(`${gateway.url}/v1/usage`, { method: 'post' }));
  expect(wrongMethod).toMatchObject({ code: 'wrong-method', headers: { allow: 'GET, HEAD' } });
  seen.add(wrongMethod.code);
  checked(own, '/v1/usage', 'get', await get(lookUp.key, {}, `${gateway.url}/v1/usage`));

  await withBrokenApi(async (broken) => {
    const [slow, queued] = await Promise.all([
      get(lookUp.key, {}, `${broken}/v1/hangs`),
      get(lookUp.key, {}, `${broken}/v1/hangs`),
    ]);
    const responses = [
      slow,
      queued,
      await get(lookUp.key, {}, `${broken}/v1/breaks`),
      await get(testing.key, {}, `${broken}/v1/states`),
      await withoutSecret((url) => get(lookUp.key, {}, `${url}/v1/states`)),
    ];
    for (const response of responses) seen.add(checked(states, path, 'get', response).code);
  });
  expect(seen).toEqual(new Set(Object.keys(gatewayAnswers)));
});

/** A gateway that lacks the secret of an API. */
async function withoutSecret<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const catalog = readCatalog(projectFolder('ship', 'standins', 'catalog'));
  const gateway = gatewayOptions.parse({ credentials: [{ type: 'bearer', token: { file: 'nowhere' } }] });
  const products = catalog.products.map((product) => ({ ...product, gateway }));
  const lacking = await live().startApis('lacking', {
    catalog: { products, guides: [], find: (id) => products.find((product) => product.id === id) },
  });
  try {
    return await work(`${lacking.url}/tax-lookup`);
  } finally {
    await lacking.close();
  }
}

/** A gateway in front of an API without a sandbox that serves one call at a time and never properly. */
async function withBrokenApi(work: (url: string) => Promise<void>): Promise<void> {
  const api = createServer((req) => {
    if (req.url === '/v1/breaks') req.socket.destroy();
  });
  const url = await listen(api, 0, '127.0.0.1');
  const catalog = readCatalog(projectFolder('ship', 'standins', 'catalog'));
  const products = catalog.products.map(({ sandbox: _sandbox, ...product }) => product);
  const broken = await live().startApis('broken', {
    upstreams: new Map([['tax-lookup-api', url]]),
    catalog: { products, guides: [], find: (id) => products.find((product) => product.id === id) },
    env: { UPSTREAM_CONNECTIONS: '1', UPSTREAM_QUEUE_TIMEOUT_MS: '200', UPSTREAM_TIMEOUT_MS: '1000' },
  });
  try {
    await work(`${broken.url}/tax-lookup`);
  } finally {
    await broken.close();
    api.closeAllConnections();
    api.close();
  }
}
