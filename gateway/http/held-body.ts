import type { IncomingMessage } from 'node:http';

/** How much of a body is held back. */
export const heldBodyBytes = 64 * 1024;

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Holds back a request's body until it has arrived completely, or more than `maxBytes` of it have; then calls `ready` once. From then on the
 * request is read as usual. Call it before anything else reads the request.
 */
export function holdBody(req: IncomingMessage, maxBytes: number, ready: () => void): void {
  let bytes = req.readableLength;
  // Node stops reading the connection while this much is buffered.
  if (req.complete || bytes >= req.readableHighWaterMark) {
    ready();
    return;
  }
  const push = req.push.bind(req);
  const held: Buffer[] = [];
  req.push = (chunk: unknown, encoding) => {
    if (Buffer.isBuffer(chunk)) {
      held.push(chunk);
      bytes += chunk.length;
    }
    if (chunk !== null && bytes <= maxBytes) return true;
    req.push = push;
    let hasRoom = true;
    for (const each of held) hasRoom = push(each, encoding);
    if (chunk === null) push(null);
    ready();
    return hasRoom;
  };
}
