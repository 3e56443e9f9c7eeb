import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Refusal } from '#gateway/http/refusals.ts';
import type { WholeResponse } from '#gateway/http/whole-response.ts';
import type { CallerWait, WaitsFor } from './caller-wait.ts';
import type { IdempotencyInfo } from './idempotency.ts';
import type { RewriteHead } from './rewrite-locations.ts';

/** An admitted call, with everything needed to forward it. */
export interface Forwarding {
  req: IncomingMessage;
  res: WholeResponse;
  path: string;
  /** Headers that the gateway adds to the request, as a flat list. */
  productHeaders: readonly string[];
  /** Takes the place of the caller's traceparent header; undefined while traces are off. */
  traceparent: string | undefined;
  maxBodyBytes: number;
  /** How long to keep reading a response after its caller has disconnected. */
  abandonedTimeoutMs: number;
  meter: CallMeter;
  /** The headers that the gateway adds to the response, formatted. */
  headerLines: () => string;
  refuse: (refusal: Refusal) => void;
  /** Changes the product's response headers for the caller. */
  rewriteHead: RewriteHead;
  /** Called with the reason when the product fails. */
  onFailure: (error: Error) => void;
  /** Called when the product has finished, or the gateway has given up on it. */
  ended: () => void;
  /** Called when everything that the caller gets was written: the product is not needed any more. */
  handedOver: () => void;
  /** The wait for the caller to take its response. */
  taking: () => CallerWait;
  /** The wait for the rest of the request's body. */
  sending: (waitsFor: () => WaitsFor) => CallerWait;
}

/** A request as its API gets it. */
export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  /** A flat list of names and values. */
  headers: string[];
  /** A buffer if it has arrived completely. */
  body: Buffer | Readable | null;
}

/** Counts one call. Exactly one of `responded`, `failed` and `rejected` is called. */
export interface CallMeter {
  /** The product sent its headers. The meter calls `response.release` once the call is counted. */
  responded: (status: number, idempotency: IdempotencyInfo | undefined, response: PendingResponse) => void;
  /** The product sent no response. `disconnected`: the caller disconnected first. */
  failed: (disconnected: boolean) => void;
  /** The call was queued for too long and never reached the product. */
  rejected: () => void;
  /** The response was cut off after it was counted. */
  truncated: () => void;
  /** The rate-limit headers, formatted. */
  headerLines: () => string;
}

/** A response that is held back until it is counted. */
export interface PendingResponse {
  /** Sends the response, or refuses the call if counting failed. */
  release: (fault?: Error) => void;
  /** The problem that the product states in a header, if it does. */
  problem: () => string | undefined;
}

/** A call that a product is working on. */
export interface ActiveCall {
  /** Call it when the caller's response has closed. Returns false while the product is still working; `ended` follows then. */
  closed: () => boolean;
  /** The caller is too slow. Closes its connection, or refuses the call if nothing was sent. */
  giveUp: () => void;
}
