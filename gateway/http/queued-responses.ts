import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Pipelined responses that wait behind an earlier one on their connection. */
const queuedOn = new WeakMap<Socket, Set<ServerResponse>>();

/** Whether the connection has read further requests, whose responses wait behind this one. */
export function isFollowed(res: ServerResponse): boolean {
  const queued = [...(queuedOn.get(res.req.socket) ?? [])];
  return queued.slice(queued.indexOf(res) + 1).some((other) => other.socket === null);
}

/** How many pipelined responses wait behind an earlier one on a connection. */
export function countWaiting(socket: Socket): number {
  return [...(queuedOn.get(socket) ?? [])].filter((res) => res.socket === null).length;
}

/**
 * Emits 'close' on a pipelined response when its connection is lost before the response's turn. Node before 24 never emits it there; later
 * versions do, so this waits one turn and emits it only if Node has not.
 */
export function closeWithConnection({ socket }: IncomingMessage, res: ServerResponse): void {
  if (res.socket !== null) return;
  let queued = queuedOn.get(socket);
  if (queued === undefined) {
    const responses = (queued = new Set<ServerResponse>());
    queuedOn.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) if (response.socket === null) response.destroy();
      setImmediate(() => {
        for (const response of responses) {
          // A response that has been assigned the socket in the meantime gets the event from Node.
          if (response.socket === null) response.emit('close');
        }
      });
    });
  }
  queued.add(res);
  res.once('close', () => queued.delete(res));
}
