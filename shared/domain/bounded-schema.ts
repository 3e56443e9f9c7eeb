import { partAt } from './json-pointer.ts';
import { asList, asMembers, type Members } from './members.ts';

/** An example would be larger than a reader can use. */
export class SampleFault extends Error {}

/** Parts of one example at most: some documents lead from each schema to dozens of others, which no depth alone bounds. */
const maxParts = 3000;
/** Names and values of the document in one example, in characters. */
const maxChars = 100_000;
/** Combinations and references inside one another that add no level. */
const maxNested = 30;
/** More repeated items show nothing new. */
const maxItems = 5;
/** A longer text that only has a length shows nothing new. */
const maxTextLength = 200;
const maxRequired = 100;

/**
 * What a generator of examples needs of a schema: a tree without references, of a limited number of parts, whatever the document is. Throws
 * SampleFault when it would have more. Objects and lists that are deeper than `depth` are left empty.
 */
export function boundedSchema(
  document: object,
  schema: unknown,
  depth: number,
): { bounded: object; isShortened: boolean } {
  const bounding = new Bounding(document);
  const bounded = bounding.of(schema, { left: depth, nested: 0, times: 1 }) ?? {};
  return { bounded, isShortened: bounding.isShortened };
}

interface Place {
  /** Levels of objects and lists that may follow. */
  left: number;
  nested: number;
  /** How often the example has this part: lists repeat their items. */
  times: number;
}

class Bounding {
  isShortened = false;
  private readonly document: object;
  private readonly isMergedWithReference: boolean;
  private parts = 0;
  private chars = 0;
  private readonly names = new Map<Members, readonly string[]>();
  /** What is being followed: found again inside itself, it is a circle. */
  private readonly followed = new Set<unknown>();

  constructor(document: object) {
    this.document = document;
    const { openapi, swagger } = asMembers(document) ?? {};
    this.isMergedWithReference = !String(openapi).startsWith('3.0') && swagger === undefined;
  }

  /** Undefined where it leads in a circle. */
  of(given: unknown, place: Place): Members | undefined {
    this.countParts(place);
    const schema = asMembers(given) ?? {};
    const { $ref } = schema;
    if (typeof $ref === 'string') return this.referenced($ref, schema, place);
    const value = givenValue(schema);
    if (value !== undefined) {
      this.countValue(Object.values(value)[0], place);
      return { ...plain(schema), ...value };
    }
    const inner = { ...place, nested: place.nested + 1 };
    const { if: condition, then } = schema;
    const all = [
      ...asList(schema['allOf']),
      ...(condition !== undefined && then !== undefined ? [condition, then] : []),
    ];
    const [one] = [...first(schema['oneOf']), ...first(schema['anyOf'])];
    if (place.nested > maxNested && (all.length > 0 || one !== undefined)) {
      this.isShortened = true;
      return plain(schema);
    }
    const chosen = one === undefined ? undefined : this.of(one, inner);
    return {
      ...this.itemsOf(schema, place),
      ...this.membersOf(schema, place),
      ...plain(schema),
      ...(all.length === 0 ? {} : { allOf: all.flatMap((part) => this.of(part, inner) ?? []) }),
      ...(chosen === undefined ? {} : { oneOf: [chosen] }),
    };
  }

  /** Since OpenAPI 3.1 what stands beside a reference counts too. */
  private referenced(reference: string, schema: Members, place: Place): Members | undefined {
    this.countChars(reference.length, place);
    const target = partAt(this.document, reference);
    if (this.followed.has(target)) return emptied(target);
    if (place.nested > maxNested) {
      this.isShortened = true;
      return emptied(target);
    }
    this.followed.add(target);
    const inner = { ...place, nested: place.nested + 1 };
    const names = this.isMergedWithReference ? deciding.filter((name) => schema[name] !== undefined) : [];
    const beside = Object.fromEntries(names.map((name) => [name, schema[name]]));
    const bounded = this.of(
      names.length === 0 ? target : { ...beside, allOf: [target, ...asList(schema['allOf'])] },
      inner,
    );
    this.followed.delete(target);
    return bounded;
  }

  private membersOf({ properties, additionalProperties: additional }: Members, place: Place): Members {
    const named = asMembers(properties);
    const names = named === undefined ? [] : this.namesOf(named);
    const others = asMembers(additional);
    if (names.length === 0 && others === undefined) return named === undefined ? {} : { type: 'object' };
    const inner = this.below(place, 1);
    if (inner === undefined) return { type: 'object' };
    const kept: [string, Members][] = [];
    for (const name of names) {
      this.countChars(name.length, place);
      const bounded = this.of(named?.[name], inner);
      if (bounded !== undefined) kept.push([name, bounded]);
    }
    // The generator shows two.
    const other = others === undefined ? undefined : this.of(others, { ...inner, times: 2 * inner.times });
    const otherName = others?.[nameOfOthers];
    if (typeof otherName === 'string') this.countChars(otherName.length, place);
    return {
      type: 'object',
      properties: Object.fromEntries(kept),
      ...(other === undefined
        ? {}
        : {
            additionalProperties: { ...other, ...(typeof otherName === 'string' ? { [nameOfOthers]: otherName } : {}) },
          }),
    };
  }

  private itemsOf({ prefixItems, items, contains, minItems, maxItems: most }: Members, place: Place): Members {
    const given = [prefixItems, items, contains].find(Boolean);
    if (given === undefined) return {};
    const length = Math.min(asNumber(most) ?? Infinity, asNumber(minItems) || 1);
    if (length > maxItems) this.isShortened = true;
    const shown = Math.max(0, Math.min(length, maxItems));
    const inner = this.below(place, Array.isArray(given) ? 1 : shown);
    if (inner === undefined) return { type: 'array' };
    const bounded = Array.isArray(given)
      ? given.map((each) => this.of(each, inner) ?? {})
      : shown === 0
        ? undefined
        : this.of(given, inner);
    return { type: 'array', ...(bounded === undefined ? {} : { items: bounded, minItems: shown, maxItems: shown }) };
  }

  /** Read once: one object may have many names, and be in many places. */
  private namesOf(named: Members): readonly string[] {
    const names = this.names.get(named) ?? Object.keys(named);
    this.names.set(named, names);
    return names;
  }

  /** Inside an object or a list, which has each part `times`; undefined when that is too deep. */
  private below({ left, times }: Place, more: number): Place | undefined {
    if (left > 0) return { left: left - 1, nested: 0, times: times * more };
    this.isShortened = true;
    return undefined;
  }

  private countParts({ times }: Place): void {
    this.parts += times;
    if (this.parts > maxParts) throw new SampleFault(`An example has more than ${maxParts} parts`);
  }

  private countChars(chars: number, { times }: Place): void {
    this.chars += chars * times;
    if (this.chars > maxChars) throw new SampleFault(`An example has more than ${maxChars} characters`);
  }

  private countValue(value: unknown, place: Place): void {
    const waiting = [value];
    while (waiting.length > 0) {
      const part = waiting.pop();
      this.countChars(typeof part === 'string' ? part.length + 3 : 3, place);
      if (typeof part !== 'object' || part === null) continue;
      for (const [name, member] of Object.entries(part)) {
        this.countChars(name.length, place);
        waiting.push(member);
      }
    }
  }
}

const nameOfOthers = 'x-additionalPropertiesName';
const types = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'maxProperties'];
const lengths = ['minLength', 'maxLength'];
const flags = ['readOnly', 'writeOnly'];
/** What changes an example beside a reference. */
const deciding = [
  'type',
  'format',
  'pattern',
  'minItems',
  'maxItems',
  ...lengths,
  ...bounds,
  ...flags,
  'example',
  'const',
  'examples',
  'enum',
  'default',
  'allOf',
  'oneOf',
  'anyOf',
  'if',
  'then',
  'properties',
  'required',
  'additionalProperties',
  'prefixItems',
  'items',
  'contains',
];

/** The value that a schema gives itself. */
function givenValue({ example, const: only, examples, enum: values, default: usual }: Members): Members | undefined {
  if (example !== undefined) return { example };
  const value = [only, ...first(examples), ...first(values), usual].find((each) => each !== undefined);
  return value === undefined ? undefined : { const: value };
}

/** What has no parts. */
function plain(schema: Members): Members {
  const { type, format, pattern, required } = schema;
  const kept: Record<string, unknown> = {};
  for (const name of [...bounds, ...flags])
    if (typeof schema[name] === 'number' || typeof schema[name] === 'boolean') kept[name] = schema[name];
  for (const name of lengths) {
    const length = schema[name];
    if (typeof length === 'number') kept[name] = Math.min(length, maxTextLength);
  }
  const [named] = Array.isArray(type) ? first(type) : [type];
  if (named !== undefined) kept['type'] = typeof named === 'string' && types.has(named) ? named : 'null';
  if (typeof format === 'string') kept['format'] = format;
  if (typeof pattern === 'string') kept['pattern'] = '';
  if (Array.isArray(required)) kept['required'] = required.slice(0, maxRequired);
  return kept;
}

/** An object or a list without parts; nothing can be said of others. */
function emptied(schema: unknown): Members | undefined {
  const type = asMembers(schema)?.['type'];
  return type === 'object' || type === 'array' ? { type } : undefined;
}

const first = (value: unknown): readonly unknown[] => asList(value).slice(0, 1);
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
