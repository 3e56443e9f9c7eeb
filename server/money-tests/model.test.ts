import { expect, test } from 'vitest';
import { modelSeed, playModel } from './run-model.ts';

test(
  `for random actions of customers, banks and clocks, money matches a small model (SEED=${modelSeed})`,
  { timeout: 3_600_000 },
  async () => {
    expect(await playModel(0.6, false)).toEqual({ unplayed: 0, faults: [] });
  },
);
