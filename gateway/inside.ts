import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { projectFolder } from '#platform/project-folder.ts';
import { type Forwarding, isReplay } from './forward.ts';
import { fieldsForCaller, headersForProduct, isForProduct } from './header-rules.ts';
import { HeldResponse } from './held-response.ts';
import { bodyTooLarge, cannotCheck, type Refusal, upstreamFailed, upstreamTooSlow } from './refusals.ts';

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
  const path = decodeURIComponent(address.replace(/^file:(?:\/\/(?=\/))?/, ''));
  const { href } = pathToFileURL(isAbsolute(path) ? path : projectFolder(path));
  const loaded = moduleShape.safeParse(await import(href));
  if (!loaded.success) throw new Error(`${path} exports no function "mount", so it cannot run in the gateway.`);
  const product = productShape.safeParse(await loaded.data.mount());
  if (!product.success) throw new Error(`mount() of ${path} answered no { handle, read, close }.`);
  return product.data;
}

/** Lets a product in this process answer an admitted call. The first byte leaves when the call is counted, as with any other. */
export function serveInside(product: InsideProduct, timeoutMs: number, forwarding: Forwarding): void {
  const { req, res, path, toProduct, maxBodyBytes, meter, refuse, onFailure } = forwarding;
  if (!(res instanceof HeldResponse)) throw new TypeError('this server does not make held responses');
  let state: 'asking' | 'counting' | 'answering' | 'over' = 'asking';
  let head: string[] = [];
  let status = 0;
  let ended = false;

  const giveUp = (error: Error, refusal: Refusal): void => {
    if (state !== 'asking') return;
    state = 'over';
    clearTimeout(timer);
    meter.failed(false);
    onFailure(error);
    res.answerInstead(() => refuse(refusal));
  };

  const startAnswer = (fault?: Error): void => {
    if (state !== 'counting') return;
    if (fault !== undefined) {
      state = 'over';
      res.answerInstead(() => refuse(cannotCheck));
      return;
    }
    meter.addFields(head);
    state = ended ? 'over' : 'answering';
    res.release(status, head);
  };

  res.hold({
    begun: (answered, fields) => {
      if (state !== 'asking') return;
      clearTimeout(timer);
      status = answered;
      head = fieldsForCaller(fields);
      state = 'counting';
      meter.answered(status, isReplay(req, head), startAnswer);
    },
    ended: () => {
      ended = true;
    },
  });
  res.on('close', () => {
    clearTimeout(timer);
    if (state === 'asking') meter.failed(true);
    else if (state === 'answering' && !res.writableEnded && res.brokenOff) meter.broken();
    state = 'over';
  });
  const timer = setTimeout(() => giveUp(new Error('the product took too long'), upstreamTooSlow), timeoutMs);

  // Before the product's fields are chosen, which do not say how the body comes.
  limitBody(req, maxBodyBytes, () => giveUp(new Error('the body was too large'), bodyTooLarge(maxBodyBytes)));
  req.url = path;
  req.rawHeaders = headersForProduct(req.rawHeaders, req.headers.connection);
  req.rawHeaders.push(...toProduct);
  req.headers = namedHeaders(req.headers, req.headers.connection, toProduct);
  try {
    const working = product.handle(req, res);
    if (working instanceof Promise) working.catch((error: unknown) => giveUp(asError(error), upstreamFailed));
  } catch (error) {
    giveUp(asError(error), upstreamFailed);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function namedHeaders(headers: IncomingHttpHeaders, connection: string | undefined, added: readonly string[]) {
  const named: IncomingHttpHeaders = {};
  const declared = connection === undefined ? '' : connection.toLowerCase();
  for (const name in headers) {
    if (isForProduct(name) && !declared.split(',').some((hop) => hop.trim() === name)) named[name] = headers[name];
  }
  for (let index = 0; index + 1 < added.length; index += 2) {
    named[(added[index] ?? '').toLowerCase()] = added[index + 1];
  }
  return named;
}

/** A body of unknown length is measured while it comes. */
function limitBody(req: IncomingMessage, maxBytes: number, tooLarge: () => void): void {
  if (req.headers['transfer-encoding'] === undefined) return;
  const push = req.push.bind(req);
  let bytes = 0;
  req.push = (chunk: unknown, encoding) => {
    bytes += chunk instanceof Uint8Array ? chunk.length : 0;
    if (bytes <= maxBytes) return push(chunk, encoding);
    tooLarge();
    return push(null);
  };
}
