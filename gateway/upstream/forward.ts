import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { connectionOptions, headersForCaller, headersForProduct } from '#gateway/http/header-rules.ts';
import { hasBody, readWhole } from '#gateway/http/request-body.ts';
import { cannotCount } from '#gateway/http/refusals.ts';
import { type WholeResponse, concatChunks } from '#gateway/http/whole-response.ts';
import { isArriving } from '#shared/platform/close-server.ts';
import { BodyTooLarge, limitBody } from './body-limit.ts';
import { CallerTooSlow, describeFailure, isOfCaller, isReset, refusalFor } from './call-errors.ts';
import { type CallerWait, slowCallerMs } from './caller-wait.ts';
import type { ActiveCall, Forwarding, PendingResponse, UpstreamRequest } from './forwarding.ts';
import { idempotencyOf } from './idempotency.ts';
import { statedProblem } from './stated-problem.ts';
import type { RequestChanges } from './upstream-options.ts';

/** Where a call is forwarded to. */
export interface ForwardTarget {
  /** Sends a request to the API. The call gets its response, with `onHeaders` and what follows or with `respond`, or `onError`. */
  dispatch: (request: UpstreamRequest, call: ForwardedCall) => void;
  /** How often a GET or HEAD is sent again after a reset connection. */
  retries: number;
  /** Limit on the headers of a response. */
  maxHeadBytes: number;
  request: RequestChanges | undefined;
}

/** How much of a response is buffered until it is counted. Beyond this, the product gets backpressure. */
const maxBufferedBytes = 64 * 1024;
/** How much of a response is still read after its caller has disconnected. */
const maxAbandonedBytes = 1024 * 1024;

/**
 * Streams a call to the product and its response back, with backpressure. Retries GET and HEAD only.
 * Uses undici's legacy handler interface: the newer one parses the response headers a second time, which costs a tenth of a call.
 */
export function forward(upstream: ForwardTarget, forwarding: Forwarding): ActiveCall {
  const { req, maxBodyBytes } = forwarding;
  const withBody = hasBody(req);
  const call = new ForwardedCall(upstream, forwarding, withBody);
  if (!withBody) call.dispatch(null);
  else if (req.complete) call.dispatchWhole(readWhole(req));
  else call.dispatch(limitBody(req, maxBodyBytes, (waitsFor) => forwarding.sending(waitsFor)));
  return call;
}

/** Sends 100 Continue, if the caller expects it. Call it once the call is admitted. */
export function sendContinue(req: IncomingMessage, res: WholeResponse): void {
  if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue();
}

const nothing: readonly never[] = [];

/** The call of undici's handler interface, and of an API in this process. */
export class ForwardedCall implements Dispatcher.DispatchHandler, PendingResponse, ActiveCall {
  readonly #upstream: ForwardTarget;
  readonly #forwarding: Forwarding;
  #state: 'waiting' | 'counting' | 'streaming' | 'done' = 'waiting';
  #disconnected = false;
  /** Bytes received since the caller disconnected. */
  #abandonedBytes = 0;
  #abandonedTimer: NodeJS.Timeout | undefined;
  /** The gateway stopped the call, for this reason. */
  #stopped: Error | undefined;
  #retries: number;
  #dispatched = false;
  #abort: ((error: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #status = 0;
  #head: readonly string[] = nothing;
  /** Body chunks received before the response was released. */
  #buffered: Buffer[] | undefined;
  #bufferedBytes = 0;
  /** The body of a response that came in one piece. */
  #whole: Buffer | string | undefined;
  #ended = false;
  /** While the API is paused until the caller has taken what was sent. */
  #taking: CallerWait | undefined;

  constructor(upstream: ForwardTarget, forwarding: Forwarding, hasBody: boolean) {
    this.#upstream = upstream;
    this.#forwarding = forwarding;
    const { method } = forwarding.req;
    this.#retries = !hasBody && (method === 'GET' || method === 'HEAD') ? upstream.retries : 0;
  }

  dispatchWhole(body: Buffer): void {
    if (body.length > this.#forwarding.maxBodyBytes) this.onError(new BodyTooLarge());
    else this.dispatch(body);
  }

  dispatch(body: Readable | Buffer | null): void {
    const { req, path, traceparent, productHeaders } = this.#forwarding;
    if (this.#state === 'done') return;
    this.#dispatched = true;
    const { request } = this.#upstream;
    const { method = 'GET' } = req;
    const declared = connectionOptions(req.headers.connection);
    const dropped = traceparent === undefined ? declared : [...declared, 'traceparent'];
    const headers = headersForProduct(req.rawHeaders, dropped, request?.passes);
    headers.push(...productHeaders);
    if (traceparent !== undefined) headers.push('traceparent', traceparent);
    if (request !== undefined) headers.push(...request.headersFor(method, path));
    this.#upstream.dispatch({ method, path, headers, body }, this);
  }

  closed(): boolean {
    this.#disconnected = true;
    if (this.#ended) return true;
    if (!this.#dispatched) {
      this.#state = 'done';
      this.#ended = true;
      this.#forwarding.meter.failed(true);
      return true;
    }
    this.#buffered = undefined;
    this.#abandonedTimer = setTimeout(() => this.#abandon(), this.#forwarding.abandonedTimeoutMs);
    this.#resume?.();
    return false;
  }

  giveUp(): void {
    if (this.#state === 'streaming') {
      this.#stop(new CallerTooSlow());
      this.#forwarding.req.socket.destroy();
    } else if (this.#state !== 'done') this.#stop(new CallerTooSlow());
  }

  #stop(reason: Error): void {
    this.#stopped = reason;
    this.#abort?.(reason);
  }

  /** Stops reading an abandoned call. It is counted by what was received so far. */
  #abandon(): void {
    this.#stop(new Error('the caller disconnected'));
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
      this.#forwarding.handedOver();
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
      const body = this.#whole ?? concatChunks(this.#buffered ?? nothing);
      res.sendWhole(this.#status, this.#head, body, headerLines);
      this.#forwarding.handedOver();
      return;
    }
    this.#state = 'streaming';
    res.on('drain', () => {
      this.#taking?.moved(0);
      this.#resume?.();
    });
    res.sendHead(this.#status, this.#head, headerLines);
    for (const chunk of this.#buffered ?? nothing) res.write(chunk);
    this.#buffered = undefined;
    this.#resume?.();
  }

  problem(): string | undefined {
    return statedProblem(this.#head);
  }

  onConnect(stop: (error?: Error) => void): void {
    this.#abort = stop;
    if (this.#stopped !== undefined) stop(this.#stopped);
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    // Ignore interim responses, such as 100 Continue and 103 Early Hints.
    if (status < 200) return true;
    this.begin(status, headersForCaller(rawHeaders), resume);
    return true;
  }

  /** The status and headers are known. The body follows, or has come with them. */
  begin(status: number, head: string[], resume?: () => void): void {
    const { req, meter, rewriteHead } = this.#forwarding;
    this.#resume = resume;
    this.#status = status;
    this.#head = rewriteHead(head);
    this.#state = 'counting';
    meter.responded(status, idempotencyOf(req.headers, this.#head), this);
  }

  /** The entire response. A string is Latin-1. */
  respond(status: number, head: string[], body: Buffer | string): void {
    this.#whole = body;
    this.#ended = true;
    this.begin(status, head);
    this.#end();
  }

  onData(chunk: Buffer): boolean {
    if (this.#disconnected) {
      this.#abandonedBytes += chunk.length;
      if (this.#abandonedBytes > maxAbandonedBytes) this.#abandon();
      return true;
    }
    if (this.#state === 'counting') {
      if (this.#buffered === undefined) this.#buffered = [chunk];
      else this.#buffered.push(chunk);
      this.#bufferedBytes += chunk.length;
      return this.#bufferedBytes <= maxBufferedBytes;
    }
    if (this.#state !== 'streaming' || this.#forwarding.res.write(chunk)) return true;
    (this.#taking ??= this.#forwarding.taking()).begin(chunk.length);
    return false;
  }

  onComplete(): void {
    this.#end();
    if (this.#state !== 'streaming') return;
    this.#state = 'done';
    if (this.#disconnected) return;
    this.#forwarding.res.end();
    this.#forwarding.handedOver();
  }

  onError(error: Error): void {
    const { meter, res } = this.#forwarding;
    if (this.#state === 'waiting') {
      this.#failed(error);
      return;
    }
    if (error instanceof errors.ResponseContentLengthMismatchError && (this.#status === 204 || this.#status === 304)) {
      // Complete, as neither has a body. undici closes the connection: the API may yet send what it named, to the next caller.
      this.onComplete();
      return;
    }
    const wasOver = this.#state === 'done';
    const headSent = this.#state === 'streaming';
    this.#state = 'done';
    this.#end();
    if (wasOver || (this.#stopped !== undefined && (headSent || this.#disconnected))) return;
    const causedByCaller = this.#isCausedByCaller(error);
    if (!causedByCaller) this.#forwarding.onFailure(error);
    // A caller can't make a response free that it has received, or that it didn't wait for. One that was sent nothing has gained nothing.
    if (!causedByCaller || !(headSent || this.#disconnected)) meter.truncated();
    if (this.#disconnected) return;
    // Closing without a proper end tells the caller that the response is incomplete.
    if (headSent) res.destroy();
    else this.#refuse(error);
  }

  #refuse(error: Error): void {
    this.#forwarding.refuse(refusalFor(error, this.#forwarding.maxBodyBytes, this.#upstream.maxHeadBytes));
    // undici lets go of the connection after this.
    process.nextTick(() => this.#forwarding.handedOver());
  }

  /**
   * Whether the caller may have caused the end of its response: an API gives up on a request whose body is too large or never ends, and on a
   * connection on which it can't go on.
   */
  #isCausedByCaller(error: Error): boolean {
    if (isOfCaller(error) || isArriving(this.#forwarding.req)) return true;
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
    if (!isOfCaller(error)) this.#forwarding.onFailure(describeFailure(error, this.#upstream.maxHeadBytes));
    this.#refuse(error);
  }
}
