/** An issue while it is looked for. `continue` as in zod: unless it is true, later checks don't run. */
export interface Found {
  code: string;
  path?: PropertyKey[];
  message?: string | undefined;
  input: unknown;
  continue?: boolean;
  [fact: string]: unknown;
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

const formats: Readonly<Record<string, string>> = {
  datetime: 'ISO datetime',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  cidrv4: 'IPv4 range',
  cidrv6: 'IPv6 range',
  base64: 'base64-encoded string',
};

/** zod's own English message of an issue. */
export function englishMessage(issue: Found): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Invalid input: expected ${String(issue['expected'])}, received ${typeNameOf(issue.input)}`;
    case 'invalid_value': {
      const values = quoted(issue['values']);
      return values.length === 1
        ? `Invalid input: expected ${values[0]}`
        : `Invalid option: expected one of ${values.join('|')}`;
    }
    case 'too_big':
      return `Too big: expected ${sizeOf(issue, '<', issue['maximum'])}`;
    case 'too_small':
      return `Too small: expected ${sizeOf(issue, '>', issue['minimum'])}`;
    case 'invalid_format':
      return issue['format'] === 'regex'
        ? `Invalid string: must match pattern ${String(issue['pattern'])}`
        : `Invalid ${formats[String(issue['format'])]}`;
    case 'not_multiple_of':
      return `Invalid number: must be a multiple of ${String(issue['divisor'])}`;
    case 'unrecognized_keys': {
      const keys = quoted(issue['keys']);
      return `Unrecognized key${keys.length > 1 ? 's' : ''}: ${keys.join(', ')}`;
    }
    default:
      return 'Invalid input';
  }
}

function sizeOf({ origin, exact, inclusive }: Found, sign: string, limit: unknown): string {
  const unit = units[String(origin)];
  const size = `${exact === true ? 'exactly ' : sign + (inclusive === true ? '=' : '')}${String(limit)}`;
  return unit === undefined ? `${String(origin)} to be ${size}` : `${String(origin)} to have ${size} ${unit}`;
}

function quoted(values: unknown): string[] {
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))) : [];
}

function typeNameOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'array';
  return typeof input === 'number' && !Number.isFinite(input) ? String(input) : typeof input;
}
