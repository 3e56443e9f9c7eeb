import { expect, test } from 'vitest';
import { bodyFault, exampleValues, firstMissing, requestOf } from '#web/features/reference/api-request.ts';
import { type Operation, operationsOf, readOperation } from '#web/features/reference/operations.ts';
import { postmanCollection } from '#web/features/reference/postman-collection.ts';
import { testDescription } from '#web/features/reference/test-description.ts';

const description = testDescription();
const operations = operationsOf(description).map((each) => readOperation(description, each));
const baseUrl = 'http://localhost:4100/parcels/';

function operation(method: string): Operation {
  const found = operations.find((each) => each.method === method);
  if (found === undefined) throw new Error(`no ${method}`);
  return found;
}

test('the form starts with the examples of required fields, and values are escaped in the URL', () => {
  const find = operation('GET');
  const values = exampleValues(find);
  expect(requestOf(find, baseUrl, values)).toEqual({
    method: 'GET',
    url: 'http://localhost:4100/parcels/v1/parcels/a%20b',
    headers: [],
    body: null,
    savesAs: null,
  });
  const full = { ...values, parameters: { 'path id': '../x?y=1', 'query full': 'true' } };
  expect(requestOf(find, baseUrl, full).url).toBe('http://localhost:4100/parcels/v1/parcels/..%2Fx%3Fy%3D1?full=true');
});

test('a POST sends its body as it was typed, with the headers of the form, and a file is to be saved', () => {
  const send = operation('POST');
  const values = { ...exampleValues(send), body: '{ "to": 1.10 }' };
  expect(requestOf(send, baseUrl, values)).toMatchObject({
    url: 'http://localhost:4100/parcels/v1/parcels',
    headers: [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ],
    body: '{ "to": 1.10 }',
    savesAs: 'parcels.pdf',
  });
  expect(bodyFault(send, values)).toBeUndefined();
  expect(bodyFault(send, { ...values, body: '{ to }' })).toMatch(/JSON/);
});

test('a field that is needed and empty is named', () => {
  const find = operation('GET');
  expect(firstMissing(find, exampleValues(find))).toBeUndefined();
  expect(firstMissing(find, { parameters: { 'path id': '  ' }, body: '' })).toBe('path id');
});

test('the Postman collection has a folder for each tag, the key as a secret variable and a path variable for each in the path', () => {
  const collection = postmanCollection(description, operations, baseUrl);
  expect(collection.item.map(({ name, item }) => [name, item.length])).toEqual([
    ['Parcels', 2],
    ['Places', 1],
  ]);
  expect(collection.variable).toEqual([
    { key: 'baseUrl', value: 'http://localhost:4100/parcels', type: 'string' },
    { key: 'apiKey', value: '', type: 'secret' },
  ]);
  expect(collection.item[0]?.item[0]?.request.url).toMatchObject({
    raw: '{{baseUrl}}/v1/parcels/:id',
    path: ['v1', 'parcels', ':id'],
    query: [{ key: 'full', disabled: true }],
    variable: [{ key: 'id', value: 'a b' }],
  });
  expect(collection.item[0]?.item[1]?.request).toMatchObject({
    method: 'POST',
    header: [{ key: 'Content-Type' }, { key: 'Idempotency-Key', value: expect.any(String) }],
    body: { mode: 'raw', options: { raw: { language: 'json' } } },
  });
});
