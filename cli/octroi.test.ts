import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captureTerminal } from './test-terminal.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { exitCodes } from './command-result.ts';
import { commands, run } from './octroi.ts';

const terminal = captureTerminal();

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-'));
const shops = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Shops', version: '1', description: 'Finds shops. Everywhere in India.' },
  paths: { '/v1/shops': { get: { summary: 'All shops', responses: { 200: { description: 'Shops' } } } } },
});

test('docs/operating/commands.md lists every command', () => {
  const page = readFileSync(projectFolder('docs', 'operating', 'commands.md'), 'utf8');
  const named = new Set(
    page.split('\n').flatMap((row) => {
      const [, cell = ''] = /^\| (`.*?) \|/.exec(row) ?? [];
      return [...cell.matchAll(/`(?:octroi )?([a-z0-9-]+)/g)].map(([, name = '']) => name);
    }),
  );
  const left = commands().filter((command) => !named.has(command.name()));
  expect(left.map((command) => command.name())).toEqual([]);
});

test('an API is imported, checked, completed and compared', async () => {
  const catalog = join(folder, 'catalog');
  const source = join(folder, 'shops.json');
  writeFileSync(source, shops);
  const words = ['catalog', 'import', source, '--folder', catalog, '--upstream', 'http://127.0.0.1:9/'];
  expect(await run(words)).toBe(exitCodes.done);
  expect(terminal.out).toContain('Left to do:');
  expect(await run(words)).toBe(exitCodes.failed);
  expect(terminal.errors).toMatch(/shops\.yaml exists\. Choose another id with --id, or replace it with --replace/);
  const file = join(catalog, 'shops.yaml');
  const sound = readFileSync(file, 'utf8');
  writeFileSync(file, sound.replace('price: 499', 'price: much'));
  terminal.out = '';
  expect(await run(['catalog', 'check', '--folder', catalog])).toBe(exitCodes.faults);
  expect(terminal.out).toMatch(/shops\.yaml:\d+: plans\.1\.price: /);
  const decided = sound.replace('price: 499', 'price: 999 # decided');
  writeFileSync(file, decided);
  expect(await run([...words, '--replace'])).toBe(exitCodes.done);
  expect(readFileSync(file, 'utf8')).toContain('price: 999 # decided');
  const renamed = join(catalog, '20-shops.yaml');
  renameSync(file, renamed);
  expect(await run(words)).toBe(exitCodes.failed);
  expect(await run([...words, '--replace'])).toBe(exitCodes.done);
  expect(existsSync(file)).toBe(false);
  renameSync(renamed, file);
  writeFileSync(file, sound);
  terminal.out = '';
  expect(await run(['catalog', 'check', '--folder', catalog, '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ faults: [], products: [{ id: 'shops', plans: 2, refused: [] }] });
  terminal.out = '';
  expect(await run(['catalog', 'diff', catalog, '--from', projectFolder('ship', 'standins', 'catalog')])).toBe(
    exitCodes.done,
  );
  expect(terminal.out).toContain('shops: added with 2 plans; path on the gateway: shops;');
  expect(terminal.out).toContain('tax-lookup-api: removed');
});

test('fields of a product are set by a command, and a change with a fault is not kept', async () => {
  const catalog = join(folder, 'set');
  const source = join(folder, 'to-set.json');
  writeFileSync(source, shops);
  await run(['catalog', 'import', source, '--folder', catalog, '--upstream', 'http://127.0.0.1:9/']);
  const file = join(catalog, 'shops.yaml');
  const set = (...words: string[]) => run(['catalog', 'set', ...words, '--folder', catalog]);
  terminal.out = '';
  expect(await set('shops', 'plans.starter.price=999', 'tagline=Shops: all of India')).toBe(exitCodes.done);
  expect(terminal.out).toContain('shops: plan starter: price ₹499 → ₹999');
  const changed = readFileSync(file, 'utf8');
  expect(changed).toContain('# To be confirmed by your accountant');
  terminal.out = '';
  expect(await set('shops', 'plans.starter.price=-1')).toBe(exitCodes.faults);
  expect(terminal.out).toMatch(/shops\.yaml:\d+: plans\.1\.price: /);
  expect(readFileSync(file, 'utf8')).toBe(changed);
  expect(await set('shops', 'plans.large.price=1')).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('plans has no "large". It is a list: free, starter.');
  expect(await set('shops', 'price')).toBe(exitCodes.usage);
  expect(await set('ships', 'position=1')).toBe(exitCodes.failed);
  expect(terminal.errors).toMatch(/There is no product "ships" in .*: shops\./);
});

test('an API is imported from an address, and an address without a document is explained', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/openapi.json') res.end(shops);
    else res.writeHead(404).end();
  });
  // Once it is closed nobody else listens there.
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${port}`;
  const target = ['--folder', join(folder, 'fetched'), '--upstream', url, '--json'];
  expect(await run(['catalog', 'import', `${url}/openapi.json`, ...target])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ id: 'shops' });
  expect(await run(['catalog', 'import', `${url}/nothing`, ...target])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('responds with status 404');
  expect(await run(['catalog', 'import', folder, ...target])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${folder} can't be read: it is a folder.`);
  await once(server.close(), 'close');
  expect(await run(['catalog', 'import', `${url}/openapi.json`, ...target])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('cannot be read');
});

test.each([[['catalog', 'sell']], [['catalog', 'check', '--nothing']], [['catalog', 'import']]])(
  '%j is a wrong command line',
  async (words) => {
    expect(await run(words)).toBe(exitCodes.usage);
    expect(terminal.errors).toContain('Add --help for the options and examples.');
  },
);

test('the version is that of package.json', async () => {
  expect(await run(['--version'])).toBe(exitCodes.done);
  expect(terminal.out).toBe(`${octroiVersion()}\n`);
});

test('help shows examples', async () => {
  expect(await run(['catalog', 'import', '--help'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('octroi catalog import weather.yaml');
});

test('the help of a part names what it needs, must be given and keeps, and an unknown setting is a wrong command line', async () => {
  expect(await run(['gateway', '--help'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('--gateway-port <value>');
  expect(terminal.out).toMatch(/Must be set: DATABASE_URL\nKeeps: its journal/);
  expect(terminal.out).toContain('GET /health on GATEWAY_PORT');
  expect(await run(['gateway', '--portal-prot', '1'])).toBe(exitCodes.usage);
});
