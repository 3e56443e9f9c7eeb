import * as fc from 'fast-check';
import { z } from 'zod';

/** JSON Schema as the references use it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
}

export const jsonSchema: z.ZodType<JsonSchema> = z.looseObject({});

/** Typical values of a field with this name, unlikely to be found by chance. */
export type Hints = Record<string, fc.Arbitrary<unknown>>;

const wrong = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', ' ', -1, 0, 1e21, 0.001, '\u0000', '💥', 'a'.repeat(3000), [], {}, true),
);

/** Values of a schema: `slips` is the share of places (0 to 1) with a wrong value. */
export function valuesOf(
  schema: JsonSchema,
  all: Record<string, JsonSchema>,
  hints: Hints,
  slips: number,
  name = '',
): fc.Arbitrary<unknown> {
  const build = (part: JsonSchema, name: string): fc.Arbitrary<unknown> => {
    const value = soundValue(part, name);
    return slips === 0
      ? value
      : fc.oneof(
          { arbitrary: value, weight: Math.round((1 - slips) * 1000) },
          { arbitrary: wrong, weight: Math.round(slips * 1000) },
        );
  };
  const soundValue = (part: JsonSchema, name: string): fc.Arbitrary<unknown> => {
    const hint = hints[name];
    return hint === undefined
      ? schemaValue(part, name)
      : fc.oneof({ arbitrary: hint, weight: 30 }, { arbitrary: schemaValue(part, name), weight: 1 });
  };
  const schemaValue = (part: JsonSchema, name: string): fc.Arbitrary<unknown> => {
    if (part.$ref !== undefined) return schemaValue(all[part.$ref.split('/').at(-1) ?? ''] ?? {}, name);
    if (part.const !== undefined) return fc.constant(part.const);
    if (part.enum !== undefined) return fc.constantFrom(...part.enum);
    const branches = part.anyOf ?? part.oneOf;
    if (branches !== undefined) return fc.oneof(...branches.map((branch) => build(branch, name)));
    if (part.type === 'object') return objectOf(part);
    if (part.type === 'array') {
      const { minItems = 0, maxItems = 4 } = part;
      return fc.array(build(part.items ?? {}, `${name}[]`), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 3),
      });
    }
    if (part.type === 'string') return stringOf(part);
    if (part.type === 'integer') return fc.integer({ min: part.minimum ?? -1000, max: part.maximum ?? 1000 });
    if (part.type === 'number') return numberOf(part);
    if (part.type === 'boolean') return fc.boolean();
    return fc.jsonValue({ maxDepth: 1 });
  };
  const objectOf = ({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> => {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, build(part, name)]));
    const record = fc.record(fields, { requiredKeys: required });
    if (slips === 0) return record;
    // Now and then a field is missing, or an unknown one is added.
    return fc
      .tuple(record, fc.nat({ max: 60 }), fc.constantFrom(...Object.keys(properties), 'unheardOf'))
      .map(([value, dice, name]) => {
        if (dice > 1) return value;
        const changed = new Map(Object.entries(value));
        if (dice === 0) changed.delete(name);
        else changed.set(`${name}2`, 'x');
        return Object.fromEntries(changed);
      });
  };
  return build(schema, name);
}

function stringOf({
  minLength = 0,
  maxLength = 40,
  pattern,
  format,
  examples,
  example,
}: JsonSchema): fc.Arbitrary<string> {
  const known = [example, ...(examples ?? [])].filter((each) => typeof each === 'string');
  const free = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) });
  const base =
    format === 'date'
      ? fc.integer({ min: 0, max: 4000 }).map((day) => new Date(Date.UTC(2016, 11, 1 + day)).toISOString().slice(0, 10))
      : pattern === undefined
        ? free
        : fc.stringMatching(new RegExp(pattern));
  return known.length === 0 ? base : fc.oneof(base, fc.constantFrom(...known));
}

function numberOf({ minimum = -1000, maximum = 1e6, exclusiveMinimum }: JsonSchema): fc.Arbitrary<number> {
  const least = Math.max(minimum, exclusiveMinimum ?? minimum);
  return fc
    .integer({ min: Math.ceil(least * 100), max: Math.min(maximum, 1e6) * 100 })
    .map((hundredths) => hundredths / 100);
}
