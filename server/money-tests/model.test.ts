import { expect, test } from 'vitest';
import { modelSeed, playModel } from './run-model.ts';

test(
  `whatever customers, banks and clocks do, money is as a small model has it (SEED=${modelSeed})`,
  { timeout: 3_600_000 },
  async () => {
    expect(await playModel(0.6, false)).toEqual({ unplayed: 0, faults: [] });
  },
);
