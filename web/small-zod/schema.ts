import { type Found, englishMessage } from './messages.ts';

export interface Payload {
  value: unknown;
  issues: Found[];
}

/** Of an issue, by what raises it. */
interface IssueFacts {
  code: string;
  continue?: boolean;
  [fact: string]: unknown;
}

interface CheckTerms {
  error?: string;
  path?: PropertyKey[];
  abort?: boolean;
  when?: (payload: Payload) => boolean;
}
export type Terms = string | CheckTerms | undefined;

interface Check {
  when?: ((payload: Payload) => boolean) | undefined;
  run: (payload: Payload) => unknown;
}

export type Shape = Readonly<Record<string, Schema>>;

/** What the schema around it needs to know; `mayLack` and `lacks` are zod's optin and optout. */
interface Facts {
  mayLack?: 'optional' | 'defaulted' | undefined;
  lacks?: boolean | undefined;
  shape?: Shape;
  options?: readonly unknown[];
  /** The schema's own message, for checks that have none. */
  error?: string | undefined;
  /** Of numbers: `min` and `max` mean the value, else the length. */
  isNumber?: true;
  /** Makes the same object with another shape. */
  withShape?: (shape: Shape) => Schema;
}

/** A schema of zod, with the methods that the pages and the contract use. */
export class Schema {
  readonly facts: Facts;
  readonly #parse: (payload: Payload) => Payload;
  readonly #checks: readonly Check[];

  constructor(parse: (payload: Payload) => Payload, facts: Facts = {}, checks: readonly Check[] = []) {
    this.#parse = parse;
    this.facts = facts;
    this.#checks = checks;
  }

  run(given: Payload): Payload {
    const payload = this.#parse(given);
    for (const check of this.#checks) {
      const runs =
        check.when === undefined
          ? !isAborted(payload)
          : payload.issues.every((issue) => issue.continue !== false) && check.when(payload);
      if (runs) check.run(payload);
    }
    return payload;
  }

  safeParse(input: unknown) {
    const { value, issues } = this.run({ value: input, issues: [] });
    if (issues.length === 0) return { success: true, data: value };
    return { success: false, error: new SchemaError(issues) };
  }

  parse(input: unknown): unknown {
    const { data, error } = this.safeParse(input);
    if (error !== undefined) throw error;
    return data;
  }

  get shape() {
    return this.facts.shape;
  }

  get options() {
    return this.facts.options;
  }

  optional() {
    const { mayLack } = this.facts;
    return new Schema(
      (payload) => (payload.value === undefined && mayLack !== 'defaulted' ? payload : this.run(payload)),
      {
        mayLack: mayLack ?? 'optional',
        lacks: true,
      },
    );
  }

  nullable() {
    const { mayLack, lacks } = this.facts;
    return new Schema((payload) => (payload.value === null ? payload : this.run(payload)), { mayLack, lacks });
  }

  nullish() {
    return this.nullable().optional();
  }

  default(value: unknown) {
    const fallback = () => (Array.isArray(value) ? [...value] : value);
    return new Schema(
      (payload) => (payload.value === undefined ? Object.assign(payload, { value: fallback() }) : this.run(payload)),
      { mayLack: 'defaulted' },
    );
  }

  catch(value: unknown) {
    return new Schema(
      (payload) => {
        const result = this.run({ value: payload.value, issues: [] });
        return Object.assign(payload, { value: result.issues.length === 0 ? result.value : value });
      },
      { mayLack: 'defaulted', lacks: this.facts.lacks },
    );
  }

  extend(more: Shape) {
    return this.facts.withShape?.({ ...this.facts.shape, ...more });
  }

  /** Every property must be there, also one that has a default. */
  required() {
    const shape = Object.entries(this.facts.shape ?? {}).map(([key, schema]) => {
      const facts = { code: 'invalid_type', expected: 'nonoptional' };
      const isThere = new Schema((payload) => schema.run(payload)).failsIf((value) => value === undefined, facts);
      return [key, isThere] as const;
    });
    return this.facts.withShape?.(Object.fromEntries(shape));
  }

  /** Facts for the documents that the server writes. */
  meta() {
    return this;
  }

  register() {
    return this;
  }

  brand() {
    return this;
  }

  min(limit: number, terms?: Terms) {
    return this.#sized((size) => size < limit, { code: 'too_small', minimum: limit, inclusive: true }, terms);
  }

  max(limit: number, terms?: Terms) {
    return this.#sized((size) => size > limit, { code: 'too_big', maximum: limit, inclusive: true }, terms);
  }

  length(limit: number, terms?: Terms) {
    const exact = { exact: true, inclusive: true };
    return this.#sized((size) => size < limit, { code: 'too_small', minimum: limit, ...exact }, terms).#sized(
      (size) => size > limit,
      { code: 'too_big', maximum: limit, ...exact },
      terms,
    );
  }

  positive(terms?: Terms) {
    return this.#sized((size) => size <= 0, { code: 'too_small', minimum: 0, inclusive: false }, terms);
  }

  multipleOf(divisor: number, terms?: Terms) {
    const facts = { code: 'not_multiple_of', divisor };
    return this.failsIf((value) => typeof value === 'number' && !isMultiple(value, divisor), facts, terms);
  }

  int(terms?: Terms) {
    const facts = { code: 'invalid_type', expected: 'int', continue: false };
    const safe = { origin: 'int', inclusive: true };
    return this.failsIf((value) => !Number.isInteger(value), facts, terms)
      .failsIf((value) => Number(value) > Number.MAX_SAFE_INTEGER, {
        code: 'too_big',
        maximum: Number.MAX_SAFE_INTEGER,
        ...safe,
      })
      .failsIf((value) => Number(value) < Number.MIN_SAFE_INTEGER, {
        code: 'too_small',
        minimum: Number.MIN_SAFE_INTEGER,
        ...safe,
      });
  }

  regex(pattern: RegExp, terms?: Terms) {
    const facts = { code: 'invalid_format', format: 'regex', pattern };
    return this.failsIf((value) => !pattern.test(String(value)), facts, terms);
  }

  refine(accepts: (value: unknown) => unknown, terms?: Terms) {
    return this.failsIf((value) => !accepts(value), { code: 'custom' }, terms);
  }

  overwrite(change: (value: unknown) => unknown) {
    return this.#with({ run: (payload) => Object.assign(payload, { value: change(payload.value) }) });
  }

  trim() {
    return this.overwrite((text) => String(text).trim());
  }

  toUpperCase() {
    return this.overwrite((text) => String(text).toUpperCase());
  }

  toLowerCase() {
    return this.overwrite((text) => String(text).toLowerCase());
  }

  failsIf(fails: (value: unknown) => boolean, facts: IssueFacts, terms?: Terms) {
    const { error = this.facts.error, path, abort, when } = termsOf(terms);
    return this.#with({
      when,
      run: ({ value, issues }) => {
        if (!fails(value)) return;
        issues.push({ continue: abort !== true, ...facts, message: error, path: [...(path ?? [])], input: value });
      },
    });
  }

  /** A length is looked at whatever was found before, as zod does. */
  #sized(fails: (size: number) => boolean, facts: IssueFacts, terms: Terms) {
    const { error = this.facts.error } = termsOf(terms);
    return this.#with({
      when: this.facts.isNumber === true ? undefined : ({ value }) => hasLength(value),
      run: ({ value, issues }) => {
        const origin = typeof value === 'string' || typeof value === 'number' ? typeof value : 'array';
        if (!fails(sizeOf(value))) return;
        issues.push({ continue: true, ...facts, origin, message: error, path: [], input: value });
      },
    });
  }

  #with(check: Check) {
    return new Schema(this.#parse, this.facts, [...this.#checks, check]);
  }
}

/** What `parse` throws, and `safeParse` returns. */
class SchemaError extends Error {
  override readonly name = 'ZodError';
  readonly issues: { code: string; path: PropertyKey[]; message: string }[];

  constructor(found: readonly Found[]) {
    super('The data does not match its schema');
    this.issues = found.map((issue) => ({
      ...issue,
      path: issue.path ?? [],
      message: issue.message ?? englishMessage(issue),
    }));
    this.message = this.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  }
}

export function isAborted({ issues }: Payload): boolean {
  return issues.some((issue) => issue.continue !== true);
}

export function termsOf(terms: Terms): CheckTerms {
  return typeof terms === 'string' ? { error: terms } : (terms ?? {});
}

function hasLength(value: unknown): value is string | unknown[] {
  return typeof value === 'string' || Array.isArray(value);
}

function sizeOf(value: unknown): number {
  // Characters, as zod counts them: an emoji is one.
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : Number(value);
}

function isMultiple(value: number, divisor: number): boolean {
  const ratio = value / divisor;
  return Math.abs(ratio - Math.round(ratio)) < 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1);
}
