import type { OperationParameter } from '#web/features/reference/parameters.ts';

/** Writes typed values as OpenAPI's `style` and `explode` say (OpenAPI 3.1 §4.8.12.2). */

type Value = string | string[] | Record<string, string>;

/** A typed text as a value: a list is JSON or has commas, an object is JSON, and anything else is the text itself. */
function valueOf({ schema, isJson }: OperationParameter, typed: string): Value {
  if (isJson) return typed;
  const isList = schema.types.includes('array');
  if (!isList && !schema.types.includes('object')) return typed;
  const json = parsed(typed);
  if (Array.isArray(json)) return json.map(asTyped);
  if (typeof json === 'object' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, asTyped(value)]));
  return isList ? typed.split(',').map((each) => each.trim()) : typed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const asTyped = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of a parameter in the path or in a header. */
export function writeSimple(parameter: OperationParameter, typed: string, encode: (text: string) => string): string {
  const { name, style, explode } = parameter;
  const value = valueOf(parameter, typed);
  const start = style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : '';
  if (typeof value === 'string') return start + encode(value);
  const separator = !explode ? ',' : style === 'label' ? '.' : style === 'matrix' ? `;${name}=` : ',';
  if (Array.isArray(value)) return start + value.map(encode).join(separator);
  const members = Object.entries(value).map(([key, each]) =>
    explode ? `${encode(key)}=${encode(each)}` : `${encode(key)},${encode(each)}`,
  );
  if (style === 'matrix' && explode) return `;${members.join(';')}`;
  return start + members.join(explode && style === 'label' ? '.' : ',');
}

/** The parts of a query for a parameter: `tag=a`, `tag=b`. */
export function writeQuery(parameter: OperationParameter, typed: string): string[] {
  const { name, style, explode, allowReserved } = parameter;
  const encode = allowReserved ? encodeURI : encodeURIComponent;
  const key = encodeURIComponent(name);
  const value = valueOf(parameter, typed);
  if (typeof value === 'string') return [`${key}=${encode(value)}`];
  if (Array.isArray(value)) {
    if (explode && style === 'form') return value.map((each) => `${key}=${encode(each)}`);
    const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
    return [`${key}=${value.map(encode).join(separator)}`];
  }
  const members = Object.entries(value);
  if (style === 'deepObject')
    return members.map(([each, text]) => `${key}[${encodeURIComponent(each)}]=${encode(text)}`);
  if (explode) return members.map(([each, text]) => `${encodeURIComponent(each)}=${encode(text)}`);
  return [`${key}=${members.map(([each, text]) => `${encode(each)},${encode(text)}`).join(',')}`];
}
