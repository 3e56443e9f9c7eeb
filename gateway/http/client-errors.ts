import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isSending } from '#gateway/node/sending-response.ts';
import { linesOf } from './header-rules.ts';
import {
  hostMissing,
  problemOf,
  type Refusal,
  requestHeadTooLarge,
  requestMalformed,
  requestTooSlow,
  sendRefusal,
  unknownExpectation,
} from './refusals.ts';
import { newRequestId } from './request-id.ts';

/** Who does not read so short an answer within this time is not waited for. */
const lastWordMs = 2000;

/**
 * What never becomes a call: bytes that are no HTTP, heads that are too long or too slow, an expectation that nobody knows. Node
 * would answer these with a bare status; here they are problems with a request id, as all refusals are.
 */
export function answerClientErrors(server: Server): void {
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => refuse(res, unknownExpectation));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // The beginning of another response is on its way: whatever is written now would look like a part of it.
    if (!socket.writable || isSending(socket)) return void socket.destroy();
    setTimeout(() => socket.destroy(), lastWordMs).unref();
    return void socket.end(bytesOf(refusalFor(error)), () => socket.destroy());
  });
}

/** RFC 9112 §3.2: a server answers 400 to an HTTP/1.1 request that names no host. */
export function requireHost(listener: RequestListener): RequestListener {
  return (req, res) => {
    const isMissing = req.headers.host === undefined && req.httpVersionMajor === 1 && req.httpVersionMinor === 1;
    return isMissing ? refuse(res, hostMissing) : listener(req, res);
  };
}

function refuse(res: ServerResponse, refusal: Refusal): void {
  const requestId = newRequestId();
  sendRefusal(res, refusal, requestId, linesOf(['X-Request-Id', requestId]));
}

function refusalFor({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return requestHeadTooLarge;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTooSlow : requestMalformed;
}

function bytesOf(refusal: Refusal): string {
  const requestId = newRequestId();
  const { headers, body } = problemOf(refusal, requestId);
  return `HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${linesOf([...headers, 'X-Request-Id', requestId])}\r\n${body}`;
}
