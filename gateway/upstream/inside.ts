import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { connectionOptions, textHeadersForCaller } from '#gateway/http/header-rules.ts';
import { hasBody } from '#gateway/http/request-body.ts';
import { HeldResponse, type HeldResponseListener } from '#gateway/http/held-response.ts';
import { ReceivedRequest } from '#gateway/http/received-request.ts';
import {
  bodyTooLarge,
  cannotCount,
  requestTooSlow,
  type Refusal,
  upstreamFailed,
  upstreamTooSlow,
} from '#gateway/http/refusals.ts';
import { canHoldMessages } from '#gateway/node/accessors.ts';
import { canWatchBodies, watchBody } from '#gateway/node/body-parts.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type CallerWait, slowCallerMs } from './caller-wait.ts';
import type { PendingResponse, Forwarding, ActiveCall } from './forwarding.ts';
import { idempotencyOf } from './idempotency.ts';
import { statedProblem } from './stated-problem.ts';

/** A product that runs in the gateway's process as a Node request handler. It is counted like any other product. */
export interface InsideProduct {
  handle: (req: IncomingMessage, res: ServerResponse) => unknown;
  /** Reads a document such as /openapi.json without counting a call. */
  read: (path: string) => Promise<{ status: number; body: Buffer }>;
  close: () => Promise<unknown>;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const moduleShape = z.object({ mount: z.custom<() => unknown>(isFunction) });
const productShape = z.object({
  handle: z.custom<InsideProduct['handle']>(isFunction),
  read: z.custom<InsideProduct['read']>(isFunction),
  close: z.custom<InsideProduct['close']>(isFunction),
});

/**
 * Loads a product from a `file:…` address, absolute or relative to the project folder. The module must export `mount`, which resolves
 * with `{ handle, read, close }`; throws otherwise.
 */
export async function mountProduct(address: string): Promise<InsideProduct> {
  if (!canHoldMessages() || !canWatchBodies())
    throw new Error(
      `This version of Node cannot run an API in the gateway. Use an http address instead of ${address}.`,
    );
  const path = decodeURIComponent(address.replace(/^file:(?:\/\/(?=\/))?/, ''));
  const { href } = pathToFileURL(isAbsolute(path) ? path : projectFolder(path));
  const loaded = moduleShape.safeParse(await import(href));
  if (!loaded.success) throw new Error(`${path} cannot run in the gateway: it exports no function "mount".`);
  const product = productShape.safeParse(await loaded.data.mount());
  if (!product.success) throw new Error(`mount() of ${path} did not return { handle, read, close }.`);
  return product.data;
}

/** Forwards an admitted call to an in-process product. As with any product, nothing is sent before the call is counted. */
export function serveInside(product: InsideProduct, timeoutMs: number, forwarding: Forwarding): ActiveCall {
  const { req, res, path, productHeaders, traceparent, maxBodyBytes } = forwarding;
  if (!(res instanceof HeldResponse && req instanceof ReceivedRequest)) {
    throw new TypeError('this server does not make requests and responses that can be held');
  }
  const call = new InsideCall(forwarding, req, res);
  res.hold(call);
  // Must come first: the headers that the product sees do not include Transfer-Encoding.
  const isWithinLimit = limitBody(forwarding, req, () => call.refuseBody(bodyTooLarge(maxBodyBytes)));
  if (!isWithinLimit) return call;
  const declared = connectionOptions(req.headers.connection);
  if (traceparent === undefined) req.showToProduct(path, declared, productHeaders);
  else req.showToProduct(path, [...declared, 'traceparent'], [...productHeaders, 'traceparent', traceparent]);
  try {
    const working = product.handle(req, res);
    if (working instanceof Promise) working.catch((error: unknown) => call.fail(asError(error)));
  } catch (error) {
    call.fail(asError(error));
  }
  call.startTimeout(timeoutMs);
  return call;
}

class InsideCall implements HeldResponseListener, PendingResponse, ActiveCall {
  readonly #forwarding: Forwarding;
  readonly #req: ReceivedRequest;
  readonly #res: HeldResponse;
  /** The rest of its body is discarded, so the product never gets its end. */
  #bodyTooLarge = false;
  /** While writes of the product wait until the caller has taken what was sent. */
  #taking: CallerWait | undefined;
  #state: 'waiting' | 'counting' | 'streaming' | 'done' = 'waiting';
  #timer: NodeJS.Timeout | undefined;
  #disconnected = false;
  #status = 0;
  #head: string[] = [];
  #ended = false;

  constructor(forwarding: Forwarding, req: ReceivedRequest, res: HeldResponse) {
    this.#forwarding = forwarding;
    this.#req = req;
    this.#res = res;
  }

  /** Sets no timer if the product has responded synchronously. */
  startTimeout(timeoutMs: number): void {
    if (this.#state !== 'waiting') return;
    const tooSlow = (): void => this.refuse(new Error('the product took too long'), upstreamTooSlow);
    this.#timer = setTimeout(tooSlow, timeoutMs);
  }

  refuse(error: Error, refusal: Refusal): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'done';
    clearTimeout(this.#timer);
    this.#forwarding.meter.failed(this.#disconnected);
    this.#forwarding.onFailure(error);
    if (this.#disconnected) this.#discard();
    else this.#replaceWith(refusal);
  }

  #replaceWith(refusal: Refusal): void {
    this.#res.replaceWith(() => this.#forwarding.refuse(refusal));
    this.#forwarding.handedOver();
  }

  giveUp(): void {
    if (this.#state === 'waiting') this.refuse(new Error('the caller was too slow'), requestTooSlow);
    else if (this.#state === 'streaming') this.#req.socket.destroy();
  }

  refuseBody(refusal: Refusal): void {
    this.#bodyTooLarge = true;
    this.refuse(new Error('the body was too large'), refusal);
  }

  /** The product broke off its response. A caller who may have caused that can't make a response free that was sent. */
  #breakOff(headSent: boolean): void {
    const isSlow = this.#taking !== undefined && this.#taking.waitedMs() >= slowCallerMs;
    if (headSent && (isSlow || this.#bodyTooLarge || this.#req.isArriving())) return;
    this.#forwarding.meter.truncated();
  }

  onFull(bytes: number): void {
    (this.#taking ??= this.#forwarding.taking()).begin(bytes);
  }

  /** Ignores whatever the product still writes, because the caller has disconnected. */
  #discard(): void {
    this.#state = 'done';
    this.#res.replaceWith(() => {});
    this.#forwarding.ended();
  }

  /** Handles an error of the product, before its response or in the middle of it. */
  fail(error: Error): void {
    if (this.#state === 'waiting') {
      this.refuse(error, upstreamFailed);
      return;
    }
    if (this.#state === 'done' || this.#ended) return;
    const headSent = this.#state === 'streaming';
    this.#state = 'done';
    this.#forwarding.onFailure(error);
    this.#breakOff(headSent || this.#disconnected);
    // Closing without a proper end tells the caller that the response is incomplete.
    if (this.#disconnected) this.#discard();
    else if (headSent) this.#res.destroy();
    else this.#replaceWith(upstreamFailed);
  }

  onHead(status: number, headers: string[]): void {
    if (this.#state !== 'waiting') return;
    clearTimeout(this.#timer);
    this.#status = status;
    this.#head = this.#forwarding.rewriteHead(textHeadersForCaller(headers));
    this.#state = 'counting';
    this.#forwarding.meter.responded(status, idempotencyOf(this.#req.received, this.#head), this);
  }

  onEnd(): void {
    this.#ended = true;
    if (this.#state === 'streaming') this.#forwarding.handedOver();
  }

  release(fault?: Error): void {
    if (this.#state !== 'counting') return;
    if (this.#disconnected) {
      this.#discard();
      return;
    }
    if (fault !== undefined) {
      this.#state = 'done';
      this.#replaceWith(cannotCount);
      return;
    }
    this.#state = this.#ended ? 'done' : 'streaming';
    if (!this.#ended) this.#res.on('drain', () => this.#taking?.moved(0));
    this.#res.release(this.#status, this.#head, this.#forwarding.headerLines());
    if (this.#ended) this.#forwarding.handedOver();
  }

  problem(): string | undefined {
    return statedProblem(this.#head);
  }

  closed(): boolean {
    const { meter, req } = this.#forwarding;
    this.#disconnected = true;
    // A product that has received the entire request continues, and its response is counted.
    if (this.#state === 'counting' || (this.#state === 'waiting' && req.complete)) return false;
    clearTimeout(this.#timer);
    if (this.#state === 'waiting') {
      meter.failed(true);
      this.#res.replaceWith(() => {});
    } else if (this.#state === 'streaming' && !this.#res.writableEnded && this.#res.abortedByProduct)
      this.#breakOff(true);
    this.#state = 'done';
    return true;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Enforces the limit on a chunked body, which announces no length, and watches the arrival of a body that is not complete. Returns false if it
 * is too large already.
 */
function limitBody(forwarding: Forwarding, req: ReceivedRequest, tooLarge: () => void): boolean {
  const { maxBodyBytes } = forwarding;
  if (!hasBody(req)) return true;
  let bytes = req.readableLength;
  if (bytes > maxBodyBytes) {
    tooLarge();
    return false;
  }
  if (req.complete) return true;
  const wait = forwarding.sending(() => (req.readableLength > 0 ? 'api' : 'caller'));
  wait.begin(0);
  let isTooLarge = false;
  // What is too much is discarded: a caller that cannot finish sending would not read the refusal. The product gets no end of it either,
  // because Node resets the connection of a request that ends early.
  watchBody(req, (part) => {
    const length = part?.length ?? 0;
    bytes += length;
    wait.moved(length);
    if (part !== null) wait.begin(0);
    if (bytes > maxBodyBytes && !isTooLarge) {
      isTooLarge = true;
      tooLarge();
    }
    return !isTooLarge;
  });
  return true;
}
