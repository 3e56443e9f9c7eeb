import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { apiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues, requestOf } from '#web/features/reference/api-request.ts';
import { operationsOf, readOperation, searchOperations } from '#web/features/reference/operations.ts';
import { postmanCollection } from '#web/features/reference/postman-collection.ts';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';
import { fieldsOf, type SchemaField } from '#web/features/reference/schema-fields.ts';

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

const side = {
  portalUrl: 'https://portal.example',
  url: 'https://api.example.in/any',
  paths: 'any',
  hiddenHeaders: [],
} as const;

/** Opens fields as a reader would, a few levels deep: recursive schemas have no end. */
function openAll(fields: readonly SchemaField[], depth: number): number {
  if (depth === 0) return 0;
  return fields
    .slice(0, 40)
    .reduce((sum, field) => sum + 1 + (field.hasFields ? openAll(field.fields(), depth - 1) : 0), 0);
}

test('there are at least twenty documents', () => {
  expect(documents.length).toBeGreaterThanOrEqual(20);
});

test.for(documents)(
  'the reference reads every operation of $name: its fields, examples, samples and collection',
  { timeout: 120_000 },
  ({ text }) => {
    const given = publicOpenApi(JSON.parse(text), side);
    const description = apiDescription.parse(JSON.parse(JSON.stringify(given)));
    const operations = operationsOf(description);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    // Every operation of most documents; some of the largest.
    const step = Math.ceil(operations.length / 120);
    for (const [index, entry] of operations.entries()) {
      if (index % step !== 0) continue;
      const operation = readOperation(description, entry);
      expect(operation.summary).not.toBe('');
      const request = requestOf(operation, side.url, exampleValues(operation));
      expect(request.url.startsWith(`${side.url}/`)).toBe(true);
      for (const { write } of sampleLanguages) expect(write({ ...request, key: null })).toContain(side.url);
      for (const { content } of operation.answers) openAll(fieldsOf(description, content?.schema ?? {}), 4);
      openAll(fieldsOf(description, operation.body?.schema ?? {}, 'request'), 4);
      expect(searchOperations(operations, entry.path)).toContain(entry);
    }
    const all = operations.filter((_, index) => index % step === 0).map((each) => readOperation(description, each));
    expect(JSON.stringify(postmanCollection(description, all, side.url))).toContain('schema.getpostman.com');
  },
);

test('a document of 5 MB is read in a moment, operation by operation', () => {
  const largest = documents.find(({ name }) => name.includes('star-trek'));
  const given = apiDescription.parse(JSON.parse(largest?.text ?? ''));
  const copies = Array.from({ length: 18 }, (_, copy) =>
    Object.entries(given.paths).map(([path, item]) => [`/copy${copy}${path}`, structuredClone(item)]),
  );
  const description = apiDescription.parse(publicOpenApi({ ...given, paths: Object.fromEntries(copies.flat()) }, side));
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
