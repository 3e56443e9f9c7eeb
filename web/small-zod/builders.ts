import type { Found } from './messages.ts';
import { type Payload, Schema, type Shape, type Terms, isAborted, termsOf } from './schema.ts';

/** A schema of the values that this accepts. */
function of(
  accepts: (value: unknown) => boolean,
  facts: { code: string; [fact: string]: unknown },
  terms?: Terms,
  more: Schema['facts'] = {},
) {
  const { error } = termsOf(terms);
  return new Schema(
    (payload) => {
      if (!accepts(payload.value)) payload.issues.push({ ...facts, message: error, input: payload.value });
      return payload;
    },
    { error, ...more },
  );
}

const ofType = (expected: string, accepts: (value: unknown) => boolean, terms: Terms, more?: Schema['facts']) =>
  of(accepts, { code: 'invalid_type', expected }, terms, more);

const isText = (value: unknown) => typeof value === 'string';

export const string = (terms?: Terms) => ofType('string', isText, terms);
export const boolean = (terms?: Terms) => ofType('boolean', (value) => typeof value === 'boolean', terms);
export const number = (terms?: Terms) => ofType('number', Number.isFinite, terms, { isNumber: true });
export const int = (terms?: Terms) => number(terms).int(terms);
export const unknown = () => new Schema((payload) => payload, { mayLack: 'optional', lacks: true });
export const custom = (accepts: (value: unknown) => boolean) =>
  new Schema((payload) => payload).failsIf((value) => !accepts(value), { code: 'custom' });

export const coerce = {
  number: () => coerced(Number, number()),
  string: () => coerced(String, string()),
};

function coerced(convert: (value: unknown) => unknown, schema: Schema) {
  return new Schema((payload) => schema.run(Object.assign(payload, { value: convert(payload.value) })), {
    ...schema.facts,
    mayLack: 'optional',
  });
}

const oneOf = (values: readonly unknown[], terms: Terms) =>
  of((value) => values.includes(value), { code: 'invalid_value', values }, terms, { options: values });

const enumOf = (values: readonly string[], terms?: Terms) => oneOf(values, terms);
export { enumOf as enum };
export const literal = (value: unknown, terms?: Terms) => oneOf(Array.isArray(value) ? value : [value], terms);

function format(name: string, accepts: (text: string) => boolean, terms: Terms) {
  const facts = { code: 'invalid_format', format: name };
  return string(terms).failsIf((text) => !accepts(String(text)), facts, terms);
}

const datePattern =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
export const iso = { datetime: (terms?: Terms) => format('datetime', (text) => datePattern.test(text), terms) };

const part4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d|\d)$/;
const isIpv4 = (text: string) => text.split('.').length === 4 && text.split('.').every((part) => part4.test(part));
const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
const isRange = (isAddress: (text: string) => boolean, most: number) => (text: string) => {
  const [address = '', prefix = '', ...more] = text.split('/');
  return more.length === 0 && /^(?:0|[1-9]\d*)$/.test(prefix) && Number(prefix) <= most && isAddress(address);
};
export const ipv4 = (terms?: Terms) => format('ipv4', isIpv4, terms);
export const ipv6 = (terms?: Terms) => format('ipv6', isIpv6, terms);
export const cidrv4 = (terms?: Terms) => format('cidrv4', isRange(isIpv4, 32), terms);
export const cidrv6 = (terms?: Terms) => format('cidrv6', isRange(isIpv6, 128), terms);

export const base64 = (terms?: Terms) => format('base64', isBase64, terms);

function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || /\s/.test(text)) return false;
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

export const array = (element: Schema, terms?: Terms) =>
  new Schema((payload) => {
    const { value: input, issues } = payload;
    if (!Array.isArray(input)) return refused(payload, 'array', terms);
    payload.value = input.map((value, index) => {
      const result = element.run({ value, issues: [] });
      issues.push(...below(index, result.issues));
      return result.value;
    });
    return payload;
  });

export const record = (_key: Schema, value: Schema) =>
  new Schema((payload) => {
    const { value: input, issues } = payload;
    if (!isObject(input)) return refused(payload, 'record');
    const output: Record<string, unknown> = {};
    for (const [key, each] of Object.entries(input)) {
      if (key === '__proto__') continue;
      const result = value.run({ value: each, issues: [] });
      issues.push(...below(key, result.issues));
      output[key] = result.value;
    }
    payload.value = output;
    return payload;
  });

export const union = (options: readonly Schema[], terms?: Terms) =>
  new Schema(
    (payload) => {
      const results = options.map((option) => option.run({ value: payload.value, issues: [] }));
      const passed = results.find(({ issues }) => issues.length === 0);
      const going = results.filter((result) => !isAborted(result));
      const best = passed ?? (going.length === 1 ? going[0] : undefined);
      if (best === undefined)
        payload.issues.push({ code: 'invalid_union', message: termsOf(terms).error, input: payload.value });
      return best ?? payload;
    },
    {
      mayLack: options.find(({ facts }) => facts.mayLack)?.facts.mayLack,
      lacks: options.some(({ facts }) => facts.lacks),
    },
  );

export const object = (shape: Shape, terms?: Terms): Schema => objectOf(shape, 'strip', terms);
export const strictObject = (shape: Shape, terms?: Terms): Schema => objectOf(shape, 'refuse', terms);
export const looseObject = (shape: Shape, terms?: Terms): Schema => objectOf(shape, 'keep', terms);

function objectOf(shape: Shape, others: 'strip' | 'refuse' | 'keep', terms: Terms): Schema {
  const parse = (payload: Payload) => {
    const { value: input, issues } = payload;
    if (!isObject(input)) return refused(payload, 'object', terms);
    const output: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(shape)) issues.push(...parseProperty(schema, key, input, output));
    payload.value = output;
    if (others === 'strip') return payload;
    const more = Object.keys(input).filter((key) => !Object.hasOwn(shape, key));
    if (others === 'keep') for (const key of more) if (key !== '__proto__') output[key] = input[key];
    if (others === 'refuse' && more.length > 0)
      issues.push({ code: 'unrecognized_keys', keys: more, message: termsOf(terms).error, input, continue: true });
    return payload;
  };
  return new Schema(parse, { shape, withShape: (next) => objectOf(next, others, terms) });
}

/** Puts a property into the output, and returns its issues. */
function parseProperty(
  schema: Schema,
  key: string,
  input: Readonly<Record<string, unknown>>,
  output: Record<string, unknown>,
): Found[] {
  const { mayLack, lacks } = schema.facts;
  const isThere = key in input;
  if (!isThere && lacks && mayLack === 'optional') return [];
  const { value, issues } = schema.run({ value: input[key], issues: [] });
  if (!isThere && lacks && mayLack !== undefined && issues.length > 0) return [];
  if (!isThere && mayLack === undefined) {
    return issues.length > 0
      ? below(key, issues)
      : [{ code: 'invalid_type', expected: 'nonoptional', input: undefined, path: [key] }];
  }
  if (value !== undefined || isThere || (mayLack === 'defaulted' && !lacks)) output[key] = value;
  return below(key, issues);
}

/** Schemas are not looked up in the pages. */
export const registry = () => ({});

function refused(payload: Payload, expected: string, terms?: Terms): Payload {
  payload.issues.push({ code: 'invalid_type', expected, message: termsOf(terms).error, input: payload.value });
  return payload;
}

function below(key: PropertyKey, issues: readonly Found[]): Found[] {
  return issues.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
