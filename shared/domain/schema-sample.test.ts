import { expect, test } from 'vitest';
import { sampleOfSchema } from './schema-sample.ts';
import { copiedSchema as copied, doubledSchemas, longTexts, numbered, whenTrue, wideSchema } from './test-hostile.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const documentOf = (schemas: Record<string, object>, openapi = '3.1.0') => ({ openapi, components: { schemas } });

function sampled(schema: object, document: object = {}, depths: readonly number[] = [5, 3, 2, 1]) {
  return sampleOfSchema(document, schema, { depths, direction: 'response' });
}

/** Each schema has some fields of each other one. */
const woven = documentOf(
  numbered(40, () => ({ type: 'object', properties: numbered(40, (each) => reference(`S${each}`)) })),
);
const doubled = documentOf(doubledSchemas);
const wide = documentOf({ Wide: wideSchema(200_000) });
const repeated = (items: object): object => ({ type: 'array', minItems: 1e9, items });

// Each of these took minutes or gigabytes while only levels were counted.
test.each([
  ['schemas that all lead to each other', { $ref: '#/components/schemas/S0' }, woven],
  ['combinations that double at each level', reference('S0'), doubled],
  ['a wide schema that is changed in each place', copied, wide],
  ['long texts', longTexts, {}],
  [
    'texts whose length is a text',
    { type: 'object', properties: numbered(500, () => ({ minLength: '500000000' })) },
    {},
  ],
  ['lists of lists', repeated(repeated(repeated(repeated(repeated({ type: 'string' }))))), {}],
  ['a long example in many places', copied, documentOf({ Wide: { example: 'x'.repeat(1_000_000) } })],
  [
    'many names that are required',
    copied,
    documentOf({ Wide: { type: 'object', required: Array(500_000).fill('x') } }),
  ],
  ['many words that nobody knows', copied, documentOf({ Wide: numbered(200_000, () => 1) })],
])('an example has a limited size and takes a moment: %s', (_what, schema, document) => {
  const before = process.cpuUsage();
  const { value } = sampled(schema, document);
  const { user, system } = process.cpuUsage(before);
  expect((JSON.stringify(value) ?? '').length).toBeLessThanOrEqual(200_000);
  expect(user + system).toBeLessThan(5_000_000);
});

test('what is too large at each depth is left out, and says so', () => {
  expect(sampled(reference('S0'), doubled)).toEqual({ value: undefined, isShortened: true });
  const { value, isShortened } = sampled(reference('S0'), woven);
  expect([Object.keys(Object(value)).length, isShortened]).toEqual([40, true]);
});

test('repeated items count each time', () => {
  const lists = (levels: number): object => (levels === 0 ? { type: 'string' } : repeated(lists(levels - 1)));
  expect(sampled(lists(5), {}, [5])).toEqual({ value: undefined, isShortened: true });
  expect(sampled(lists(4), {}, [4]).value).toHaveLength(5);
});

test.each([
  [1, true],
  [3, true],
  [4, false],
])('an example of depth %i of four levels is shortened: %s', (depth, isShortened) => {
  const chain = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { next: chain(levels - 1) } };
  expect(sampled(chain(4), {}, [depth]).isShortened).toBe(isShortened);
});

const named = documentOf({
  Text: { type: 'string', minLength: 3 },
  Node: {
    type: 'object',
    properties: { id: { type: 'integer' }, next: reference('Node'), all: repeated(reference('Node')) },
  },
});
test.each([
  ['its own example', { ...reference('Text'), example: 'mine' }, 'mine'],
  ['a value that stands beside a reference', { ...reference('Node'), default: 4 }, 4],
  ['what stands beside a reference', { ...reference('Text'), description: 'Words' }, 'string'],
  [
    'members beside a reference',
    { ...reference('Node'), properties: { more: { const: 1 } } },
    { more: 1, id: 0, next: {}, all: [{}, {}, {}, {}, {}] },
  ],
  ['a reference that leads nowhere', { type: 'object', properties: { a: reference('None') } }, { a: null }],
  ['a circle', reference('Node'), { id: 0, next: {}, all: [{}, {}, {}, {}, {}] }],
  [
    'each part of a combination',
    { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { type: 'boolean' } } }] },
    { a: 1, b: true },
  ],
  [
    'the first of several',
    { properties: { a: { const: 1 } }, oneOf: [{ properties: { b: { const: 2 } } }, { const: 3 }] },
    { a: 1, b: 2 },
  ],
  [
    'a condition that holds',
    {
      properties: { a: {} },
      if: { properties: { a: { const: 1 } } },
      ...whenTrue({ properties: { b: { const: 2 } } }),
    },
    { a: 1, b: 2 },
  ],
  [
    'other members',
    { type: 'object', additionalProperties: { type: 'number', 'x-additionalPropertiesName': 'rate' } },
    { rate1: 0, rate2: 0 },
  ],
  ['a pair', { prefixItems: [{ const: 'a' }, { const: 2 }] }, ['a', 2]],
  ['as many items as there must be', { type: 'array', minItems: 2, items: { enum: ['x', 'y'] } }, ['x', 'x']],
  ['no item where none may be', { type: 'array', maxItems: 0, items: { type: 'string' } }, []],
  [
    'nothing of the other direction',
    { properties: { a: { const: 1, writeOnly: true }, b: { const: 2, readOnly: true } } },
    { b: 2 },
  ],
  [
    'limits',
    { properties: { a: { type: 'integer', minimum: 7 }, b: { type: 'string', maxLength: 2 } } },
    { a: 7, b: 'st' },
  ],
  ['a type that there is not', { type: 'constructor' }, null],
])('an example follows the schema: %s', (_what, schema, value) => {
  expect(sampled(schema, named).value).toEqual(value);
});
