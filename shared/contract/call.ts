import type { z } from 'zod';
import type { RefusalCode } from '#shared/contract/refusals.ts';
import type { OperatorRefusalCode } from './operator-refusals.ts';

/** One API call, shared by web and server. The path is relative to the backend's base address (product §8.1). */
export interface Call {
  /** The name of the call on both sides; OpenAPI's operationId. */
  name: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for each of `params`. */
  path: `/${string}`;
  /** Whose Bearer token it needs: `session` that of a customer, `operator` that of an operator, `view` that of an operator who sees as a customer, `none`: anyone may call. */
  auth: 'session' | 'operator' | 'view' | 'none';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Those that only this call takes, in lower case. */
  headers?: z.ZodObject;
  reply: z.ZodType;
  /**
   * The refusals it may return besides `invalid_request` and its internal errors, which every call may return, and besides `unauthorized`
   * and `too_many_requests`, which every call with a session may return.
   */
  refusals: readonly (RefusalCode | OperatorRefusalCode)[];
  /**
   * Money may have moved by the time the call fails, so its internal errors say what happens to the money. Errors of
   * other calls don't mention money.
   */
  mayCharge?: true;
  /** A read that is for the customer alone: an operator who sees as the customer is refused. */
  customerOnly?: true;
}

/** The responses to an internal error (`internal`) and to an unreachable database (`unavailable`). */
export function faultsOf({ mayCharge }: Pick<Call, 'mayCharge'>) {
  return mayCharge === true
    ? ({ internal: 'payment_unknown', unavailable: 'payment_unknown_unavailable' } as const)
    : ({ internal: 'internal', unavailable: 'unavailable' } as const);
}

/** Declares a call and keeps the exact type of its argument. */
export function defineCall<const C extends Call>(call: C): C {
  return call;
}

type InputOf<S> = S extends z.ZodType ? z.input<S> : unknown;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : unknown;
type Part<C, K extends string> =
  C extends Record<K, infer S> ? (S extends z.ZodType ? { [P in K]: S } : unknown) : unknown;

/** What a client passes: params, query and body, where the call has them. */
export type CallInput<C extends Call> = {
  [K in keyof (Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>)]: K extends keyof C ? InputOf<C[K]> : never;
};

/** What a handler receives: the same, parsed. */
export type CallParsed<C extends Call> = {
  [K in keyof (Part<C, 'params'> & Part<C, 'query'> & Part<C, 'body'>)]: K extends keyof C ? OutputOf<C[K]> : never;
};

/** What a client receives. */
export type CallReply<C extends Call> = z.output<C['reply']>;

/** What a handler returns. */
export type CallResult<C extends Call> = z.input<C['reply']>;

/** The response header with the portal's time (ISO 8601): pages take today from it, not from the browser. */
export const portalTimeHeader = 'x-portal-time';
