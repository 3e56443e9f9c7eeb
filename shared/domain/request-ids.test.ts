import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRequestId, splitAtRequestIds } from './request-ids.ts';

const id = 'req_AbCdEfGhIj-0123456789';

test('request ids are found in a text', () => {
  expect(splitAtRequestIds(`See ${id} and (${id}).`)).toEqual([
    { text: 'See ', isRequestId: false, at: 0 },
    { text: id, isRequestId: true, at: 4 },
    { text: ' and (', isRequestId: false, at: 29 },
    { text: id, isRequestId: true, at: 35 },
    { text: ').', isRequestId: false, at: 60 },
  ]);
  expect(splitAtRequestIds(id)).toEqual([{ text: id, isRequestId: true, at: 0 }]);
});

test.each([`${id}x`, `x${id}`, 'req_short-0123456789'])('%j has no request id', (text) => {
  expect(splitAtRequestIds(text)).toEqual([{ text, isRequestId: false, at: 0 }]);
  expect(isRequestId(text)).toBe(false);
});

test('no text is lost, whatever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(id))), (words) => {
      const whole = words.join(' ');
      const parts = splitAtRequestIds(whole);
      expect(parts.map(({ text }) => text).join('')).toBe(whole);
      for (const { text, at, isRequestId: isId } of parts) {
        expect(whole.slice(at, at + text.length)).toBe(text);
        expect(isRequestId(text)).toBe(isId);
      }
    }),
  );
});
