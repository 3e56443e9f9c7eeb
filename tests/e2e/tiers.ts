/**
 * Which devices run a test in the quick run; `npm run test:browser` runs each on both. A test without one of these runs
 * on the desktop.
 */
export const onPhone = '@phone';
export const onBoth = '@both';
/** Left to `npm run test:browser`: another case covers the same. */
export const notQuick = '@not-quick';

/** For the cases of a table: one on the desktop, the next on a phone. */
export function inTurn(index: number): string[] {
  return index % 2 === 0 ? [] : [onPhone];
}
