import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Catalog } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { type GatewayOptions, gatewayOptions } from '#catalog/gateway-options.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

let harness: Harness;
let key: string;
const folder = mkdtempSync(join(tmpdir(), 'octroi-options-'));
const opened: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  harness = await openHarness();
  ({ key } = await createCustomer(harness.database.pool, { daily: 10_000 }));
});
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
  await harness.close();
  rmSync(folder, { recursive: true });
});

/** A catalogue whose first product has these gateway options. */
function catalogWith(options: z.input<typeof gatewayOptions>): Catalog {
  const catalog = readCatalog(projectFolder('ship', 'standins', 'catalog'));
  const gateway: GatewayOptions = gatewayOptions.parse(options);
  const products = catalog.products.map((product) =>
    product.id === 'tax-lookup-api' ? { ...product, gateway } : product,
  );
  return { products, guides: [], find: (id) => products.find((product) => product.id === id) };
}

function openUpstream(server: Server): Promise<string> {
  opened.push(() => {
    server.closeAllConnections();
    return once(server.close(), 'close');
  });
  return listen(server, 0, '127.0.0.1');
}

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Starts a gateway with these options before an upstream, and returns a function that calls it. */
async function serve(
  options: z.input<typeof gatewayOptions>,
  respond: RequestListener,
  env: Record<string, string> = {},
): Promise<(sent?: Sent) => Promise<Response>> {
  return callerOf(options, await openUpstream(createServer(respond)), env);
}

async function callerOf(
  options: z.input<typeof gatewayOptions>,
  upstream: string,
  env: Record<string, string> = {},
): Promise<(sent?: Sent) => Promise<Response>> {
  const gateway = await startTestGateway(
    { ...harness.setup, dataDir: mkdtempSync(join(folder, 'gateway-')) },
    { catalog: catalogWith(options), upstream, env: { CATALOG_SECRETS_DIR: folder, ...env } },
  );
  opened.push(gateway.close);
  return ({ path = '/v1/a', headers, ...rest } = {}) =>
    fetch(`${gateway.url}/tax-lookup${path}`, {
      headers: { 'x-api-key': key, ...headers },
      redirect: 'manual',
      ...rest,
    });
}

/** Serves with these options and returns the headers that the upstream received for a call. */
async function receivedHeaders(
  options: z.input<typeof gatewayOptions>,
  sent: Sent = {},
  env: Record<string, string> = {},
): Promise<IncomingHttpHeaders> {
  let received: IncomingHttpHeaders = {};
  const call = await serve(
    options,
    (req, res) => {
      received = req.headers;
      res.end();
    },
    env,
  );
  expect((await call(sent)).status).toBe(200);
  return received;
}

test('the upstream gets credentials from the environment and from files; the caller cannot forge them', async () => {
  writeFileSync(join(folder, 'password'), 'open:sesame\n');
  const forged = { 'x-internal-key': 'forged', 'X_Internal.Key': 'forged' };
  const byHeader = await receivedHeaders(
    { credentials: [{ type: 'header', name: 'X-Internal-Key', value: { env: 'CATALOG_SECRET_INTERNAL' } }] },
    { headers: forged },
    { CATALOG_SECRET_INTERNAL: 's3cret' },
  );
  expect(byHeader['x-internal-key']).toBe('s3cret');
  expect(byHeader).not.toHaveProperty('x_internal.key');
  const basic = await receivedHeaders({
    credentials: [{ type: 'basic', user: 'octroi', password: { file: 'password' } }],
  });
  expect(basic.authorization).toBe(`Basic ${Buffer.from('octroi:open:sesame').toString('base64')}`);
  const bearer = await receivedHeaders(
    { credentials: [{ type: 'bearer', token: { env: 'CATALOG_SECRET_TOKEN' } }] },
    { headers: { authorization: `Bearer ${key}` } },
    { CATALOG_SECRET_TOKEN: 'abc' },
  );
  expect(bearer.authorization).toBe('Bearer abc');
  const signed = await receivedHeaders(
    { credentials: [{ type: 'hmac', keyId: 'octroi', secret: { env: 'CATALOG_SECRET_SIGNING' } }] },
    { headers: { signature: 'forged' } },
    { CATALOG_SECRET_SIGNING: 'shared' },
  );
  expect(signed.signature).toMatch(/^gateway=:[\w+/]{43}=:$/);
  expect(signed['signature-input']).toMatch(/^gateway=\("@method" "@path" "@query"\);created=\d+;keyid="octroi"$/);
});

test('request headers are added, passed and dropped', async () => {
  const received = await receivedHeaders(
    { requestHeaders: { add: { 'X-Tenant': 'india' }, pass: ['Cookie'], drop: ['Accept-Language'] } },
    { headers: { cookie: 'a=b', 'accept-language': 'hi', 'x-tenant': 'forged', 'x-other': 'kept' } },
  );
  expect(received).toMatchObject({ 'x-tenant': 'india', cookie: 'a=b', 'x-other': 'kept' });
  expect(received).not.toHaveProperty('accept-language');
  expect(received).not.toHaveProperty('x-api-key');
});

test('response headers are added and dropped', async () => {
  const call = await serve(
    { responseHeaders: { add: { 'Cache-Control': 'no-store' }, drop: ['Server', 'X-Powered-By'] } },
    (_req, res) => {
      res
        .writeHead(200, { Server: 'internal/1.2', 'x-powered-by': 'x', 'cache-control': 'public', 'X-Kept': '1' })
        .end();
    },
  );
  const { headers } = await call();
  expect(headers.get('server')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-kept')).toBe('1');
});

const sendUrl: RequestListener = (req, res) => void res.end(req.url);

test('every path passes if the product says so, and none outside its base', async () => {
  const any = await serve({ paths: 'any' }, sendUrl);
  expect(await (await any({ path: '/search?q=1' })).text()).toBe('/search?q=1');
  expect((await any({ path: '/a/..%2fadmin' })).status).toBe(400);
  const versioned = await serve({}, sendUrl);
  expect((await versioned({ path: '/search?q=1' })).status).toBe(404);
});

test('each product has its own body limit and timeout', async () => {
  const call = await serve({ maxBodyBytes: 2048, timeoutMs: 5000 }, (req, res) => {
    req.resume();
    if (req.url !== '/v1/slow') req.once('end', () => res.end('ok'));
  });
  expect((await call({ method: 'POST', body: 'x'.repeat(2048) })).status).toBe(200);
  expect((await call({ method: 'POST', body: 'x'.repeat(2049) })).status).toBe(413);
  expect((await call({ path: '/v1/slow' })).status).toBe(504);
});

test('a GET is sent again after a reset connection, as often as the product allows', async () => {
  let received = 0;
  const failing: RequestListener = (req, res) => {
    received += 1;
    if (received % 3 === 0) res.end('ok');
    else req.socket.destroy();
  };
  const patient = await serve({ retries: 2 }, failing);
  expect((await patient()).status).toBe(200);
  expect(received).toBe(3);
  const never = await serve({ retries: 0 }, failing);
  expect((await never()).status).toBe(502);
  expect(received).toBe(4);
});

test('a product that fails its health check is named by the gateway, which stays healthy', async () => {
  let isWell = true;
  const asked: (string | undefined)[] = [];
  const call = await serve({ health: { path: '/healthz', everySeconds: 1 } }, (req, res) => {
    asked.push(req.url);
    res.writeHead(isWell ? 200 : 503).end();
  });
  const health = async (): Promise<unknown> => {
    const { url } = await call();
    return (await fetch(new URL('/health', url))).json();
  };
  await expect.poll(() => asked).toContain('/healthz');
  await expect.poll(health).toEqual({ status: 'ok' });
  isWell = false;
  await expect.poll(health).toEqual({ status: 'ok', failingProducts: ['tax-lookup-api'] });
  isWell = true;
  await expect.poll(health).toEqual({ status: 'ok' });
});

const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' };

test('pages of listed origins may call, with the headers that the product names', async () => {
  const listed = await serve(
    {
      cors: {
        origins: ['https://app.example'],
        methods: ['GET', 'PATCH'],
        headers: ['X-Trace'],
        expose: ['X-Trace-Id'],
      },
    },
    sendUrl,
  );
  const asked = await listed({ method: 'OPTIONS', headers: preflight });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(asked.headers.get('access-control-allow-methods')).toBe('GET, PATCH');
  for (const name of ['X-Trace', 'If-None-Match', 'If-Match', 'Range'])
    expect(asked.headers.get('access-control-allow-headers')).toContain(name);
  const { headers } = await listed({ headers: { origin: 'https://app.example' } });
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  for (const name of ['X-Trace-Id', 'ETag', 'Location', 'Content-Range'])
    expect(headers.get('access-control-expose-headers')).toContain(name);
  const other = await listed({ headers: { origin: 'https://other.example' } });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  const any = await serve({ cors: { origins: 'any' } }, sendUrl);
  const open = await any({ headers: { origin: 'https://other.example' } });
  expect(open.headers.get('access-control-allow-origin')).toBe('*');
});

test('an upstream behind TLS with its own CA gets a client certificate', async () => {
  const extensions = [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }];
  const serverPems = generate([{ name: 'commonName', value: 'upstream' }], { keySize: 2048, extensions });
  const clientPems = generate([{ name: 'commonName', value: 'gateway' }], { keySize: 2048 });
  const paths = {
    ca: join(folder, 'ca.pem'),
    certificate: join(folder, 'client.pem'),
    key: join(folder, 'client.key'),
  };
  writeFileSync(paths.ca, serverPems.cert);
  writeFileSync(paths.certificate, clientPems.cert);
  writeFileSync(paths.key, clientPems.private);
  const tls: ServerOptions = {
    key: serverPems.private,
    cert: serverPems.cert,
    ca: clientPems.cert,
    requestCert: true,
    rejectUnauthorized: true,
  };
  const plain = await openUpstream(createTlsServer(tls, (_req, res) => void res.end('over TLS')));
  const upstream = plain.replace('http:', 'https:');
  const ca = 'ca.pem';
  const call = await callerOf({ tls: { ca, certificate: 'client.pem', key: { file: 'client.key' } } }, upstream);
  expect(await (await call()).text()).toBe('over TLS');
  // Neither a stranger's server nor a gateway without the certificate gets through.
  expect((await (await callerOf({ tls: { ca } }, upstream))()).status).toBe(502);
  expect((await (await callerOf({}, upstream))()).status).toBe(502);
});
