import { z } from 'zod';
import { once } from './once.ts';

/** The longest text that a schema may leave without `max`; such a field is a day, a code or one of a few words. */
const longestUnnamed = 1000;

/** A text is trimmed and cleaned before its length is checked, so it may arrive longer than its schema's `max`. */
const longestOf = (max: number): number => max * 2 + longestUnnamed;

/** How long the texts in a value may be: its own, those of its fields, and those of its items. Schemas refer to each other, so these are made when needed. */
interface Bounds {
  text: number;
  fields: ReadonlyMap<string, () => Bounds>;
  items?: () => Bounds;
}

const unnamed: Bounds = { text: longestUnnamed, fields: new Map() };

interface TextFound {
  path: PropertyKey[];
  longest: number;
  text: string;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Of several schemas for one value, the most that any of them allows. */
function widest(all: readonly Bounds[]): Bounds {
  const names = new Set(all.flatMap(({ fields }) => [...fields.keys()]));
  const items = all.flatMap((each) => each.items ?? []);
  return {
    text: Math.max(longestUnnamed, ...all.map(({ text }) => text)),
    fields: new Map(
      [...names].map((name) => [name, once(() => widest(all.flatMap(({ fields }) => fields.get(name)?.() ?? [])))]),
    ),
    ...(items.length > 0 ? { items: once(() => widest(items.map((each) => each()))) } : {}),
  };
}

function boundsOf(schema: JsonSchema | boolean | undefined, root: JsonSchema): Bounds {
  if (typeof schema !== 'object') return unnamed;
  const referred = schema.$ref === undefined ? undefined : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  const lists = [schema.items, ...(schema.prefixItems ?? [])].flat().filter((each) => each !== undefined);
  const own: Bounds = {
    text: schema.maxLength === undefined ? longestUnnamed : longestOf(schema.maxLength),
    fields: new Map(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [name, once(() => boundsOf(field, root))]),
    ),
    ...(lists.length > 0 ? { items: once(() => widest(lists.map((each) => boundsOf(each, root)))) } : {}),
  };
  const others = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => each ?? []);
  return widest([own, boundsOf(referred, root), ...others.map((each) => boundsOf(each, root))]);
}

/** Deeper than any schema goes: what lies there is read by no rule. */
const deepest = 100;

function tooLong(value: unknown, bounds: Bounds, depth = 0): TextFound | undefined {
  if (typeof value === 'string')
    return value.length > bounds.text ? { path: [], longest: bounds.text, text: value } : undefined;
  if (typeof value !== 'object' || value === null || depth === deepest) return undefined;
  const items = Array.isArray(value) ? (bounds.items?.() ?? unnamed) : undefined;
  for (const [step, each] of Object.entries(value)) {
    const found = tooLong(each, items ?? bounds.fields.get(step)?.() ?? unnamed, depth + 1);
    if (found !== undefined) return { ...found, path: [items === undefined ? step : Number(step), ...found.path] };
  }
  return undefined;
}

/** A schema that refuses a value with a text far above what `schema` allows in its place, and checks nothing else. */
export function withinTextBounds(schema: z.ZodType): z.ZodType {
  // Made with the first value: for all calls together they take as long as half of the start of a portal.
  const bounds = once(() => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return boundsOf(json, json);
  });
  return z.unknown().check(({ value, issues }) => {
    const found = tooLong(value, bounds());
    if (found === undefined) return;
    const { path, longest: maximum, text: input } = found;
    issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input, path });
  });
}

/**
 * A compiler of validators whose validators look at the lengths of all texts first. Zod runs `regex`, `refine` and `overwrite` on a text
 * that is over its `max` too, and one of them that takes the square of the length would hold the process for minutes.
 */
export function boundedFirst<Route extends { schema: unknown }, Result>(
  compile: (route: Route) => (data: unknown) => Result,
): (route: Route) => (data: unknown) => Result {
  return (route) => {
    const validate = compile(route);
    if (!(route.schema instanceof z.ZodType)) return validate;
    const lengths = withinTextBounds(route.schema);
    const validateLengths = compile({ ...route, schema: lengths });
    return (data) => (lengths.safeParse(data).success ? validate(data) : validateLengths(data));
  };
}
