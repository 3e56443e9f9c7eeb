import { expect } from 'vitest';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { apiDescription } from '#web/features/reference/api-description.ts';
import { exampleValues, requestOf } from '#web/features/reference/api-request.ts';
import { operationsOf, readOperation, searchOperations } from '#web/features/reference/operations.ts';
import { postmanCollection } from '#web/features/reference/postman-collection.ts';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';
import { fieldsOf, type SchemaField } from '#web/features/reference/schema-fields.ts';

/** As the gateway publishes a document. */
export const publicSide = {
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

/** Reads a document as the reference does: every operation of most, about 120 of the largest. Returns how many it has. */
export function readAsReference(text: string): number {
  const given = publicOpenApi(JSON.parse(text), publicSide);
  const description = apiDescription.parse(JSON.parse(JSON.stringify(given)));
  const operations = operationsOf(description);
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  const step = Math.ceil(operations.length / 120);
  for (const [index, entry] of operations.entries()) {
    if (index % step !== 0) continue;
    const operation = readOperation(description, entry);
    expect(operation.summary).not.toBe('');
    const request = requestOf(operation, publicSide.url, exampleValues(operation));
    expect(request.url.startsWith(`${publicSide.url}/`)).toBe(true);
    for (const { write } of sampleLanguages) expect(write({ ...request, key: null })).toContain(publicSide.url);
    for (const { content } of operation.answers) openAll(fieldsOf(description, content?.schema ?? {}), 4);
    openAll(fieldsOf(description, operation.body?.schema ?? {}, 'request'), 4);
    expect(searchOperations(operations, entry.path)).toContain(entry);
  }
  const all = operations.filter((_, index) => index % step === 0).map((each) => readOperation(description, each));
  expect(JSON.stringify(postmanCollection(description, all, publicSide.url))).toContain('schema.getpostman.com');
  return operations.length;
}
