import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that wait behind others on their connection. */
const queuedOn = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Node before 24 says nothing to a response that waits behind another when their connection is lost, and later versions do: it is told
 * here if Node hasn't told it by then, so that each response is told once.
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
          // Those that have got the connection meanwhile are told by Node.
          if (response.socket === null) response.emit('close');
        }
      });
    });
  }
  queued.add(res);
  res.once('close', () => queued.delete(res));
}
