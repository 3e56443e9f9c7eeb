import { asList, asMembers, type Members } from '#shared/domain/members.ts';
import { type ApiDescription, asText, entriesOf, nameOf, resolved } from '#web/features/reference/api-description.ts';

/** A JSON Schema of OpenAPI 3.0 or 3.1, as far as the reference shows it, with references followed and `allOf` merged. */
export interface Schema {
  /** The name of its component; undefined for a schema without one. */
  name: string | undefined;
  /** `null` is among them for a nullable schema. Empty: any. */
  types: string[];
  description: string | undefined;
  format: string | undefined;
  pattern: string | undefined;
  /** The values allowed; undefined if any. */
  values: unknown[] | undefined;
  default: unknown;
  examples: unknown[];
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  minimum: number | undefined;
  maximum: number | undefined;
  exclusiveMinimum: number | undefined;
  exclusiveMaximum: number | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  minItems: number | undefined;
  maxItems: number | undefined;
  required: ReadonlySet<string>;
  properties: ReadonlyMap<string, unknown>;
  /** The schema of members whose names the document does not list. */
  additional: unknown;
  items: unknown;
  /** Of `oneOf` and `anyOf`, without null. */
  choices: readonly unknown[];
  /** The property that tells the choices apart, and its value for each. */
  discriminator: { property: string; valueOf: (choice: unknown) => string | undefined } | undefined;
}

/** Deeper combinations lead in a circle. */
const maxDepth = 12;

/** Combined schemas that were read: parts of parts are often the same ones, and reading each of them anew has no end. */
const known = new WeakMap<ApiDescription, WeakMap<Members, Schema>>();

/** Reads a schema. One that is `true` or cannot be read allows anything. */
export function readSchema(description: ApiDescription, given: unknown, depth = 0): Schema {
  const name = nameOf(given);
  const own = resolved(description, given);
  const parts = asList(own['allOf']);
  const all = [...asList(own['oneOf']), ...asList(own['anyOf'])];
  const choices = all.filter((choice) => !isNull(resolved(description, choice)));
  // "One of a schema and null" is that schema, nullable.
  const [only] = choices.length === 1 ? choices : [];
  const read = { ...schemaOf(own, only === undefined ? choices : []), name: name ?? nameOf(only) };
  const nullable = own['nullable'] === true || choices.length < all.length;
  const key = asMembers(given);
  if (key === undefined || depth > maxDepth || (parts.length === 0 && only === undefined))
    return orNull(read, nullable);
  const ofDocument = known.get(description) ?? new WeakMap<Members, Schema>();
  known.set(description, ofDocument);
  const before = ofDocument.get(key);
  if (before !== undefined) return before;
  // Where it leads in a circle, it has no other part than its own.
  ofDocument.set(key, read);
  const merged = [...parts, ...(only === undefined ? [] : [only])]
    .map((part) => readSchema(description, part, depth + 1))
    .reduceRight((under, part) => merge(part, under), read);
  const whole = orNull({ ...merged, name: read.name }, nullable);
  ofDocument.set(key, whole);
  return whole;
}

function orNull(schema: Schema, nullable: boolean): Schema {
  const { types } = schema;
  return nullable && types.length > 0 && !types.includes('null') ? { ...schema, types: [...types, 'null'] } : schema;
}

function isNull(schema: Members): boolean {
  const values = asList(schema['enum']);
  return schema['type'] === 'null' || (values.length === 1 && values[0] === null) || schema['const'] === null;
}

function schemaOf(own: Members, choices: readonly unknown[]): Schema {
  const properties = new Map(entriesOf(own['properties']));
  const { exclusiveMinimum, exclusiveMaximum } = own;
  const values = Object.hasOwn(own, 'const')
    ? [own['const']]
    : own['enum'] === undefined
      ? undefined
      : asList(own['enum']);
  return {
    name: undefined,
    types: typesOf(own, properties),
    description: asText(own['description']) ?? asText(own['title']),
    format: asText(own['format']) ?? asText(own['contentMediaType']),
    pattern: asText(own['pattern']),
    values: values && [...values],
    default: own['default'],
    examples: [...asList(own['examples']), ...(own['example'] === undefined ? [] : [own['example']])],
    deprecated: own['deprecated'] === true,
    readOnly: own['readOnly'] === true,
    writeOnly: own['writeOnly'] === true,
    // In OpenAPI 3.0 `exclusiveMinimum` is a boolean beside `minimum`.
    minimum: exclusiveMinimum === true ? undefined : asNumber(own['minimum']),
    maximum: exclusiveMaximum === true ? undefined : asNumber(own['maximum']),
    exclusiveMinimum: asNumber(exclusiveMinimum === true ? own['minimum'] : exclusiveMinimum),
    exclusiveMaximum: asNumber(exclusiveMaximum === true ? own['maximum'] : exclusiveMaximum),
    minLength: asNumber(own['minLength']),
    maxLength: asNumber(own['maxLength']),
    minItems: asNumber(own['minItems']),
    maxItems: asNumber(own['maxItems']),
    required: new Set(asList(own['required']).map(String)),
    properties,
    additional: own['additionalProperties'] ?? entriesOf(own['patternProperties'])[0]?.[1],
    items: own['items'] ?? asList(own['prefixItems'])[0],
    choices,
    discriminator: discriminatorOf(own['discriminator']),
  };
}

function typesOf(own: Members, properties: ReadonlyMap<string, unknown>): string[] {
  const { type } = own;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return [...new Set(type.map(String))];
  if (properties.size > 0 || asMembers(own['additionalProperties']) !== undefined) return ['object'];
  return own['items'] === undefined ? [] : ['array'];
}

function discriminatorOf(given: unknown): Schema['discriminator'] {
  const property = asText(asMembers(given)?.['propertyName']);
  if (property === undefined) return undefined;
  const mapping = entriesOf(asMembers(given)?.['mapping']);
  const valueOf = (choice: unknown): string | undefined => {
    const name = nameOf(choice);
    const reference = asText(asMembers(choice)?.['$ref']);
    return mapping.find(([, target]) => target === reference || target === name)?.[0] ?? name;
  };
  return { property, valueOf };
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Both at once, as `allOf` says: `over` says more, and what it does not say `under` does. */
function merge(under: Schema, over: Schema): Schema {
  const said = Object.entries(over).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...under,
    ...Object.fromEntries(said),
    deprecated: under.deprecated || over.deprecated,
    readOnly: under.readOnly || over.readOnly,
    writeOnly: under.writeOnly || over.writeOnly,
    required: new Set([...under.required, ...over.required]),
    properties: new Map([...under.properties, ...over.properties]),
    choices: [...new Set([...under.choices, ...over.choices])],
  };
}
