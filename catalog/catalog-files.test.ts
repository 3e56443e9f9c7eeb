import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { catalogOf, CatalogFaults } from './catalog.ts';
import { readCatalog, readCatalogFiles, SoundFiles } from './catalog-files.ts';
import { changedCatalog } from './test-catalog.ts';

const sample = (): Map<string, Buffer> => readCatalogFiles(projectFolder('ship', 'standins', 'catalog'));
const product = 'tax-lookup-api.yaml';

/** The faults of the sample with these fields at the end of a product file. */
async function faultsOf(change: (files: Map<string, Buffer>) => void): Promise<readonly string[]> {
  const files = sample();
  change(files);
  try {
    await SoundFiles.of(files);
  } catch (error) {
    if (error instanceof CatalogFaults) return error.faults;
    throw error;
  }
  return [];
}
const withLine = (line: string) => (files: Map<string, Buffer>) =>
  void files.set(product, Buffer.concat([files.get(product) ?? Buffer.alloc(0), Buffer.from(`\n${line}\n`)]));

const movedTo =
  (address: string) =>
  (files: Map<string, Buffer>): void => {
    const text = files.get(product)?.toString() ?? '';
    files.set(product, Buffer.from(text.replace(/^upstreamUrl: .*$/m, `upstreamUrl: '${address}'`)));
  };

test('a version whose names documents cannot show is refused, but stays readable if it is on sale', async () => {
  const files = sample();
  const text = files.get(product)?.toString() ?? '';
  files.set(product, Buffer.from(text.replace(/^name: .*$/m, 'name: API 東京')));
  await expect(SoundFiles.of(files)).rejects.toThrow(/the name API 東京 is on invoices. Documents can’t show “東”/);
  expect(catalogOf(files).products.length).toBeGreaterThan(1);
});

test.each([
  ['openapi: { file: ../../../../../../../../etc/passwd }'],
  ['openapi: { file: /etc/passwd }'],
  ['openapi: { file: below/weather.json }'],
])('%s is refused, as a catalogue names only files beside it', async (line) => {
  expect((await faultsOf(withLine(line))).join('\n')).toMatch(/yaml:\d+: openapi\.file: must be/);
});

test.each([
  ['{ env: DATABASE_URL }'],
  ['{ env: RAZORPAY_KEY_SECRET }'],
  ['{ env: PATH }'],
  ['{ env: CATALOG_SECRETS_DIR }'],
  ['{ file: /etc/passwd }'],
  ['{ file: ../postgres-password }'],
  ['{ file: a/../../postgres-password }'],
  ['{ file: .hidden }'],
])('a secret from %s is refused with its place and the way out', async (source) => {
  const headers = await faultsOf(
    withLine(`gateway: { credentials: [{ type: header, name: X-Key, value: ${source} }] }`),
  );
  expect(headers).toEqual([
    expect.stringMatching(
      /yaml:\d+: gateway\.credentials\.0\.value\.\w+: must be(?:gin with| a file).* ?(?:CATALOG_SECRET_|CATALOG_SECRETS_DIR)/,
    ),
  ]);
  const keys = await faultsOf(withLine(`gateway: { tls: { certificate: a.pem, key: ${source} } }`));
  expect(keys.join('\n')).toMatch(/gateway\.tls\.key\.\w+: must be(?:gin with| a file)/);
});

test.each([
  ['ca', '{ ca: /etc/passwd }'],
  ['certificate', '{ key: { file: k }, certificate: ../passwd }'],
])('tls.%s names no file outside of the folder of secrets', async (field, tls) => {
  const [fault] = await faultsOf(withLine(`gateway: { tls: ${tls} }`));
  expect(fault).toContain(`gateway.tls.${field}: must be a file in the folder CATALOG_SECRETS_DIR`);
});

test.each([
  ['http://169.254.169.254/latest', /a cloud gives/],
  ['http://2852039166/', /a cloud gives/],
  ['http://[::ffff:169.254.169.254]/', /a cloud gives/],
  ['http://[fe80::1]/', /a cloud gives/],
  ['http://168.63.129.16/', /a cloud gives/],
  ['http://192.0.0.192/', /a cloud gives/],
  ['file:///srv/module.mjs', /http:\/\/ or https:\/\//],
])('an API at %s is refused', async (address, message) => {
  expect(await faultsOf(movedTo(address))).toEqual([expect.stringMatching(message)]);
});

test('an API on the same machine is allowed', async () => {
  expect(await faultsOf(movedTo('http://127.0.0.1:7999'))).toEqual([]);
});

test('aliases that grow without end, too many levels and a path below a file are faults with their place', async () => {
  const names = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
  const bomb = names.map((name, index) => {
    const before = names[index - 1];
    return `${name}: &${name} [${before === undefined ? '1' : Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  });
  expect(await faultsOf((files) => files.set('bomb.yaml', Buffer.from(bomb.join('\n'))))).toEqual([
    expect.stringMatching(/^bomb\.yaml:2: has too many aliases/),
  ]);
  const deep = await faultsOf((files) => files.set('deep.yaml', Buffer.from(`a: ${'['.repeat(20_000)}`)));
  expect(deep.join('\n')).toMatch(/^deep\.yaml:1: /);
  expect(await faultsOf((files) => files.set(`${product}/x.md`, Buffer.from('x')))).toEqual([
    `${product}/x.md: ${product} is a file, so nothing can lie below it`,
  ]);
  expect(await faultsOf((files) => files.set('big.yaml', Buffer.alloc(256 * 1024 + 1, ' ')))).toEqual([
    expect.stringMatching(/^big\.yaml: has 262145 bytes/),
  ]);
});

test('a document that is not JSON is a fault that quotes nothing of it', async () => {
  const faults = await faultsOf((files) => {
    files.set('private.json', Buffer.from('root:*:202'));
    withLine('openapi: { file: private.json }')(files);
  });
  expect(faults).toEqual([expect.stringMatching(/yaml:\d+: openapi: private\.json: is not valid JSON$/)]);
});

test('a FIFO, a device and a folder in the catalogue’s folder are faults, and nothing waits for them', () => {
  const folder = changedCatalog({});
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  expect(() => readCatalog(folder)).toThrow(/pipe\.json: can't be read: it is not a regular file/);
  execFileSync('rm', [pipe]);
  symlinkSync('/dev/zero', join(folder, 'zero.json'));
  expect(() => readCatalog(folder)).toThrow(/zero\.json: can't be read: it is not a regular file/);
  execFileSync('rm', [join(folder, 'zero.json')]);
  mkdirSync(join(folder, 'folder.yaml'));
  expect(() => readCatalog(folder)).toThrow(/folder\.yaml: can't be read: it is a folder/);
  writeFileSync(join(folder, 'notes.txt'), '');
});
