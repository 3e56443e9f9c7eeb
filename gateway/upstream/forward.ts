import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { connectionOptions, parseHeaders, headersForCaller, headersForProduct } from '#gateway/http/header-rules.ts';
import { bodyTooLarge, cannotCheck, type Refusal, upstreamFailed, upstreamTooSlow } from '#gateway/http/refusals.ts';
import { type WholeResponse, concatChunks } from '#gateway/http/whole-response.ts';
import type { Relocate } from './relocate.ts';
import { type Repeatable, repeatableOf } from './repeatable.ts';

/** One admitted call on its way to the product and back. */
export interface Forwarding {
  req: IncomingMessage;
  res: WholeResponse;
  path: string;
  /** Fields that the gateway adds for the product, as a flat list. */
  toProduct: readonly string[];
  maxBodyBytes: number;
  /** How long a response is read on when its caller has left, in milliseconds. */
  leftTimeoutMs: number;
  meter: CallMeter;
  /** All of the gateway's own fields of the answer, as lines. */
  ownLines: () => string;
  refuse: (refusal: Refusal) => void;
  /** Makes the product's own addresses in its headers those of the gateway. */
  relocate: Relocate;
  /** Told why the product failed. */
  onFailure: (error: Error) => void;
  /** The product is done with the call, or is not waited for any more. */
  ended: () => void;
}

/** Told of what became of the call; each call ends in exactly one of `answered` and `failed`. */
export interface CallMeter {
  /** The product answered. The head may leave once `answer` is told to go without a fault. */
  answered: (status: number, repeatable: Repeatable | undefined, answer: Answer) => void;
  /** The product did not answer. `callerLeft`: by then the caller had left. */
  failed: (callerLeft: boolean) => void;
  /** The call never reached the product: it had to wait for too long. */
  turnedAway: () => void;
  /** The answer broke off after it was counted. */
  broken: () => void;
  /** The fields about quotas, as lines. */
  lines: () => string;
}

/** An answer that waits for its count. */
export interface Answer {
  go: (fault?: Error) => void;
}

/** A call that a product is answering. */
export interface Serving {
  /** The caller's answer is over: it was sent, or nobody waits for it any more. False while the product is still answering: `ended` follows. */
  closed: () => boolean;
}

class BodyTooLarge extends Error {}

/** Bodies up to this size are read before they are passed on, which is faster and leaves the caller's connection whole when the product fails. */
const smallBodyBytes = 64 * 1024;
/** So much of an answer waits for its count before the product is slowed down. */
const bufferBytes = 64 * 1024;
/** So much of a response is still read when its caller has left. */
const leftBytes = 1024 * 1024;
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/**
 * Streams a call to the product and its answer back, at the pace of the slower side. Nothing is sent twice but GET and HEAD.
 * undici's first handler interface is used because the newer one parses every answer's fields a second time: a tenth of a call.
 */
export function forward(upstream: Dispatcher, forwarding: Forwarding): Serving {
  const { req, res, maxBodyBytes } = forwarding;
  const length = req.headers['content-length'];
  const hasBody = req.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
  const call = new ForwardedCall(upstream, forwarding, hasBody);
  continueBody(req, res);
  if (!hasBody) call.dispatch(null);
  else if (Number(length ?? Infinity) > smallBodyBytes) call.dispatch(limited(req, maxBodyBytes));
  else {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => call.dispatch(Buffer.concat(chunks)));
  }
  return call;
}

/** Lets a caller who waits for it send its body, now that its call is admitted. */
export function continueBody(req: IncomingMessage, res: WholeResponse): void {
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
}

const noFields: readonly string[] = [];
const noChunks: readonly Buffer[] = [];

class ForwardedCall implements Dispatcher.DispatchHandler, Answer, Serving {
  readonly #upstream: Dispatcher;
  readonly #forwarding: Forwarding;
  #state: 'asking' | 'counting' | 'answering' | 'over' = 'asking';
  #callerLeft = false;
  /** Bytes that came since the caller left. */
  #leftBytes = 0;
  #leftTimer: NodeJS.Timeout | undefined;
  /** More was not waited for after the caller left. */
  #cutOff = false;
  #mayRepeat: boolean;
  #dispatched = false;
  #abort: ((error: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #status = 0;
  #head: readonly string[] = noFields;
  /** What came before the answer could leave. */
  #early: Buffer[] | undefined;
  #earlyBytes = 0;
  #ended = false;

  constructor(upstream: Dispatcher, forwarding: Forwarding, hasBody: boolean) {
    this.#upstream = upstream;
    this.#forwarding = forwarding;
    const { method } = forwarding.req;
    this.#mayRepeat = !hasBody && (method === 'GET' || method === 'HEAD');
  }

  dispatch(body: Readable | Buffer | null): void {
    const { req, path, toProduct } = this.#forwarding;
    if (this.#state === 'over') return;
    this.#dispatched = true;
    const headers = headersForProduct(req.rawHeaders, connectionOptions(req.headers.connection));
    headers.push(...toProduct);
    this.#upstream.dispatch({ method: req.method ?? 'GET', path, headers, body }, this);
  }

  closed(): boolean {
    this.#callerLeft = true;
    if (this.#ended) return true;
    if (!this.#dispatched) {
      this.#state = 'over';
      this.#ended = true;
      this.#forwarding.meter.failed(true);
      return true;
    }
    this.#early = undefined;
    this.#leftTimer = setTimeout(() => this.#cutOffNow(), this.#forwarding.leftTimeoutMs);
    this.#resume?.();
    return false;
  }

  /** The caller has left and the bounds are reached: what was received by now decides. */
  #cutOffNow(): void {
    this.#cutOff = true;
    this.#abort?.(new Error('the caller left'));
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#leftTimer);
    this.#forwarding.ended();
  }

  go(fault?: Error): void {
    const { res } = this.#forwarding;
    if (this.#state !== 'counting') return;
    if (fault !== undefined) {
      this.#state = 'over';
      this.#abort?.(fault);
      this.#forwarding.refuse(cannotCheck);
      return;
    }
    if (this.#callerLeft) {
      this.#state = this.#ended ? 'over' : 'answering';
      this.#early = undefined;
      this.#resume?.();
      return;
    }
    const own = this.#forwarding.ownLines();
    if (this.#ended) {
      this.#state = 'over';
      res.sendWhole(this.#status, this.#head, concatChunks(this.#early ?? noChunks), own);
      return;
    }
    this.#state = 'answering';
    res.writeHead(this.#status, [...this.#head, ...parseHeaders(own)]);
    res.on('drain', () => this.#resume?.());
    res.flushHeaders();
    for (const chunk of this.#early ?? noChunks) res.write(chunk);
    this.#early = undefined;
    this.#resume?.();
  }

  onConnect(stop: (error?: Error) => void): void {
    this.#abort = stop;
    if (this.#cutOff) stop(new Error('the caller left'));
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    // 100 Continue and 103 Early Hints are not the answer.
    if (status < 200) return true;
    this.#resume = resume;
    this.#status = status;
    this.#head = this.#forwarding.relocate(headersForCaller(rawHeaders));
    this.#state = 'counting';
    this.#forwarding.meter.answered(status, repeatableOf(this.#forwarding.req, this.#head), this);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#callerLeft) {
      this.#leftBytes += chunk.length;
      if (this.#leftBytes > leftBytes) this.#cutOffNow();
      return true;
    }
    if (this.#state === 'counting') {
      if (this.#early === undefined) this.#early = [chunk];
      else this.#early.push(chunk);
      this.#earlyBytes += chunk.length;
      return this.#earlyBytes <= bufferBytes;
    }
    return this.#state !== 'answering' || this.#forwarding.res.write(chunk);
  }

  onComplete(): void {
    this.#end();
    if (this.#state !== 'answering') return;
    this.#state = 'over';
    if (!this.#callerLeft) this.#forwarding.res.end();
  }

  onError(error: Error): void {
    const { meter, req, res } = this.#forwarding;
    if (this.#state === 'asking') {
      this.#failed(error);
      return;
    }
    const wasOver = this.#state === 'over';
    const headSent = this.#state === 'answering';
    this.#state = 'over';
    this.#end();
    // A caller who leaves, even in the middle of its own request, makes no response free.
    if (wasOver || this.#cutOff || (req.destroyed && !req.complete)) return;
    this.#forwarding.onFailure(error);
    meter.broken();
    if (this.#callerLeft) return;
    // Without an end the caller can tell that the answer is not whole.
    if (headSent) res.destroy();
    else this.#forwarding.refuse(upstreamFailed);
  }

  #failed(error: Error): void {
    if (this.#mayRepeat && !this.#callerLeft && isReset(error)) {
      this.#mayRepeat = false;
      this.dispatch(null);
      return;
    }
    this.#state = 'over';
    this.#forwarding.meter.failed(this.#callerLeft);
    this.#end();
    if (this.#callerLeft) return;
    this.#forwarding.onFailure(error);
    this.#forwarding.refuse(refusalFor(error, this.#forwarding.maxBodyBytes));
  }
}

/** A body that is passed on while it comes. One of unknown length is measured on the way. */
function limited(req: IncomingMessage, maxBytes: number): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
  req.on('error', (error) => counter.destroy(error));
  return req.pipe(counter);
}

export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The product closed a kept connection just when it was used again: nothing was answered on it. */
function isReset(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

function refusalFor(error: Error, maxBodyBytes: number): Refusal {
  if (error instanceof BodyTooLarge) return bodyTooLarge(maxBodyBytes);
  return timeouts.has(codeOf(error)) ? upstreamTooSlow : upstreamFailed;
}
