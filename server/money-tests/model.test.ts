import { expect, onTestFinished, test } from 'vitest';
import { runModel } from './run-model.ts';
import { catalogThatRefunds, startMoney } from './test-money.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const commands = Number(process.env['COMMANDS'] ?? 2000);

test.each([
  ['whose unused days are lost', false, 0.8],
  ['whose unused days are given back', true, 0.2],
] as const)(
  `whatever customers, banks and clocks do, money is as a small model has it, with plans %s (SEED=${seed})`,
  { timeout: 3_600_000 },
  async (_plans, givesUnusedBack, share) => {
    const money = await startMoney(givesUnusedBack ? { catalogDir: catalogThatRefunds() } : {});
    onTestFinished(() => money.close());
    const count = Math.round(commands * share);
    expect(await runModel(money, { count, seed, givesUnusedBack })).toBeGreaterThanOrEqual(count);
    expect(await money.faults()).toEqual([]);
  },
);
