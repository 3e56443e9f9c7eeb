import type { z } from 'zod';
import type { RefusalCode } from '#contract/refusals.ts';

/** One call that web and server promise each other. The path hangs under the backend's base address (product §8.1). */
export interface Call {
  /** The name under which client and server both know it; OpenAPI's operationId. */
  name: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for each of `params`. */
  path: `/${string}`;
  /** `session`: a Bearer session token. `none`: anyone. */
  auth: 'session' | 'none';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  reply: z.ZodType;
  /** What it may refuse beside `unauthorized`, `invalid_request` and its faults, which every call may. */
  refusals: readonly RefusalCode[];
  /**
   * The customer's money may have moved by the time the call fails: its faults then say what becomes of the money. Other calls
   * say nothing of money when they fail.
   */
  mayCharge?: true;
}

/** How a call answers a fault of ours (`internal`), and when the database is away (`unavailable`). */
export function faultsOf({ mayCharge }: Pick<Call, 'mayCharge'>) {
  return mayCharge === true
    ? ({ internal: 'payment_unknown', unavailable: 'payment_unknown_unavailable' } as const)
    : ({ internal: 'internal', unavailable: 'unavailable' } as const);
}

/** Declares a call; the argument keeps its exact type. */
export function defineCall<const C extends Call>(call: C): C {
  return call;
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : unknown;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : unknown;
type Part<C, K extends string> =
  C extends Record<K, infer S> ? (S extends z.ZodType ? { [P in K]: S } : unknown) : unknown;

/** What a client gives: params, query and body where the call has them. */
export type CallInput<C extends Call> = {
  [K in keyof (Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>)]: K extends keyof C ? InputOf<C[K]> : never;
};

/** What a handler gets: the same, parsed. */
export type CallParsed<C extends Call> = {
  [K in keyof (Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>)]: K extends keyof C ? OutputOf<C[K]> : never;
};

/** What a client gets. */
export type CallReply<C extends Call> = z.output<C['reply']>;

/** What a handler gives. */
export type CallAnswer<C extends Call> = z.input<C['reply']>;
