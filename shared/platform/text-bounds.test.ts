import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedFirst, withinTextBounds } from './text-bounds.ts';

const line = z.object({ code: z.string().regex(/^\d+$/), note: z.string().trim().max(20).optional() });
const schema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .overwrite((text) => text.toUpperCase())
    .max(100),
  file: z.base64().max(50_000),
  lines: z.array(line.meta({ id: 'TestLine' })).max(5),
  buyer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), text: z.string().max(3000) }),
    z.object({ kind: z.literal('b'), text: z.string().max(10) }),
  ]),
  // A discriminated union is `oneOf`, this one `anyOf`.
  note: z.union([z.string().max(3000), z.null()]).optional(),
});

const body = { name: 'x', file: '', lines: [{ code: '1' }], buyer: { kind: 'a', text: '' } };
const refusedAt = (value: unknown) =>
  withinTextBounds(schema)
    .safeParse(value)
    .error?.issues.map(({ path }) => path.join('/'));

test.each([
  ['a field with a maximum', { ...body, name: 'x'.repeat(1201) }, 'name'],
  ['a field without one', { ...body, lines: [{ code: '1' }, { code: '1'.repeat(1001) }] }, 'lines/1/code'],
  ['a field of a list', { ...body, lines: [{ code: '1', note: ' '.repeat(1041) }] }, 'lines/0/note'],
  ['a field that nobody asked for', { ...body, more: { deep: ['x'.repeat(1001)] } }, 'more/deep/0'],
  ['the longest of alternatives', { ...body, buyer: { kind: 'b', text: 'x'.repeat(7001) } }, 'buyer/text'],
  ['a union', { ...body, note: 'x'.repeat(7001) }, 'note'],
  ['another type', 'x'.repeat(1001), ''],
])('a text far above the maximum is refused in %s', (_what, value, path) => {
  expect(refusedAt(value)).toEqual([path]);
});

test('a body nested as deep as its size allows is no fault of this check', () => {
  expect(refusedAt(JSON.parse(`${'['.repeat(32_000)}${']'.repeat(32_000)}`))).toBeUndefined();
});

test('what the schema accepts is within the bounds', () => {
  const accepted = {
    ...body,
    name: `${' '.repeat(500)}x`,
    file: 'A'.repeat(40_000),
    buyer: { kind: 'a', text: 'x'.repeat(3000) },
    note: 'x'.repeat(3000),
  };
  expect(schema.safeParse(accepted).success).toBe(true);
  expect(refusedAt(accepted)).toBeUndefined();
});

test('a rule of the schema never sees a text above the bounds, whatever its form', () => {
  const seen: number[] = [];
  const rules = z.object({
    text: z
      .string()
      .overwrite((text) => (seen.push(text.length), text))
      .refine((text) => seen.push(text.length) > 0)
      .max(10),
  });
  const validate = boundedFirst(
    ({ schema: compiled }: { schema: z.ZodType }) =>
      (data: unknown) =>
        compiled.safeParse(data),
  )({
    schema: rules,
  });
  fc.assert(
    fc.property(fc.string({ minLength: 1021, maxLength: 3000, unit: 'binary' }), (text) => {
      expect(validate({ text }).error?.issues).toMatchObject([{ code: 'too_big', path: ['text'] }]);
    }),
  );
  expect(seen).toEqual([]);
});
