import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isSending } from '#gateway/node/sending-response.ts';
import { formatHeaders } from './header-rules.ts';
import {
  hostMissing,
  type Refusal,
  requestHeadTooLarge,
  requestMalformed,
  requestTooSlow,
  unknownExpectation,
} from './refusals.ts';
import { sendRefusal, toProblem } from './send-refusal.ts';
import { newRequestId } from './request-id.ts';

/** How long a client may take to read the error before its connection is destroyed. */
const errorTimeoutMs = 2000;

/**
 * Responds to requests that never become a call: malformed ones, headers that are too large or too slow, and unknown expectations. Node
 * would send a bare status; callers get a problem document with a request id, as for every other refusal.
 */
export function handleClientErrors(server: Server): void {
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => refuse(res, unknownExpectation));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A response has begun on this connection: anything written now would be read as part of it.
    if (!socket.writable || isSending(socket)) return void socket.destroy();
    setTimeout(() => socket.destroy(), errorTimeoutMs).unref();
    return void socket.end(bytesOf(refusalFor(error)), () => socket.destroy());
  });
}

/** RFC 9112 §3.2: an HTTP/1.1 request without a Host header gets 400. */
export function requireHost(listener: RequestListener): RequestListener {
  return (req, res) => {
    const isMissing = req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1;
    return isMissing ? refuse(res, hostMissing) : listener(req, res);
  };
}

function refuse(res: ServerResponse, refusal: Refusal): void {
  const requestId = newRequestId();
  sendRefusal(res, refusal, requestId, formatHeaders(['X-Request-Id', requestId]));
}

function refusalFor({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return requestHeadTooLarge;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTooSlow : requestMalformed;
}

function bytesOf(refusal: Refusal): string {
  const requestId = newRequestId();
  const { headers, body } = toProblem(refusal, requestId);
  return `HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${formatHeaders([...headers, 'X-Request-Id', requestId])}\r\n${body}`;
}
