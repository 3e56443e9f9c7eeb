import { build } from 'esbuild';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import * as builders from './builders.ts';

const root = join(import.meta.dirname, '../..');

/** Where the pages have schemas: the contract, but for what only the server imports, and their own. */
const serverOnly = new Set(['provider-events.ts', 'test-calls.ts']);
const modules = [
  ...readdirSync(join(root, 'shared/contract'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !serverOnly.has(name))
    .map((name) => `#shared/contract/${name}`),
  '#web/features/reference/api-description.ts',
];

interface Parsed {
  success: boolean;
  data?: unknown;
  error?: { issues: readonly { code: string; path: readonly PropertyKey[]; message: string }[] };
}
type AnySchema = z.core.$ZodType & { safeParse: (input: unknown) => Parsed };

const isSchema = (value: object): value is AnySchema => 'safeParse' in value;
const hasKnownType = (schema: z.core.$ZodType): schema is z.core.$ZodTypes => '_zod' in schema;

/** The exports of these modules, with zod or with what replaces it. */
async function read(alias: Record<string, string>): Promise<Record<string, unknown>[]> {
  const contents = modules.map((module, index) => `export * as m${index} from '${module}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    alias,
    logLevel: 'silent',
  });
  const file = join(mkdtempSync(join(tmpdir(), 'octroi-schemas-')), 'all.mjs');
  writeFileSync(file, outputFiles[0]?.text ?? '');
  const all: Record<string, Record<string, unknown>> = await import(file);
  return modules.map((_, index) => all[`m${index}`] ?? {});
}

/** Every schema in an export: itself, or the parts of a call. */
function schemasIn(value: unknown, name: string): [string, AnySchema][] {
  if (typeof value !== 'object' || value === null) return [];
  if (isSchema(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, each]) => schemasIn(each, `${name}.${key}`));
}

const texts = [
  '',
  ' ',
  '  a\u0000b ',
  'a\nb',
  '😀',
  'x'.repeat(81),
  '2026-11-21',
  '2026-02-30',
  '1999-01-01',
  '2026-11-21T10:00:00Z',

  '2026-11-21T10:00:00.123Z',
  '2026-11-21T25:00:00Z',
  '29ABCDE1234F1Z5',
  '98765 43210',
  '+91 98765-43210',
  '560001',

  'IN',
  '29',
  '203.0.113.7',
  '203.0.113.0/24',
  '256.1.1.1',
  '2001:db8::1',
  '2001:db8::/32',
  '::/129',
  'YWJj',
  'YWJ',
  'YW==',

  'https://a.example',
  'a@b.example',
  'active',
  'PO/1-a',
  '2026-27 Q3',
  '2026-11',
];
const wrongs = [null, undefined, '', 'x', 0, 1, 1.5, true, [], ['x'], {}, Number.NaN];
const numbers = [0, 1, -1, 1.5, 0.07, 99.5, 99.505, 21_474_837, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY];

/** Mostly what zod accepts, sometimes what it doesn't. */
function inputsOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 14, arbitrary: likelyOf(schema) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...wrongs) },
  );
}

function likelyOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (!hasKnownType(schema)) throw new Error('Not a schema of zod');
  const {
    _zod: { def },
  } = schema;
  switch (def.type) {
    case 'string':
      return fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'grapheme' }));
    case 'number':
      return fc.oneof(fc.integer(), fc.constantFrom(...numbers), fc.constantFrom('7', ''));
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom<unknown>(...def.values);
    case 'enum':
      return fc.constantFrom<unknown>(...Object.values(def.entries));
    case 'array':
      return fc.array(inputsOf(def.element), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 3 }), inputsOf(def.valueType), { maxKeys: 3 });
    case 'union':
      return fc.oneof(...def.options.map(inputsOf));
    case 'nullable':
      return fc.oneof(fc.constant(null), inputsOf(def.innerType));
    case 'nonoptional':
    case 'optional':
    case 'default':
    case 'catch':
      return fc.oneof(fc.constant(undefined), inputsOf(def.innerType));
    case 'object':
      return objectsOf(def.shape);
    case 'custom':
      return fc.constantFrom<unknown>(...wrongs);
    default:
      throw new Error(`No inputs for ${def.type}: add them, and the type to small-zod`);
  }
}

function objectsOf(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const whole = Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, inputsOf(each)]));
  const withMore = { ...whole, unknownKey: fc.constant(1) };
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(whole) },
    { weight: 1, arbitrary: fc.record(withMore) },
    { weight: 1, arbitrary: fc.record(withMore, { requiredKeys: [] }) },
  );
}

const told = ({ success, data, error }: Parsed) => ({
  success,
  data,
  issues: error?.issues.map(({ code, path, message }) => ({ code, path, message })),
});

const [whole, small] = await Promise.all([read({}), read({ zod: join(root, 'web/small-zod/zod.ts') })]);
const pairs = whole.flatMap((exports, index) => {
  const others = new Map(schemasIn(small[index], modules[index] ?? ''));
  return schemasIn(exports, modules[index] ?? '').map(([name, schema]) => [name, schema, others.get(name)] as const);
});

test.each(pairs)('%s says the same as with zod', (_name, schema, other) => {
  fc.assert(
    fc.property(inputsOf(schema), (input) => {
      expect(told(other?.safeParse(input) ?? { success: false })).toStrictEqual(told(schema.safeParse(input)));
    }),
  );
});

test('the comparison has seen the schemas of every call', () => {
  expect(pairs.length).toBeGreaterThan(150);
});

test('everything that the customers’ pages take from zod is in small-zod', () => {
  const sources = ['web', 'shared/contract'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          /\.tsx?$/.test(name) &&
          !/(\.test\.tsx?$|^console\/|^operator\/|^described-events|^vite\/|node\.test)/.test(name),
      )
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const used = sources.flatMap((source) => [...source.matchAll(/\bz\.([a-z]\w*)\(/g)].map(([, name = '']) => name));
  expect([...new Set(used)].filter((name) => !(name in builders))).toEqual([]);
});
