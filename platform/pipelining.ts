import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * With so many responses waiting on it, a connection ends. Node reads and parses all that a client pipelines before the first response is
 * written, so a few connections could fill the memory (decision 015).
 */
const maxWaiting = 32;

/** Responses that began to wait behind an earlier one of their connection, in order, until they close. */
const queuedOn = new WeakMap<Socket, Set<ServerResponse>>();
/** Connections that end once what was begun or queued on them has its response. */
const ending = new WeakSet<Socket>();

export function queuedResponses(socket: Socket): Iterable<ServerResponse> {
  return queuedOn.get(socket) ?? [];
}

/**
 * Call it first with every request of a server. False for one to drop, since its connection ends before its turn: a client may repeat it, as
 * it got no response (RFC 9112 §9.3.2). The last request before it gets `Connection: close`, and nothing more is read.
 */
export function isToBegin({ socket }: IncomingMessage, res: ServerResponse): boolean {
  if (ending.has(socket)) {
    // Node resumes the connection at the end of each message that it has read.
    setImmediate(() => socket.pause());
    return false;
  }
  if (res.socket !== null) return true;
  const queued = queuedOn.get(socket) ?? new Set();
  queuedOn.set(socket, queued.add(res));
  res.once('close', () => queued.delete(res));
  if ([...queued].filter((each) => each.socket === null).length >= maxWaiting) {
    ending.add(socket);
    res.shouldKeepAlive = false;
  }
  return true;
}
