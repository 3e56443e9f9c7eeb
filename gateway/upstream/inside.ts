import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isAbsolute } from 'node:path';
import { finished, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { errors } from 'undici';
import { z } from 'zod';
import { isContentLength, textHeadersForCaller } from '#gateway/http/header-rules.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import type { ForwardedCall } from './forward.ts';
import type { UpstreamRequest } from './forwarding.ts';

/** A response of a product in this process. A body that is complete costs less than a stream. */
export interface InsideResponse {
  status: number;
  /** A flat list of names and values. */
  headers: readonly string[];
  body: string | Buffer | Readable;
}

/** What a product may want to know of a call while it works on it. */
export interface InsideCall {
  /** Aborted once nobody waits for the response: the call was given up, or took too long. */
  readonly signal: AbortSignal;
}

/** A product that runs in the gateway's process, as a function. It is counted like any other product. */
export interface InsideProduct {
  respond: (request: UpstreamRequest, call: InsideCall) => InsideResponse | Promise<InsideResponse>;
  close: () => Promise<unknown>;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const moduleShape = z.object({ mount: z.custom<() => unknown>(isFunction) });
const productShape = z.object({
  respond: z.custom<InsideProduct['respond']>(isFunction),
  close: z.custom<InsideProduct['close']>(isFunction),
});

/**
 * Loads a product from a `file:…` address, absolute or relative to the project folder. The module must export `mount`, which resolves
 * with `{ respond, close }`; throws otherwise.
 */
export async function mountProduct(address: string): Promise<InsideProduct> {
  const path = decodeURIComponent(address.replace(/^file:(?:\/\/(?=\/))?/, ''));
  const { href } = pathToFileURL(isAbsolute(path) ? path : projectFolder(path));
  const loaded = moduleShape.safeParse(await import(href));
  if (!loaded.success) throw new Error(`${path} cannot run in the gateway: it exports no function "mount".`);
  const product = productShape.safeParse(await loaded.data.mount());
  if (!product.success) throw new Error(`mount() of ${path} did not return { respond, close }.`);
  return product.data;
}

/** Reads a document such as /openapi.json without counting a call. */
export async function readInside(
  product: InsideProduct,
  path: string,
  signal: AbortSignal,
): Promise<{ status: number; body: Buffer }> {
  const { status, body } = await product.respond({ method: 'GET', path, headers: [], body: null }, { signal });
  return { status, body: body instanceof Readable ? await buffer(body) : Buffer.from(body) };
}

/** Sends a request to a product in this process. */
export function dispatchInside(
  product: InsideProduct,
  timeoutMs: number,
  request: UpstreamRequest,
  call: ForwardedCall,
): void {
  const exchange = new InsideExchange(timeoutMs, request, call);
  try {
    const response = product.respond(request, exchange);
    if (response instanceof Promise) exchange.wait(response);
    else exchange.respond(response);
  } catch (error) {
    exchange.fail(error);
  }
}

/** One call of a product. It ends once, however often the product, its caller or the gateway gives it up. */
class InsideExchange implements InsideCall {
  readonly #timeoutMs: number;
  readonly #request: UpstreamRequest;
  readonly #call: ForwardedCall;
  #timer: NodeJS.Timeout | undefined;
  #aborter: AbortController | undefined;
  #stream: Readable | undefined;
  /** How many bytes of the declared length are still to come; undefined if none is declared. */
  #left: number | undefined;
  #isOver = false;

  constructor(timeoutMs: number, request: UpstreamRequest, call: ForwardedCall) {
    this.#timeoutMs = timeoutMs;
    this.#request = request;
    this.#call = call;
    call.onConnect((reason) => this.fail(reason));
    // The caller's connection broke, or its body is too large.
    if (request.body instanceof Readable) request.body.on('error', (error) => this.fail(error));
  }

  /** Made only for a product that asks: most respond at once. */
  get signal(): AbortSignal {
    if (this.#aborter === undefined) {
      this.#aborter = new AbortController();
      if (this.#isOver) this.#aborter.abort();
    }
    return this.#aborter.signal;
  }

  wait(response: Promise<InsideResponse>): void {
    this.#timer = setTimeout(() => this.fail(new errors.HeadersTimeoutError()), this.#timeoutMs);
    response.then((given) => this.respond(given)).catch((error: unknown) => this.fail(error));
  }

  respond({ status, headers, body }: InsideResponse): void {
    clearTimeout(this.#timer);
    if (body instanceof Readable) this.#stream = body;
    if (this.#stream !== undefined) {
      this.#forward(status, headers, this.#stream);
      return;
    }
    if (this.#isOver) return;
    checkHead(status, headers);
    this.#call.respond(status, textHeadersForCaller(headers), isAscii(body) ? body : bytesOf(body));
    this.#end();
  }

  #forward(status: number, headers: readonly string[], stream: Readable): void {
    // Also for a call that is over: an error that nobody listens for would end the gateway.
    finished(stream, { writable: false }, (error) => {
      if (error) this.fail(error);
      else if (this.#left) this.fail(new errors.ResponseContentLengthMismatchError());
      else if (this.#end()) this.#call.onComplete();
    });
    if (this.#isOver) {
      stream.destroy();
      return;
    }
    checkHead(status, headers);
    this.#left = this.#declaredLength(status, headers);
    this.#timer = setTimeout(() => this.#checkIdle(stream), this.#timeoutMs);
    this.#call.begin(status, textHeadersForCaller(headers), () => {
      this.#timer?.refresh();
      stream.resume();
    });
    stream.on('data', (part: unknown) => this.#take(part, stream));
  }

  /** The same limit as on a product behind an address. A stream that is paused waits for the caller. */
  #checkIdle(stream: Readable): void {
    if (stream.isPaused()) this.#timer?.refresh();
    else this.fail(new errors.BodyTimeoutError());
  }

  #declaredLength(status: number, headers: readonly string[]): number | undefined {
    // These have no body, and may name the length of another response.
    if (this.#request.method === 'HEAD' || status === 204 || status === 304) return undefined;
    const values = headers.filter((_value, index) => index % 2 === 1 && isContentLength(headers[index - 1] ?? ''));
    const [value] = values;
    if (value === undefined) return undefined;
    if (values.length > 1 || !/^\d+$/.test(value)) throw new TypeError('a response must have one length in bytes');
    return Number(value);
  }

  #take(part: unknown, stream: Readable): void {
    try {
      this.#timer?.refresh();
      const bytes = bytesOf(part);
      if (this.#left !== undefined) {
        this.#left -= bytes.length;
        // The caller would read the rest as its next response.
        if (this.#left < 0) throw new errors.ResponseContentLengthMismatchError();
      }
      if (!this.#call.onData(bytes)) stream.pause();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (!this.#end()) return;
    this.#aborter?.abort(error);
    this.#call.onError(error instanceof Error ? error : new Error(String(error)));
  }

  /** Returns false if it was over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    // A late part would start it again.
    this.#timer = undefined;
    this.#stream?.destroy();
    const { body } = this.#request;
    // What the product did not read of it is then read from the connection.
    if (body instanceof Readable) body.destroy();
    return true;
  }
}

/** Node would notice only after the call is counted. A product has no interim responses. */
function checkHead(status: number, headers: readonly string[]): void {
  if (!(Number.isInteger(status) && status >= 200 && status <= 999))
    throw new RangeError(`invalid response status ${status}`);
  if (headers.length % 2 !== 0) throw new TypeError('response headers must be a flat list of names and values');
  for (let index = 0; index < headers.length; index += 2) {
    validateHeaderName(headers[index] ?? '');
    validateHeaderValue(headers[index] ?? '', headers[index + 1] ?? '');
  }
}

/** Then its bytes in Latin-1, as they are sent, are those in UTF-8. */
const isAscii = (body: unknown): body is string => typeof body === 'string' && Buffer.byteLength(body) === body.length;

function bytesOf(part: unknown): Buffer {
  if (Buffer.isBuffer(part)) return part;
  if (typeof part === 'string' || part instanceof Uint8Array) return Buffer.from(part);
  throw new TypeError('a response body must be a string or bytes');
}
