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
import type { RequestQueueSettings } from './request-queue.ts';

/** How long a client may take to read the error before its connection is destroyed. */
const errorTimeoutMs = 2000;

const unknownExpectations = new WeakSet<IncomingMessage>();

/**
 * Responds to requests that never become a call: malformed ones, and headers that are too large or too slow. Node would send a bare
 * status; callers get a problem document with a request id, as for every other refusal. `handle`: of requests with an unknown expectation,
 * which `checkHead` refuses in their turn.
 */
export function handleClientErrors(server: Server, handle: RequestListener): void {
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    unknownExpectations.add(req);
    handle(req, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // A response has begun on this connection: anything written now would be read as part of it.
    if (!socket.writable || isSending(socket)) return void socket.destroy();
    setTimeout(() => socket.destroy(), errorTimeoutMs).unref();
    return void socket.end(bytesOf(refusalFor(error)), () => socket.destroy());
  });
}

/** Refuses HTTP/1.1 requests without a Host header (RFC 9112 §3.2) and those with an unknown expectation (RFC 9110 §10.1.1). */
export function checkHead(begin: RequestQueueSettings['begin']): RequestQueueSettings['begin'] {
  return (req, res, ...rest) => {
    const isHostMissing = req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1;
    if (isHostMissing) return refuse(res, hostMissing);
    return unknownExpectations.has(req) ? refuse(res, unknownExpectation) : begin(req, res, ...rest);
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
