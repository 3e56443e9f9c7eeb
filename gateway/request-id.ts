import { randomUUID } from 'node:crypto';

/** What every answer carries in X-Request-Id. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
