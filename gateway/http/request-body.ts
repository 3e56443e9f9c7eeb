import type { IncomingMessage } from 'node:http';
export { heldBodyBytes, holdBody } from '#gateway/node/body-parts.ts';

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}
