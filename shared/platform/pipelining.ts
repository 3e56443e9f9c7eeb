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

/** Whether the connection has read further requests, whose responses wait behind this one. */
export function isFollowed(res: ServerResponse): boolean {
  const queued = [...(queuedOn.get(res.req.socket) ?? [])];
  return queued.slice(queued.indexOf(res) + 1).some((other) => other.socket === null);
}

/**
 * Emits 'close' on the responses that wait on a connection when it is lost. Node before 24 never emits it there; later versions do, so this
 * waits one turn and emits it only if Node has not.
 */
function closeWaiting(queued: ReadonlySet<ServerResponse>): void {
  for (const response of queued) if (response.socket === null) response.destroy();
  setImmediate(() => {
    for (const response of queued) {
      // A response that has been assigned the socket in the meantime gets the event from Node.
      if (response.socket === null) response.emit('close');
    }
  });
}

/**
 * Call it first with every request of a server. False for one to drop, since its connection ends before its turn: a client may repeat it, as
 * it got no response (RFC 9112 §9.3.2). The last request before it gets `Connection: close`, and nothing more is read.
 * Every response emits 'close' when its connection is lost, also before its turn.
 */
export function isToBegin({ socket }: IncomingMessage, res: ServerResponse): boolean {
  if (ending.has(socket)) {
    // Node resumes the connection at the end of each message that it has read.
    setImmediate(() => socket.pause());
    return false;
  }
  if (res.socket !== null) return true;
  let queued = queuedOn.get(socket);
  if (queued === undefined) {
    const responses = (queued = new Set<ServerResponse>());
    queuedOn.set(socket, responses);
    socket.once('close', () => closeWaiting(responses));
  }
  const responses = queued.add(res);
  res.once('close', () => responses.delete(res));
  if ([...queued].filter((each) => each.socket === null).length >= maxWaiting) {
    ending.add(socket);
    res.shouldKeepAlive = false;
  }
  return true;
}
