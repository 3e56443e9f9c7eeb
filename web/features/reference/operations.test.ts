import { expect, test } from 'vitest';
import { apiDescription } from '#web/features/reference/api-description.ts';
import {
  byTag,
  operationOfCall,
  operationsOf,
  readOperation,
  readSentRequest,
  searchOperations,
  webhooksOf,
} from '#web/features/reference/operations.ts';
import { fieldsOf } from '#web/features/reference/schema-fields.ts';
import { testDescription } from '#web/features/reference/test-description.ts';

const description = testDescription();
const operations = operationsOf(description);
const read = operations.map((each) => readOperation(description, each));

test('every call of a document is there under its tag, with an address of its own', () => {
  const groups = byTag(operations).map(({ tag, operations: all }) => [
    tag,
    all.map(({ id, method }) => `${method} ${id}`),
  ]);
  expect(groups).toEqual([
    ['Parcels', ['GET findParcel', 'POST post-v1-parcels']],
    ['Places', ['GET get-v1-places']],
  ]);
});

const found = (words: string) => searchOperations(operations, words).map(({ summary }) => summary);

test('a search finds calls that contain all its words, in any order', () => {
  expect(found('PARCEL find')).toEqual(['Find a parcel']);
  expect(found('idempotency')).toEqual(['Send a parcel']);
  expect(found('')).toHaveLength(3);
  expect(found('parcel nowhere')).toEqual([]);
});

test('an example that the document does not give is made to fit its schema', () => {
  const examples = read.find(({ method }) => method === 'POST')?.body?.examples() ?? [];
  expect(examples).toHaveLength(1);
  expect(examples[0]?.value).toMatchObject({ to: { city: 'Pune' }, items: [{ count: 0 }], speed: 'slow' });
});

test('fields have kind, limits, values and nested fields, however the schema is composed', () => {
  const schema = read[0]?.answers[0]?.content?.schema ?? {};
  const fields = fieldsOf(description, schema);
  expect(fields.map(({ name, required, type, limits }) => ({ name, required, type, limits }))).toEqual([
    { name: 'to', required: true, type: 'object', limits: [] },
    { name: 'weight', required: false, type: 'number or null', limits: ['0 to 30'] },
    { name: 'items', required: true, type: 'array of object', limits: ['at least 1 items'] },
    { name: 'speed', required: false, type: 'string', limits: ['default "slow"'] },
  ]);
  expect(fields.map(({ description: about, values }) => [about, values])).toEqual([
    ['Where it goes', []],
    ['', []],
    ['', []],
    ['', ['slow', 'fast']],
  ]);
  const items = fields[2]?.fields() ?? [];
  expect(items.map(({ name, limits }) => [name, limits])).toEqual([
    ['name', ['1 characters']],
    ['parts', []],
    ['count', []],
  ]);
  // A recursive schema can be expanded for ever.
  expect(items[1]?.fields().map(({ name }) => name)).toEqual(['name', 'parts', 'count']);
});

test('a document of another kind is refused, and a reference that leads nowhere is a schema of anything', () => {
  expect(apiDescription.safeParse({ swagger: '2.0', info: {}, paths: {} }).success).toBe(false);
  expect(fieldsOf(description, { $ref: '#/components/schemas/Nothing' })).toEqual([]);
  expect(fieldsOf(description, { $ref: 'https://example.com/schema.json' })).toEqual([]);
});

test.each([
  ['GET /parcels/v1/parcels/AB12', 'findParcel', { id: 'AB12' }],
  ['GET /parcels/v1/parcels/27**********1ZV', 'findParcel', {}],
  ['GET /v1/places', 'get-v1-places', {}],
  ['POST /parcels/v1/parcels', 'post-v1-parcels', {}],
])('%s is a call of %s', (call, id, parameters) => {
  const found = operationOfCall(operations, call);
  expect([found?.operation.id, found?.parameters]).toEqual([id, parameters]);
});

test.each(['DELETE /parcels/v1/places', 'GET /v1', 'GET', '', 'GET /parcels/v1/other/1'])(
  '%j is a call of none',
  (call) => {
    expect(operationOfCall(operations, call)).toBeUndefined();
  },
);

test('callbacks are read with their address, what the API sends, and the response that it expects', () => {
  const callbacks = read.find(({ method }) => method === 'POST')?.callbacks ?? [];
  expect(callbacks.map(({ id, method, path, summary }) => [id, method, path, summary])).toEqual([
    ['arrived', 'POST', '{$request.body#/tell}', 'The parcel arrived'],
    ['lost', 'PUT', '{$request.query.lost}', 'lost'],
  ]);
  const [arrived] = callbacks.map((each) => readSentRequest(description, each));
  expect(arrived?.parameters.map(({ name, in: place }) => [name, place])).toEqual([['X-Signature', 'header']]);
  expect(arrived?.answers).toMatchObject([{ status: '204', description: 'Noted.' }]);
  // The API writes the body: the customer sees what only it can set, and not what only it can read.
  expect(arrived?.body?.examples()[0]?.value).toEqual({ id: 'string' });
});

test.each(['webhooks', 'x-webhooks'])('%s of a document have ids that no operation has', (member) => {
  const { webhooks, ...rest } = description;
  const found = webhooksOf(apiDescription.parse({ ...rest, [member]: webhooks }), 'Webhooks');
  expect(found.map(({ id, method, path, tag, summary }) => [id, method, path, tag, summary])).toEqual([
    ['webhook~rate.changed', 'POST', '', 'Webhooks', 'Rates changed'],
    ['webhook~findParcel', 'PUT', '', 'Webhooks', 'findParcel'],
  ]);
  expect(searchOperations(found, 'rates webhooks')).toHaveLength(1);
});

const reference = (index: number) => ({ $ref: `#/components/schemas/S${index}` });

/** `count` schemas, each made of the next one several times. */
function nested(count: number, part: (next: object) => object) {
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      index === count - 1 ? { type: 'object', properties: { last: { type: 'string' } } } : part(reference(index + 1)),
    ]),
  );
  return apiDescription.parse({ openapi: '3.1.0', info: {}, components: { schemas } });
}

test('a schema made of the same parts many times is read once for each of them', () => {
  const many = nested(13, (next) => ({ allOf: Array.from({ length: 8 }, () => ({ ...next })) }));
  expect(fieldsOf(many, { $ref: '#/components/schemas/S0' }).map(({ name }) => name)).toEqual(['last']);
});

test('choices of choices are named once for each of them', () => {
  const many = nested(6, (next) => ({ oneOf: Array.from({ length: 60 }, () => ({ ...next })) }));
  const description = apiDescription.parse({ ...many });
  const fields = fieldsOf(description, { properties: { any: { $ref: '#/components/schemas/S0' } } });
  expect(fields.map(({ type }) => type)).toEqual(['S5']);
});

test('an operation in a script with combining marks keeps its name', () => {
  const [found] = operationsOf(
    apiDescription.parse({ openapi: '3.1.0', info: {}, paths: { '/a': { get: { operationId: 'नमस्ते' } } } }),
  );
  expect(found?.id).toBe('नमस्ते');
});
