import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { apiDescription } from '#web/features/reference/api-description.ts';
import { operationsOf, readOperation, searchOperations } from '#web/features/reference/operations.ts';
import { publicSide, readAsReference } from '#web/features/reference/test-documents.ts';

/** OpenAPI documents of APIs that nobody here wrote, from packages, read as the reference reads them. */

const packages = join(import.meta.dirname, '../../../node_modules');
const oasExamples = ['3.0', '3.1'].flatMap((version) => {
  const folder = join('@readme/oas-examples', version, 'json');
  const files = readdirSync(join(packages, folder)).filter((file) => file.endsWith('.json'));
  return files.map((file) => join(folder, file));
});
const documents = oasExamples
  .map((name) => ({ name, text: readFileSync(join(packages, name), 'utf8') }))
  .toSorted((a, b) => b.text.length - a.text.length);

test('there are at least twenty documents', () => {
  expect(documents.length).toBeGreaterThanOrEqual(20);
});

test.for(documents)(
  'the reference reads every operation of $name: its fields, examples, samples and collection',
  ({ text }) => {
    expect(() => readAsReference(text)).not.toThrow();
  },
);

test('a document of 5 MB is read in a moment, operation by operation', () => {
  const largest = documents.find(({ name }) => name.includes('star-trek'));
  const given = apiDescription.parse(JSON.parse(largest?.text ?? ''));
  const copies = Array.from({ length: 18 }, (_, copy) =>
    Object.entries(given.paths).map(([path, item]) => [`/copy${copy}${path}`, structuredClone(item)]),
  );
  const description = apiDescription.parse(
    publicOpenApi({ ...given, paths: Object.fromEntries(copies.flat()) }, publicSide),
  );
  expect(JSON.stringify(description).length).toBeGreaterThan(5_000_000);
  // CPU time, because on a busy machine the process waits for its turn.
  const before = process.cpuUsage();
  const operations = operationsOf(description);
  const [last] = operations.slice(-1);
  const read = last && readOperation(description, last);
  expect(read?.answers.length).toBeGreaterThan(1);
  expect(searchOperations(operations, 'copy10 get').length).toBeGreaterThan(10);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});
