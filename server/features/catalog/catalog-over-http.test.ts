import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { draftProduct } from '#shared/contract/operator/catalog.ts';
import { recordFirstCatalog } from '#shared/database/catalog-versions.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
let owner: string;
let token: string;
const folder = mkdtempSync(join(tmpdir(), 'octroi-input-'));
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  const files = await SoundFiles.in(projectFolder('ship', 'standins', 'catalog'));
  await recordFirstCatalog(world.portal.db, files, { author: 'a test', reason: 'First start' });
  operators = testOperators(world);
  owner = await operators.signedIn('owner@kaveri.example', 'owner');
  await operators.prove('owner@kaveri.example');
  const scopes = ['applyCatalog', 'draftProduct', 'listCatalogVersions'];
  const made = await operators.post('calls/createToken', owner, {
    input: { name: 'Deploy', scopes, days: 1 },
    reason: 'A test',
  });
  token = String(Object(made.body).token);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');
const leak = (line: string): string =>
  `${sample
    .replace(/^id: .*$/m, 'id: leak')
    .replace(/^gatewayPath: .*$/m, 'gatewayPath: leak')
    .replace(/^aliases: .*$/m, '')}\n${line}\n`;
const withFile = (content: string | Buffer, path = 'leak.yaml') => ({
  comparedWith: 1,
  whole: false,
  files: [{ path, content: Buffer.from(content).toString('base64') }],
  removed: [],
});
const versions = async () =>
  (await world.portal.db.selectFrom('catalog_versions').select('version').execute()).map(({ version }) => version);

test.each([
  ['gateway: { credentials: [{ type: header, name: X-Leak, value: { env: DATABASE_URL } }] }', 'CATALOG_SECRET_'],
  ['gateway: { credentials: [{ type: bearer, token: { file: /etc/passwd } }] }', 'CATALOG_SECRETS_DIR'],
  ['gateway: { tls: { ca: /etc/passwd } }', 'CATALOG_SECRETS_DIR'],
  ['openapi: { file: ../../../../../../../../etc/passwd }', 'must be a file beside this one'],
])(
  'with a token, a file with %s is refused by preview and action, with its line and the way out',
  async (line, way) => {
    for (const ask of [operators.preview, operators.act]) {
      const { status, body } = await ask(token, 'applyCatalog', withFile(leak(line)));
      expect([status, Object(body).code]).toEqual([400, 'invalid_request']);
      expect(Object(body).message).toMatch(/leak\.yaml:\d+: /);
      expect(Object(body).message).toContain(way);
      expect(Object(body).message).not.toContain('root:');
    }
    expect(await versions()).toEqual([1]);
  },
);

test('the path of a FIFO is refused while the portal answers everybody', async () => {
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const line = `openapi: { file: ${relative(join(tmpdir(), 'x'), pipe)} }`;
  const [asked, health] = await Promise.all([
    operators.preview(owner, 'applyCatalog', withFile(leak(line))),
    fetch(`${world.portalUrl}/backend/health`),
  ]);
  expect([asked.status, health.status]).toEqual([400, 200]);
});

test('aliases without end and a path below a file are faults of the request', async () => {
  const before = ['b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const bomb = ['a: &a [1]', ...before.map((name, index) => aliased(name, before[index - 1] ?? 'a'))].join('\n');
  expect(await operators.preview(owner, 'applyCatalog', withFile(bomb, 'bomb.yaml'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: expect.stringMatching(/bomb\.yaml:2: has too many aliases/) },
  });
  expect(await operators.preview(owner, 'applyCatalog', withFile('x', 'tax-lookup-api.yaml/x.md'))).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('nothing can lie below it') },
  });
});
const aliased = (name: string, of: string): string =>
  `${name}: &${name} [${Array.from({ length: 9 }, () => `*${of}`).join(', ')}]`;

const picture = (bytes: number) => withFile(Buffer.alloc(bytes, 'a'), 'notes.txt');

test('a catalogue’s files may be large, after the right was checked; other calls stay as they were', async () => {
  expect((await operators.preview(owner, 'applyCatalog', picture(5_000_000))).status).toBe(200);
  expect(await operators.preview(owner, 'applyCatalog', picture(13_000_000))).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
  const support = await operators.signedIn('support@kaveri.example', 'support');
  expect((await operators.preview(support, 'applyCatalog', picture(5_000_000))).status).toBe(403);
  expect((await operators.read(owner, 'findCustomers', { text: 'a'.repeat(100_000) })).status).toBe(400);
}, 120_000);

test('a document becomes a product that the preview shows with its address, and only an owner may draft it', async () => {
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    servers: [{ url: 'http://10.0.0.5:8080' }],
    security: [{ key: [] }],
    paths: { '/v1/rain': { get: { summary: 'Rain of a day' } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });
  const plans = [{ id: 'pro', name: 'Pro', price: 999, dailyQuota: 500, monthlyQuota: 9000, rps: 3 }];
  const { status, body } = await operators.read(token, 'draftProduct', { document, name: 'Rain & sun', plans });
  expect(status).toBe(200);
  const draft = draftProduct.reply.parse(body);
  expect(draft).toMatchObject({ id: 'weather', name: 'Rain & sun', gatewayPath: 'weather', plans });
  expect(draft.operations).toEqual([{ method: 'GET', path: '/v1/rain', summary: 'Rain of a day' }]);
  expect(draft.remaining.join('\n')).toContain('Set CATALOG_SECRET_WEATHER_KEY');
  const input = { comparedWith: 1, whole: false, files: draft.files, removed: [] };
  const preview = await operators.preview(token, 'applyCatalog', input);
  const [change] = Object(preview.body).changes;
  expect(change).toMatchObject({
    product: 'weather',
    change: expect.stringMatching(/http:\/\/10\.0\.0\.5:8080.*header X-Key from CATALOG_SECRET_WEATHER_KEY/),
  });
  const again = await operators.read(owner, 'draftProduct', { document, id: 'tax-lookup-api' });
  expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('Choose another id') } });
  const replacing = { document, id: 'tax-lookup-api', replaces: true };
  const replaced = draftProduct.reply.parse((await operators.read(owner, 'draftProduct', replacing)).body);
  // Its document so far is with the API.
  expect(replaced).toMatchObject({
    isReplacement: true,
    compared: null,
    name: 'Tax Lookup API',
    gatewayPath: 'tax-lookup',
    remaining: expect.arrayContaining([
      expect.stringContaining('the API asks for "key", and the gateway sends nothing'),
    ]),
  });
  const old = await operators.read(owner, 'draftProduct', { document: 'swagger: "2.0"' });
  expect(old).toMatchObject({ status: 400, body: { message: expect.stringContaining('Swagger 2.0') } });
  const reader = await operators.signedIn('reader@kaveri.example', 'read-only');
  expect((await operators.read(reader, 'draftProduct', { document })).status).toBe(403);
});

test('a document whose draft is larger than any catalogue is refused, and the portal goes on', async () => {
  const aliases = Array.from({ length: 80 }, () => '*a').join(', ');
  const document = `openapi: 3.1.0
info: { title: Large, version: '1' }
servers: [{ url: 'https://api.example.com' }]
paths: { /v1/rain: { get: { summary: Rain } } }
x-a: &a ${'x'.repeat(1_000_000)}
x-b: [${aliases}]
`;
  expect(await operators.read(token, 'draftProduct', { document })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('too large') },
  });
  expect((await operators.read(token, 'listCatalogVersions', {})).status).toBe(200);
});

const contentsOf = async (input: { version: number; contents?: string[] }) => {
  const { body } = await operators.read(owner, 'readCatalogVersion', input);
  const list: { path: string; content: string | null }[] = Object(body).files;
  return list.filter(({ content }) => content !== null).map(({ path }) => path);
};

test('only the contents that are asked for are sent', async () => {
  expect(await contentsOf({ version: 1, contents: [] })).toEqual([]);
  expect(await contentsOf({ version: 1, contents: ['map-tiles.yaml'] })).toEqual(['map-tiles.yaml']);
  expect((await contentsOf({ version: 1 })).length).toBeGreaterThan(3);
});

test('a preview names the customers of a product that was sold before', async () => {
  await world.newCustomer();
  const { id } = await world.portal.db.selectFrom('customers').select('id').limit(1).executeTakeFirstOrThrow();
  await world.portal.db
    .insertInto('activations')
    .values({ id: 'ACT-sold-before', customer_id: id, service_id: 'leak', created_at: new Date() })
    .execute();
  const { status, body } = await operators.preview(owner, 'applyCatalog', withFile(leak('')));
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('1 customer who has it: calls of their keys are served again');
});
