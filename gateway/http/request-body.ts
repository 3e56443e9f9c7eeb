import type { IncomingMessage } from 'node:http';
import { concatChunks } from './whole-response.ts';
export { heldBodyBytes, holdBody } from '#gateway/node/body-parts.ts';

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** The body of a request that has arrived completely: all of it is buffered. It can be sent in one piece. */
export function readWhole(req: IncomingMessage): Buffer {
  const parts: Buffer[] = [];
  // Node 26 returns one part at a time.
  for (let part: unknown = req.read(); part !== null; part = req.read()) if (Buffer.isBuffer(part)) parts.push(part);
  return concatChunks(parts);
}
