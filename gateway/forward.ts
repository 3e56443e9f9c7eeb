import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { replayedHeader } from '#domain/metering.ts';
import { addLength, headersForCaller, headersForProduct } from './header-rules.ts';
import { bodyTooLarge, cannotCheck, type Refusal, upstreamFailed, upstreamTooSlow } from './refusals.ts';

/** One admitted call on its way to the product and back. */
export interface Forwarding {
  req: IncomingMessage;
  res: ServerResponse;
  path: string;
  /** Fields that the gateway adds for the product, as a flat list. */
  toProduct: readonly string[];
  maxBodyBytes: number;
  meter: CallMeter;
  refuse: (refusal: Refusal) => void;
  /** Told why the product failed. */
  onFailure: (error: Error) => void;
}

/** Told of what became of the call; each call ends in exactly one of `answered` and `failed`. */
export interface CallMeter {
  /** The product answered. The head may leave once `go` was called without a fault. */
  answered: (status: number, replayed: boolean, go: (fault?: Error) => void) => void;
  /** The product did not answer, or the caller left before it did. */
  failed: (callerLeft: boolean) => void;
  /** The call never reached the product: it had to wait for too long. */
  turnedAway: () => void;
  /** The answer broke off after it was counted. */
  broken: () => void;
  /** Adds the gateway's own fields to those of an answer, a flat list. */
  addFields: (head: string[]) => void;
}

class BodyTooLarge extends Error {}

/** Bodies up to this size are read before they are passed on, which is faster and leaves the caller's connection whole when the product fails. */
const smallBodyBytes = 64 * 1024;
const smallAnswerBytes = 16 * 1024;
/** So much of an answer waits for its count before the product is slowed down. */
const bufferBytes = 64 * 1024;
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/**
 * Streams a call to the product and its answer back, at the pace of the slower side. Nothing is sent twice but GET and HEAD.
 * undici's first handler interface is used because the newer one parses every answer's fields a second time: a tenth of a call.
 */
export function forward(upstream: Dispatcher, forwarding: Forwarding): void {
  const { req, res, path, toProduct, maxBodyBytes, meter, refuse, onFailure } = forwarding;
  const method = req.method ?? 'GET';
  const length = req.headers['content-length'];
  const hasBody = req.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
  let state: 'asking' | 'counting' | 'answering' | 'over' = 'asking';
  let callerLeft = false;
  let mayRepeat = !hasBody && (method === 'GET' || method === 'HEAD');
  let abort: ((error: Error) => void) | undefined;
  let resume: (() => void) | undefined;
  let status = 0;
  let head: string[] = [];
  let early: Buffer[] = [];
  let earlyBytes = 0;
  let ended = false;
  let dispatched = false;

  const startAnswer = (fault?: Error): void => {
    if (state !== 'counting') return;
    if (fault !== undefined) {
      state = 'over';
      abort?.(fault);
      refuse(cannotCheck);
      return;
    }
    meter.addFields(head);
    if (ended) {
      state = 'over';
      // A text goes out in one write together with the head; latin1 keeps every byte as it is.
      const whole = early.length === 1 && early[0] !== undefined ? early[0] : Buffer.concat(early);
      addLength(head, method, status, whole.length);
      res.writeHead(status, head);
      if (earlyBytes < smallAnswerBytes) res.end(whole.toString('latin1'), 'latin1');
      else res.end(whole);
      return;
    }
    state = 'answering';
    res.writeHead(status, head);
    res.on('drain', () => resume?.());
    res.flushHeaders();
    for (const chunk of early) res.write(chunk);
    early = [];
    resume?.();
  };

  const failed = (error: Error): void => {
    if (mayRepeat && !callerLeft && isReset(error)) {
      mayRepeat = false;
      dispatch(null);
      return;
    }
    state = 'over';
    meter.failed(callerLeft);
    if (callerLeft) return;
    onFailure(error);
    refuse(refusalFor(error, maxBodyBytes));
  };

  const handler: Dispatcher.DispatchHandler = {
    onConnect: (stop) => {
      abort = stop;
      if (callerLeft) stop(new Error('the caller left'));
    },
    onHeaders: (statusCode, rawHeaders, goOn) => {
      // 100 Continue and 103 Early Hints are not the answer.
      if (statusCode < 200) return true;
      resume = goOn;
      status = statusCode;
      head = headersForCaller(rawHeaders);
      state = 'counting';
      meter.answered(statusCode, isReplay(req, head), startAnswer);
      return true;
    },
    onData: (chunk) => {
      if (state === 'counting') {
        early.push(chunk);
        earlyBytes += chunk.length;
        return earlyBytes <= bufferBytes;
      }
      return state !== 'answering' || res.write(chunk);
    },
    onComplete: () => {
      ended = true;
      if (state !== 'answering') return;
      state = 'over';
      res.end();
    },
    onError: (error) => {
      if (state === 'over') return;
      if (state === 'asking') {
        failed(error);
        return;
      }
      const headSent = state === 'answering';
      state = 'over';
      if (callerLeft) return;
      onFailure(error);
      meter.broken();
      // Without an end the caller can tell that the answer is not whole.
      if (headSent) res.destroy();
      else refuse(upstreamFailed);
    },
  };

  const dispatch = (body: Readable | Buffer | null): void => {
    dispatched = true;
    const headers = headersForProduct(req.rawHeaders, req.headers.connection);
    headers.push(...toProduct);
    upstream.dispatch({ method, path, headers, body }, handler);
  };

  res.on('close', () => {
    if (state === 'over' || res.writableEnded) return;
    callerLeft = true;
    abort?.(new Error('the caller left'));
    if (dispatched) return;
    state = 'over';
    meter.failed(true);
  });
  if (req.headers.expect !== undefined) res.writeContinue();
  if (!hasBody) dispatch(null);
  else if (Number(length ?? Infinity) > smallBodyBytes) dispatch(limited(req, maxBodyBytes));
  else {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => dispatch(Buffer.concat(chunks)));
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

/** Is this an answer that the product has given before? Only asked of calls that could get one. */
export function isReplay(req: IncomingMessage, head: readonly string[]): boolean {
  if (req.headers['idempotency-key'] === undefined) return false;
  return head.some((part, index) => index % 2 === 0 && part.toLowerCase() === replayedHeader);
}

function codeOf(error: Error): string {
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
