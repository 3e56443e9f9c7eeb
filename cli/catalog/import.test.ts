import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';

const documentWith = (more: string) =>
  `{"openapi":"3.1.0","info":{"title":"Weather","version":"1"},"servers":[{"url":"http://127.0.0.1:9"}],"paths":{"/v1/rain":{"get":{"summary":"Rain"}}}${more}}`;

const printed = captureTerminal();

async function importDocument(text: string): Promise<{ code: unknown; folder: string; written: string[] }> {
  const folder = emptyCatalog();
  const source = join(folder, 'source.txt');
  writeFileSync(source, text);
  const code = await run(['catalog', 'import', source, '--folder', folder]);
  return { code, folder, written: readdirSync(folder).filter((name) => name !== 'source.txt') };
}

test('a document becomes a product behind those in the folder', async () => {
  const { code, folder, written } = await importDocument(documentWith(''));
  expect([code, written.toSorted()]).toEqual([0, ['weather.openapi.json', 'weather.yaml']]);
  expect(readFileSync(join(folder, 'weather.yaml'), 'utf8')).toMatch(/^position: 1$/m);
});

test('a document that needs more than it may is refused in a sentence, without a stack trace, and nothing is written', async () => {
  const deep = `,"x-deep":${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const { code, written } = await importDocument(documentWith(deep));
  expect([code, written]).toEqual([exitCodes.failed, []]);
  expect(printed.errors).toMatch(
    /source\.txt is too large, or nested too deeply, to be read within 120 seconds and 2048 MB\. Nothing was written\./,
  );
  expect(printed.out + printed.errors).not.toMatch(/\n\s+at /);
});

test('the document of another product is not overwritten, neither by a new product nor by one that is replaced', async () => {
  const { folder } = await importDocument(documentWith(''));
  const product = readFileSync(join(folder, 'weather.yaml'), 'utf8');
  writeFileSync(join(folder, 'climate.yaml'), product.replace(/^id: weather$/m, 'id: climate'));
  writeFileSync(join(folder, 'weather.yaml'), product.replace(/^id: weather$/m, 'id: rain'));
  const before = readFileSync(join(folder, 'weather.openapi.json'), 'utf8');
  writeFileSync(join(folder, 'source.txt'), documentWith(',"x-other":1'));
  const source = join(folder, 'source.txt');
  expect(await run(['catalog', 'import', source, '--folder', folder, '--id', 'climate', '--replace'])).toBe(
    exitCodes.failed,
  );
  expect(printed.errors).toContain('weather.openapi.json is the document of weather.yaml');
  writeFileSync(join(folder, 'forecast.yaml'), product.replace(/^id: weather$/m, 'id: forecast'));
  rmSync(join(folder, 'weather.yaml'));
  rmSync(join(folder, 'climate.yaml'));
  expect(await run(['catalog', 'import', source, '--folder', folder])).toBe(exitCodes.failed);
  expect(printed.errors).toContain('weather.openapi.json is the document of forecast.yaml');
  expect(readFileSync(join(folder, 'weather.openapi.json'), 'utf8')).toBe(before);
});
