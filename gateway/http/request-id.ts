import { randomFillSync } from 'node:crypto';
import { requestIdDigits, requestIdLength, requestIdPlaces } from '#shared/domain/request-id.ts';

/** Generates ids in batches: one slice is much cheaper than fetching and encoding random bytes for each id. */
const batchSize = 256;
const random = Buffer.alloc(batchSize * requestIdPlaces.length);
const text = Buffer.from('req_          -          '.repeat(batchSize));
const digits = Buffer.from(requestIdDigits);
let ids = '';
let used = 0;

/** A new X-Request-Id (shared/domain/request-id.ts), in characters that need no escaping anywhere. */
export function newRequestId(): string {
  if (used === ids.length) {
    randomFillSync(random);
    let next = 0;
    for (let begin = 0; begin < text.length; begin += requestIdLength) {
      // 64 digits use six bits of each random byte.
      for (const place of requestIdPlaces) text[begin + place] = digits[(random[next++] ?? 0) & 63] ?? 0;
    }
    ids = text.toString('latin1');
    used = 0;
  }
  used += requestIdLength;
  return ids.slice(used - requestIdLength, used);
}
