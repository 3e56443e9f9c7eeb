import { expect, test } from 'vitest';
import { faultOfBody } from './body-bounds.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const withFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, field) => [field, 0]));

test('the largest request has no fault', () => {
  const item = { ...withFields(20), description: 'एक्स 🧾'.repeat(40), batch: { name: 'x' } };
  expect(faultOfBody({ items: Array.from({ length: 500 }, () => item), paper: { notes: ['x'] } })).toBeUndefined();
  expect([undefined, null, 0, 'x', nested(32), withFields(100)].map(faultOfBody)).toEqual(Array(6).fill(undefined));
});

test('too many levels, fields or values are a fault of the part that has them', () => {
  expect(faultOfBody({ 'a/b': [0, nested(31)] })).toMatchObject({ pointer: `/a~1b/1${'/0'.repeat(30)}` });
  expect(faultOfBody(nested(500_000))).toMatchObject({ in: 'body', message: expect.stringContaining('32 deep') });
  expect(faultOfBody({ paper: withFields(101) })).toMatchObject({ pointer: '/paper' });
  expect(faultOfBody({ items: Array(30_000).fill(0) })).toMatchObject({
    message: expect.stringContaining('30,000 values'),
  });
});

test('half of an emoji is a fault of its text, in a value', () => {
  expect(faultOfBody({ items: [{ description: 'Paper \ud83e' }] })).toMatchObject({
    pointer: '/items/0/description',
    message: expect.stringContaining('half of a character'),
  });
});
