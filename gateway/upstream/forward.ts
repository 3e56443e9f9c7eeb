import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { connectionOptions, parseHeaders, headersForCaller, headersForProduct } from '#gateway/http/header-rules.ts';
import { bodyTooLarge, cannotCount, type Refusal, upstreamFailed, upstreamTooSlow } from '#gateway/http/refusals.ts';
import { type WholeResponse, concatChunks } from '#gateway/http/whole-response.ts';
import { isArriving } from '#platform/close-server.ts';
import { BodyTooLarge, limitBody } from './body-limit.ts';
import { CallerWait, slowCallerMs } from './caller-wait.ts';
import { type IdempotencyInfo, idempotencyOf } from './idempotency.ts';
import type { RewriteHead } from './rewrite-locations.ts';
import { statedProblem } from './stated-problem.ts';
import type { RequestChanges } from './upstream-options.ts';

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
}

/** Where a call is forwarded to. */
export interface ForwardTarget {
  dispatcher: Dispatcher;
  /** How often a GET or HEAD is sent again after a reset connection. */
  retries: number;
  request: RequestChanges | undefined;
}

/** Smaller request bodies are read before forwarding: that is faster, and keeps the caller's connection usable if the product fails. */
const smallBodyBytes = 64 * 1024;
/** How much of a response is buffered until it is counted. Beyond this, the product gets backpressure. */
const maxBufferedBytes = 64 * 1024;
/** How much of a response is still read after its caller has disconnected. */
const maxAbandonedBytes = 1024 * 1024;
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/**
 * Streams a call to the product and its response back, with backpressure. Retries GET and HEAD only.
 * Uses undici's legacy handler interface: the newer one parses the response headers a second time, which costs a tenth of a call.
 */
export function forward(upstream: ForwardTarget, forwarding: Forwarding): ActiveCall {
  const { req, res, maxBodyBytes } = forwarding;
  const length = req.headers['content-length'];
  const hasBody = req.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
  const call = new ForwardedCall(upstream, forwarding, hasBody);
  sendContinue(req, res);
  if (!hasBody) call.dispatch(null);
  else if (Number(length ?? Infinity) > smallBodyBytes) call.dispatch(limitBody(req, maxBodyBytes));
  else {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => call.dispatch(Buffer.concat(chunks)));
  }
  return call;
}

/** Sends 100 Continue, if the caller expects it. Call it once the call is admitted. */
export function sendContinue(req: IncomingMessage, res: WholeResponse): void {
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
}

const nothing: readonly never[] = [];

class ForwardedCall implements Dispatcher.DispatchHandler, PendingResponse, ActiveCall {
  readonly #upstream: ForwardTarget;
  readonly #forwarding: Forwarding;
  #state: 'waiting' | 'counting' | 'streaming' | 'done' = 'waiting';
  #disconnected = false;
  /** Bytes received since the caller disconnected. */
  #abandonedBytes = 0;
  #abandonedTimer: NodeJS.Timeout | undefined;
  /** The limits for an abandoned call were reached. */
  #gaveUp = false;
  #retries: number;
  #dispatched = false;
  #abort: ((error: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #status = 0;
  #head: readonly string[] = nothing;
  /** Body chunks received before the response was released. */
  #buffered: Buffer[] | undefined;
  #bufferedBytes = 0;
  #ended = false;
  /** While the API is paused until the caller has taken what was sent. */
  #taking: CallerWait | undefined;

  constructor(upstream: ForwardTarget, forwarding: Forwarding, hasBody: boolean) {
    this.#upstream = upstream;
    this.#forwarding = forwarding;
    const { method } = forwarding.req;
    this.#retries = !hasBody && (method === 'GET' || method === 'HEAD') ? upstream.retries : 0;
  }

  dispatch(body: Readable | Buffer | null): void {
    const { req, path, traceparent, productHeaders } = this.#forwarding;
    if (this.#state === 'done') return;
    this.#dispatched = true;
    const { dispatcher, request } = this.#upstream;
    const { method = 'GET' } = req;
    const declared = connectionOptions(req.headers.connection);
    const dropped = traceparent === undefined ? declared : [...declared, 'traceparent'];
    const headers = headersForProduct(req.rawHeaders, dropped, request?.passes);
    headers.push(...productHeaders);
    if (traceparent !== undefined) headers.push('traceparent', traceparent);
    if (request !== undefined) headers.push(...request.headersFor(method, path));
    dispatcher.dispatch({ method, path, headers, body }, this);
  }

  closed(): boolean {
    this.#disconnected = true;
    this.#taking?.end();
    if (this.#ended) return true;
    if (!this.#dispatched) {
      this.#state = 'done';
      this.#ended = true;
      this.#forwarding.meter.failed(true);
      return true;
    }
    this.#buffered = undefined;
    this.#abandonedTimer = setTimeout(() => this.#giveUp(), this.#forwarding.abandonedTimeoutMs);
    this.#resume?.();
    return false;
  }

  /** Stops reading an abandoned call. It is counted by what was received so far. */
  #giveUp(): void {
    this.#gaveUp = true;
    this.#abort?.(new Error('the caller disconnected'));
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#abandonedTimer);
    this.#forwarding.ended();
  }

  release(fault?: Error): void {
    const { res } = this.#forwarding;
    if (this.#state !== 'counting') return;
    if (fault !== undefined) {
      this.#state = 'done';
      this.#abort?.(fault);
      this.#forwarding.refuse(cannotCount);
      return;
    }
    if (this.#disconnected) {
      this.#state = this.#ended ? 'done' : 'streaming';
      this.#buffered = undefined;
      this.#resume?.();
      return;
    }
    const headerLines = this.#forwarding.headerLines();
    if (this.#ended) {
      this.#state = 'done';
      res.sendWhole(this.#status, this.#head, concatChunks(this.#buffered ?? nothing), headerLines);
      return;
    }
    this.#state = 'streaming';
    res.writeHead(this.#status, [...this.#head, ...parseHeaders(headerLines)]);
    res.on('drain', () => {
      this.#taking?.end();
      this.#resume?.();
    });
    res.flushHeaders();
    for (const chunk of this.#buffered ?? nothing) res.write(chunk);
    this.#buffered = undefined;
    this.#resume?.();
  }

  problem(): string | undefined {
    return statedProblem(this.#head);
  }

  onConnect(stop: (error?: Error) => void): void {
    this.#abort = stop;
    if (this.#gaveUp) stop(new Error('the caller disconnected'));
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    // Ignore interim responses, such as 100 Continue and 103 Early Hints.
    if (status < 200) return true;
    this.#resume = resume;
    this.#status = status;
    this.#head = this.#forwarding.rewriteHead(headersForCaller(rawHeaders));
    this.#state = 'counting';
    this.#forwarding.meter.responded(status, idempotencyOf(this.#forwarding.req, this.#head), this);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#disconnected) {
      this.#abandonedBytes += chunk.length;
      if (this.#abandonedBytes > maxAbandonedBytes) this.#giveUp();
      return true;
    }
    if (this.#state === 'counting') {
      if (this.#buffered === undefined) this.#buffered = [chunk];
      else this.#buffered.push(chunk);
      this.#bufferedBytes += chunk.length;
      return this.#bufferedBytes <= maxBufferedBytes;
    }
    if (this.#state !== 'streaming' || this.#forwarding.res.write(chunk)) return true;
    (this.#taking ??= new CallerWait()).begin();
    return false;
  }

  onComplete(): void {
    this.#end();
    if (this.#state !== 'streaming') return;
    this.#state = 'done';
    if (!this.#disconnected) this.#forwarding.res.end();
  }

  onError(error: Error): void {
    const { meter, res } = this.#forwarding;
    if (this.#state === 'waiting') {
      this.#failed(error);
      return;
    }
    const wasOver = this.#state === 'done';
    const headSent = this.#state === 'streaming';
    this.#state = 'done';
    this.#end();
    if (wasOver || this.#gaveUp) return;
    const causedByCaller = this.#isCausedByCaller(error);
    if (!causedByCaller) this.#forwarding.onFailure(error);
    // A caller can't make a response free that it has received, or that it didn't wait for. One that was sent nothing has gained nothing.
    if (!causedByCaller || !(headSent || this.#disconnected)) meter.truncated();
    if (this.#disconnected) return;
    // Closing without a proper end tells the caller that the response is incomplete.
    if (headSent) res.destroy();
    else this.#forwarding.refuse(refusalFor(error, this.#forwarding.maxBodyBytes));
  }

  /**
   * Whether the caller may have caused the end of its response: an API gives up on a request whose body is too large or never ends, and on a
   * connection on which it can't go on.
   */
  #isCausedByCaller(error: Error): boolean {
    if (error instanceof BodyTooLarge || isArriving(this.#forwarding.req)) return true;
    return this.#taking !== undefined && this.#taking.waitedMs() >= slowCallerMs;
  }

  #failed(error: Error): void {
    if (this.#retries > 0 && !this.#disconnected && isReset(error)) {
      this.#retries -= 1;
      this.dispatch(null);
      return;
    }
    this.#state = 'done';
    this.#forwarding.meter.failed(this.#disconnected);
    this.#end();
    if (this.#disconnected) return;
    this.#forwarding.onFailure(error);
    this.#forwarding.refuse(refusalFor(error, this.#forwarding.maxBodyBytes));
  }
}

export function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The product closed an idle connection just as it was reused, so it sent no response on it. */
function isReset(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

function refusalFor(error: Error, maxBodyBytes: number): Refusal {
  if (error instanceof BodyTooLarge) return bodyTooLarge(maxBodyBytes);
  return timeouts.has(errorCode(error)) ? upstreamTooSlow : upstreamFailed;
}
