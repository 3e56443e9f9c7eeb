import { expect, test } from 'vitest';
import { testSeed } from '#shared/platform/test-seed.ts';
import { playModel } from './run-model.ts';

test(
  `for random actions of customers, banks and clocks, money matches a small model (SEED=${testSeed})`,
  { timeout: 3_600_000 },
  async () => {
    expect(await playModel(0.6, false)).toEqual({ unplayed: 0, faults: [] });
  },
);
