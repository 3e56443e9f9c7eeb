import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { queuedResponses } from '#platform/pipelining.ts';

/** Connections whose end is passed on to the responses that wait on them. */
const watched = new WeakSet<Socket>();

/** Whether the connection has read further requests, whose responses wait behind this one. */
export function isFollowed(res: ServerResponse): boolean {
  const queued = [...queuedResponses(res.req.socket)];
  return queued.slice(queued.indexOf(res) + 1).some((other) => other.socket === null);
}

/**
 * Emits 'close' on a pipelined response when its connection is lost before the response's turn. Node before 24 never emits it there; later
 * versions do, so this waits one turn and emits it only if Node has not.
 */
export function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null || watched.has(socket)) return;
  watched.add(socket);
  socket.once('close', () => {
    for (const response of queuedResponses(socket)) if (response.socket === null) response.destroy();
    setImmediate(() => {
      for (const response of queuedResponses(socket)) {
        // A response that has been assigned the socket in the meantime gets the event from Node.
        if (response.socket === null) response.emit('close');
      }
    });
  });
}
