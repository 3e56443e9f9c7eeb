import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRequestId, requestIdBytes, writeRequestId } from './request-id.ts';

test('an id converts between text and bytes in both directions', () => {
  const bytes = fc.uint8Array({ minLength: requestIdBytes, maxLength: requestIdBytes });
  fc.assert(
    fc.property(bytes, fc.nat(9), (random, offset) => {
      const place = new Uint8Array(offset + requestIdBytes + 3).fill(7);
      place.set(random, offset);
      const id = readRequestId(place, offset);
      expect(id).toMatch(/^req_[\w-]{10}-[\w-]{10}$/);
      const base64 = Buffer.from(random).toString('base64url');
      expect(id).toBe(`req_${base64.slice(0, 10)}-${base64.slice(10)}`);
      const back = new Uint8Array(place.length).fill(7);
      writeRequestId(id, back, offset);
      expect(back).toEqual(place);
    }),
  );
});
