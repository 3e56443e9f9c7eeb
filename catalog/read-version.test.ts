import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import * as processes from '#shared/platform/ask-process.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { catalogOf } from './catalog.ts';
import { readVersion } from './read-version.ts';

const sample = readFileSync(projectFolder('ship', 'standins', 'catalog', 'tax-lookup-api.yaml'), 'utf8');
const withFile = `${sample}\nopenapi: { file: large.json }\n`;

/** A catalogue whose product has a document of two megabytes, one call of which is internal. */
function filesWith(yaml: string): Map<string, Buffer> {
  const operation = { summary: 'x'.repeat(2000), responses: { 200: { description: 'Done' } } };
  const paths = Array.from({ length: 1000 }, (_, index) => [
    `/v1/things/${index}`,
    { get: operation, 'x-internal': index === 7 },
  ]);
  const document = { openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths: Object.fromEntries(paths) };
  return new Map([
    ['tax-lookup-api.yaml', Buffer.from(yaml)],
    ['large.json', Buffer.from(JSON.stringify(document))],
  ]);
}

test('a version with a large document is read in a process of its own, as in this one', async () => {
  const asked = vi.spyOn(processes, 'askProcess');
  const files = filesWith(withFile);
  const read = await readVersion(3, files);
  const here = catalogOf(files);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(read.products).toEqual(here.products);
  expect(read.products[0]?.refused).toEqual([{ path: '/v1/things/7' }]);
  expect(read.find('tax-lookup-api')).toBe(read.products[0]);
});

test('the faults of a large version say what they say of a small one', async () => {
  const files = filesWith(withFile.replace('price: 499', 'price: much'));
  const said = /octroi catalog show 3 .*[^]*tax-lookup-api\.yaml:\d+: plans/;
  await expect(readVersion(3, files)).rejects.toThrow(said);
  files.set('large.json', Buffer.from('{}'));
  await expect(readVersion(3, files)).rejects.toThrow(said);
});
