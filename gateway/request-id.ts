import { randomFillSync } from 'node:crypto';

const idBytes = 15;
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** What every answer carries in X-Request-Id: 120 random bits in text that needs no escaping anywhere. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return `req_${pool.toString('base64url', used - idBytes, used)}`;
}
