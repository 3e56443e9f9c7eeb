import { expect, test } from 'vitest';
import { hasDotSegment } from './safe-path.ts';

/** `.` and `/` in more bytes than they need (RFC 3629 §10). */
test.each(['%c0%ae', '%c1%9c', '%e0%80%ae', '%e0%9f%bf', '%f0%80%80%ae', '%F0%8F%BF%BF', '%25f0%2580%2580%25ae'])(
  'the overlong sequence %s is refused',
  (sequence) => {
    expect(hasDotSegment(`/v1/${sequence}/x`)).toBe(true);
  },
);

test.each(['%e0%a4%85', '%f0%90%80%80', '%e2%82%b9'])('the letter %s is not', (letter) => {
  expect(hasDotSegment(`/v1/${letter}/x`)).toBe(false);
});
