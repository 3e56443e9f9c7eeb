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
  const value = sampleWithin([15, 5, 1], (options: object) => {
    tried += 1;
    return sample({ $ref: '#/components/schemas/S0' }, options, woven(40));
  });
  expect(tried).toBe(3);
  expect(Object.keys(Object(value))).toHaveLength(40);
});
