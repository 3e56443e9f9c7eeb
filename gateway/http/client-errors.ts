import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isSending } from '#gateway/node/sending-response.ts';
import { formatHeaders } from './header-rules.ts';
import {
  badVersion,
  hostMissing,
  methodUnsupported,
  type Refusal,
  requestHeadTooLarge,
  requestMalformed,
  requestTooSlow,
  targetTooLong,
  unknownExpectation,
} from './refusals.ts';
import { sendRefusal, titleOf, toProblem } from './send-refusal.ts';
import { newRequestId } from './request-id.ts';
import type { RequestQueueSettings } from './request-queue.ts';

/** How long a client may take to read the error before its connection is destroyed. */
const errorTimeoutMs = 2000;

const unknownExpectations = new WeakSet<IncomingMessage>();

/**
 * Responds to requests that never become a call: malformed ones, and headers that are too large or too slow. Node would send a bare
 * status; callers get a problem document with a request id, as for every other refusal. `handle`: of requests with an unknown expectation,
 * which `checkHead` refuses in their turn.
 */
export function handleClientErrors(server: Server, handle: RequestListener, maxHeadBytes: number): void {
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    unknownExpectations.add(req);
    handle(req, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    closeWith(socket, refusalFor(error, maxHeadBytes)),
  );
  // Node would close the connection without a response.
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {}).resume();
    closeWith(socket, { ...methodUnsupported('CONNECT'), headers: ['Connection', 'close'] });
  });
}

function closeWith(socket: Duplex, refusal: Refusal): void {
  // A response has begun on this connection: anything written now would be read as part of it.
  if (!socket.writable || isSending(socket)) return void socket.destroy();
  setTimeout(() => socket.destroy(), errorTimeoutMs).unref();
  return void socket.end(bytesOf(refusal), () => socket.destroy());
}

/** Refuses requests that HTTP wants refused whatever they ask for, and brings a target in absolute form into the usual one. */
export function checkHead(begin: RequestQueueSettings['begin']): RequestQueueSettings['begin'] {
  return (req, res, late, nowMs) => {
    const refusal = faultOf(req);
    if (refusal !== undefined) return refuse(res, refusal);
    if (req.url?.startsWith('/') === false) req.url = pathOfAbsolute(req.url) ?? req.url;
    return begin(req, res, late, nowMs);
  };
}

const host = String.raw`(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?`;
const hostValue = new RegExp(`^${host}$`, 'i');
/** Most requests come to the same host. */
let lastValidHost = '';

function faultOf(req: IncomingMessage): Refusal | undefined {
  // HTTP/0.9 responses have no status line, and its requests no reliable end.
  if (req.httpVersionMajor !== 1) return badVersion;
  const { host: value, expect } = req.headers;
  // RFC 9112 §3.2: HTTP/1.1 has a Host, and a valid one. `checkRequestHead` counts them.
  if (value === undefined) {
    if (req.httpVersionMinor === 1) return hostMissing;
  } else if (value !== lastValidHost) {
    if (!hostValue.test(value)) return hostMissing;
    lastValidHost = value;
  }
  // RFC 9110 §10.1.1.
  return expect !== undefined && unknownExpectations.has(req) ? unknownExpectation : undefined;
}

const absoluteForm = new RegExp(`^https?://${host}(?=[/?]|$)(.*)$`, 'i');

/** The path and query of a target such as `http://host/path`, whose host counts as little as that of Host (RFC 9112 §3.2.2). */
function pathOfAbsolute(target: string): string | undefined {
  const path = absoluteForm.exec(target)?.[1];
  return path?.startsWith('/') === false ? `/${path}` : path;
}

function refuse(res: ServerResponse, refusal: Refusal): void {
  const requestId = newRequestId();
  sendRefusal(res, refusal, requestId, formatHeaders(['X-Request-Id', requestId]));
}

function refusalFor(error: NodeJS.ErrnoException, maxHeadBytes: number): Refusal {
  const { code } = error;
  if (code === 'HPE_HEADER_OVERFLOW')
    return isTargetTooLong(error, maxHeadBytes) ? targetTooLong(maxHeadBytes) : requestHeadTooLarge(maxHeadBytes);
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return requestHeadTooLarge(maxHeadBytes);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTooSlow : requestMalformed;
}

/** Whether the request line alone is too long (RFC 9112 §3). Known only if it came in one piece: Node keeps the last one. */
function isTargetTooLong(error: object, maxHeadBytes: number): boolean {
  const received: unknown = Reflect.get(error, 'rawPacket');
  return Buffer.isBuffer(received) && /^[A-Z]+ [^\r\n]+$/.test(received.toString('latin1', 0, maxHeadBytes));
}

function bytesOf(refusal: Refusal): string {
  const requestId = newRequestId();
  const { headers, body } = toProblem(refusal, requestId);
  return `HTTP/1.1 ${refusal.status} ${titleOf(refusal)}\r\n${formatHeaders([...headers, 'X-Request-Id', requestId])}\r\n${body}`;
}
