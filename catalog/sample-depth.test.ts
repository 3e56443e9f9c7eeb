import { sample } from 'openapi-sampler';
import { expect, test } from 'vitest';
import { sampleWithin } from '#shared/domain/sample-depth.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Each schema has some fields of each other one. */
function woven(schemas: number): object {
  const names = Array.from({ length: schemas }, (_, index) => `S${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, reference(name)]));
  return { components: { schemas: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])) } };
}

test('an example visits a limited number of schemas, however many lead to each other', () => {
  let tried = 0;
  const sampled = sampleWithin([15, 5, 1], (options: object) => {
    tried += 1;
    return sample({ $ref: '#/components/schemas/S0' }, options, woven(40));
  });
  expect(tried).toBe(3);
  expect(Object.keys(Object(sampled?.value))).toHaveLength(40);
});

test.each([
  [1, true],
  [3, true],
  [4, false],
])('an example of depth %i of four levels is shortened: %s', (depth, isShortened) => {
  const chain = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { next: chain(levels - 1) } };
  const sampled = sampleWithin([depth], (options: object) => sample(chain(4), options, {}));
  expect(sampled?.isShortened()).toBe(isShortened);
});
