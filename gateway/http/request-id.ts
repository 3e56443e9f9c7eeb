import { randomFillSync } from 'node:crypto';
import { requestIdDigits, requestIdLength, requestIdPlaces } from '#domain/request-id.ts';

/** Many ids in one text, since asking for random bytes and writing them out cost more than cutting. */
const atOnce = 256;
const random = Buffer.alloc(atOnce * requestIdPlaces.length);
const text = Buffer.from('req_          -          '.repeat(atOnce));
const digits = Buffer.from(requestIdDigits);
let ids = '';
let used = 0;

/** What every answer carries in X-Request-Id (domain/request-id.ts): text that needs no escaping anywhere. */
export function newRequestId(): string {
  if (used === ids.length) {
    randomFillSync(random);
    let next = 0;
    for (let begin = 0; begin < text.length; begin += requestIdLength) {
      // 64 digits: six bits of each random byte.
      for (const place of requestIdPlaces) text[begin + place] = digits[(random[next++] ?? 0) & 63] ?? 0;
    }
    ids = text.toString('latin1');
    used = 0;
  }
  used += requestIdLength;
  return ids.slice(used - requestIdLength, used);
}
