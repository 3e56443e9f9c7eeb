import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, CatalogFaults, type CatalogFiles, catalogOf } from '#catalog/catalog.ts';
import { readCatalogFiles } from '#catalog/catalog-files.ts';
import { compareCatalogs } from '#catalog/compare-catalogs.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';

const paths = {
  '/v1/users': { get: {} },
  '/v1/users/{id}': { get: {}, delete: { 'x-internal': true } },
  '/v1/keys/{name}': { get: { 'x-internal': true } },
  '/v1/keys/public': { get: {} },
  '/admin/purge': { 'x-internal': true, delete: {} },
};
const document = { openapi: '3.1.0', info: { title: 'Mini', version: '1' }, paths };

/** The stand-ins' catalogue, whose first product has a document of its own and further fields. */
function filesWith(fields: Record<string, string>, content = JSON.stringify(document)): CatalogFiles {
  const folder = changedCatalog({
    'tax-lookup-api': { openapi: '{ file: mini.json }', gateway: '{ paths: any }', ...fields },
  });
  writeFileSync(join(folder, 'mini.json'), content);
  return readCatalogFiles(folder);
}

const catalogWith = (...with_: Parameters<typeof filesWith>): Catalog => catalogOf(filesWith(...with_));

let harness: Harness;
let reached: string[] = [];
const api = createServer((req, res) => {
  reached.push(`${req.method} ${req.url}`);
  res.end('ok');
});
let port = 0;
let key = '';
let close = async (): Promise<void> => {};
beforeAll(async () => {
  harness = await openHarness();
  const gateway = await startTestGateway(
    { ...harness.setup, dataDir: `${harness.setup.dataDir}/refusing` },
    { upstream: await listen(api, 0, '127.0.0.1'), catalog: catalogWith({ refused: '[{ path: /v1/status }]' }) },
  );
  close = () => gateway.close();
  port = Number(new URL(gateway.url).port);
  ({ key } = await createCustomer(harness.database.pool, {}));
});
afterAll(async () => {
  await close();
  await harness.close();
  api.closeAllConnections();
  api.close();
});

/** Sends a target as it is written, and returns the status and the body. */
async function send(method: string, target: string): Promise<[status: number, body: string]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `${method} /tax-lookup${target} HTTP/1.1\r\nHost: gate\r\nX-API-Key: ${key}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  const reply = await text(socket);
  return [Number(reply.slice(9, 12)), reply];
}

test.each([
  ['DELETE', '/admin/purge'],
  ['POST', '/admin/purge'],
  ['DELETE', '/ADMIN/purge/'],
  ['DELETE', '//admin//purge?a=b'],
  ['DELETE', '/admin%2Fpurge'],
  ['DELETE', '/%61dmin/p%2575rge'],
  ['DELETE', '/admin;a=b/purge'],
  ['DELETE', '/admin\\purge'],
  ['DELETE', '/admin/purge.json'],
  ['DELETE', '/v1/users/7'],
  ['DELETE', '/V1/Users/7/'],
  ['GET', '/v1/keys/secret'],
  ['HEAD', '/v1/keys/secret'],
  ['GET', '/v1/keys/PUBLIC'],
  ['PATCH', '/v1/status'],
])('%s %s is not sold: it gets 404 and never reaches the API', async (method, target) => {
  reached = [];
  const [status, body] = await send(method, target);
  expect([status, reached]).toEqual([404, []]);
  expect(method === 'HEAD' || body.includes('"path-unknown"')).toBe(true);
});

test('dot segments lead to no call that is refused', async () => {
  reached = [];
  for (const target of ['/v1/../admin/purge', '/x/%2e%2e/admin/purge', '/admin/./purge'])
    expect((await send('DELETE', target))[0]).toBe(400);
  expect(reached).toEqual([]);
});

test.each([
  ['GET', '/v1/users/7'],
  ['GET', '/v1/users'],
  ['DELETE', '/v1/users'],
  ['GET', '/v1/keys/public'],
  ['GET', '/v1/other'],
])('%s %s is forwarded beside calls that are refused', async (method, target) => {
  reached = [];
  expect((await send(method, target))[0]).toBe(200);
  expect(reached).toEqual([`${method} ${target}`]);
});

test('a document that can’t be read is a fault, as what it marks would be open', () => {
  for (const content of ['{', '{}', '{ "openapi": "2.0" }'])
    expect(() => catalogWith({}, content)).toThrow(CatalogFaults);
});

test('what is refused can’t be for sale', () => {
  const metered = '[{ id: purge, name: Purge, method: DELETE, path: /admin/purge, units: 5 }]';
  expect(() => catalogWith({ metered })).toThrow(/metered\.0: is refused to everybody/);
});

test('an operation that the document lacks is a fault', () => {
  const metered = '[{ id: gone, name: Gone, method: POST, path: /v1/gone, units: 5 }]';
  expect(() => catalogWith({ metered })).toThrow(/metered\.0: its OpenAPI document has no POST \/v1\/gone/);
});

test('the difference of two catalogues names the calls that are refused and those that no longer are', () => {
  const [before, after] = [catalogWith({}), catalogWith({ refused: '[{ method: GET, path: /v1/users }]' })];
  const changes = compareCatalogs(before, after).map(({ change }) => change);
  expect(changes).toContain('refuses GET /v1/users');
  expect(compareCatalogs(after, before).map(({ change }) => change)).toContain('no longer refuses GET /v1/users');
});
