import { expect, test } from 'vitest';
import { highestThresholdReached } from '#shared/domain/quota-thresholds.ts';

test.each([
  [59, 100, undefined],
  [60, 100, 60],
  [79, 100, 60],
  [80, 100, 80],
  [100, 100, 100],
  [130, 100, 100],
  [0, 0, undefined],
  [2, 3, 60],
])('%i of %i calls reach the threshold %s', (used, limit, threshold) => {
  expect(highestThresholdReached(used, limit)).toBe(threshold);
});
