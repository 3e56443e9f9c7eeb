import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { connectionOptions, textHeadersForCaller } from '#gateway/http/header-rules.ts';
import { HeldResponse, type HeldResponseListener } from '#gateway/http/held-response.ts';
import { ReceivedRequest } from '#gateway/http/received-request.ts';
import { bodyTooLarge, cannotCheck, type Refusal, upstreamFailed, upstreamTooSlow } from '#gateway/http/refusals.ts';
import { canHoldMessages } from '#gateway/node/accessors.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { type Answer, continueBody, type Forwarding, type Serving } from './forward.ts';
import { repeatableOf } from './repeatable.ts';

/** A product that runs in the gateway's process: a Node request handler, counted as any other product is. */
export interface InsideProduct {
  handle: (req: IncomingMessage, res: ServerResponse) => unknown;
  /** Reads one of its documents, such as /openapi.json, for nobody's account. */
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
 * Loads a product from an address `file:…`, absolute or from the project's folder. The module exports `mount`, which answers a
 * promise of `{ handle, read, close }`. Throws when it does not.
 */
export async function mountProduct(address: string): Promise<InsideProduct> {
  if (!canHoldMessages())
    throw new Error(`This version of Node cannot run an API in the gateway: give ${address} an http address instead.`);
  const path = decodeURIComponent(address.replace(/^file:(?:\/\/(?=\/))?/, ''));
  const { href } = pathToFileURL(isAbsolute(path) ? path : projectFolder(path));
  const loaded = moduleShape.safeParse(await import(href));
  if (!loaded.success) throw new Error(`${path} exports no function "mount", so it cannot run in the gateway.`);
  const product = productShape.safeParse(await loaded.data.mount());
  if (!product.success) throw new Error(`mount() of ${path} answered no { handle, read, close }.`);
  return product.data;
}

/** Lets a product in this process answer an admitted call. The first byte leaves when the call is counted, as with any other. */
export function serveInside(product: InsideProduct, timeoutMs: number, forwarding: Forwarding): Serving {
  const { req, res, path, toProduct, maxBodyBytes } = forwarding;
  if (!(res instanceof HeldResponse && req instanceof ReceivedRequest)) {
    throw new TypeError('this server does not make requests and responses that can be held');
  }
  const call = new InsideCall(forwarding, res);
  res.hold(call);
  // Before the product's fields are chosen, which do not say how the body comes.
  limitBody(req, maxBodyBytes, () => call.giveUp(new Error('the body was too large'), bodyTooLarge(maxBodyBytes)));
  continueBody(req, res);
  req.showToProduct(path, connectionOptions(req.headers.connection), toProduct);
  try {
    const working = product.handle(req, res);
    if (working instanceof Promise) working.catch((error: unknown) => call.fail(asError(error)));
  } catch (error) {
    call.fail(asError(error));
  }
  call.expectWithin(timeoutMs);
  return call;
}

class InsideCall implements HeldResponseListener, Answer, Serving {
  readonly #forwarding: Forwarding;
  readonly #res: HeldResponse;
  #state: 'asking' | 'counting' | 'answering' | 'over' = 'asking';
  #timer: NodeJS.Timeout | undefined;
  #callerLeft = false;
  #status = 0;
  #head: string[] = [];
  #ended = false;

  constructor(forwarding: Forwarding, res: HeldResponse) {
    this.#forwarding = forwarding;
    this.#res = res;
  }

  /** Unless it has answered already: what answers at once needs no timer. */
  expectWithin(timeoutMs: number): void {
    if (this.#state !== 'asking') return;
    const tooSlow = (): void => this.giveUp(new Error('the product took too long'), upstreamTooSlow);
    this.#timer = setTimeout(tooSlow, timeoutMs);
  }

  giveUp(error: Error, refusal: Refusal): void {
    if (this.#state !== 'asking') return;
    this.#state = 'over';
    clearTimeout(this.#timer);
    this.#forwarding.meter.failed(this.#callerLeft);
    this.#forwarding.onFailure(error);
    if (this.#callerLeft) this.#drop();
    else this.#res.replaceWith(() => this.#forwarding.refuse(refusal));
  }

  /** Nobody is there to be answered: whatever the product writes goes nowhere. */
  #drop(): void {
    this.#state = 'over';
    this.#res.replaceWith(() => {});
    this.#forwarding.ended();
  }

  /** The product's program failed: before its answer, or in the middle of it. */
  fail(error: Error): void {
    if (this.#state === 'asking') {
      this.giveUp(error, upstreamFailed);
      return;
    }
    if (this.#state === 'over' || this.#ended) return;
    const headSent = this.#state === 'answering';
    this.#state = 'over';
    this.#forwarding.onFailure(error);
    this.#forwarding.meter.broken();
    // Without an end the caller can tell that the answer is not whole.
    if (this.#callerLeft) this.#drop();
    else if (headSent) this.#res.destroy();
    else this.#res.replaceWith(() => this.#forwarding.refuse(upstreamFailed));
  }

  onHead(status: number, fields: string[]): void {
    if (this.#state !== 'asking') return;
    clearTimeout(this.#timer);
    this.#status = status;
    this.#head = this.#forwarding.relocate(textHeadersForCaller(fields));
    this.#state = 'counting';
    this.#forwarding.meter.answered(status, repeatableOf(this.#forwarding.req, this.#head), this);
  }

  onEnd(): void {
    this.#ended = true;
  }

  go(fault?: Error): void {
    if (this.#state !== 'counting') return;
    if (this.#callerLeft) {
      this.#drop();
      return;
    }
    if (fault !== undefined) {
      this.#state = 'over';
      this.#res.replaceWith(() => this.#forwarding.refuse(cannotCheck));
      return;
    }
    this.#state = this.#ended ? 'over' : 'answering';
    this.#res.release(this.#status, this.#head, this.#forwarding.ownLines());
  }

  closed(): boolean {
    const { meter, req } = this.#forwarding;
    this.#callerLeft = true;
    // A product that has all of the request goes on, and so does the count of what it answers.
    if (this.#state === 'counting' || (this.#state === 'asking' && req.complete)) return false;
    clearTimeout(this.#timer);
    if (this.#state === 'asking') {
      meter.failed(true);
      this.#res.replaceWith(() => {});
    } else if (this.#state === 'answering' && !this.#res.writableEnded && this.#res.abortedByProduct) meter.broken();
    this.#state = 'over';
    return true;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** A body of unknown length is measured while it comes. */
function limitBody(req: IncomingMessage, maxBytes: number, tooLarge: () => void): void {
  if (req.headers['transfer-encoding'] === undefined) return;
  const push = req.push.bind(req);
  let bytes = 0;
  let isTooLarge = false;
  req.push = (chunk: unknown, encoding) => {
    bytes += chunk instanceof Uint8Array ? chunk.length : 0;
    if (bytes <= maxBytes) return push(chunk, encoding);
    if (!isTooLarge) {
      isTooLarge = true;
      tooLarge();
    }
    // The rest is dropped; a caller who cannot get rid of it would not read the refusal. The product isn't told of an end, since Node
    // resets the connection of a request that ends before all of it came.
    return true;
  };
}
