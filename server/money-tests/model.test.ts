import { afterAll, beforeAll, expect, test } from 'vitest';
import { runModel } from './run-model.ts';
import { type Money, startMoney } from './test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const commands = Number(process.env['COMMANDS'] ?? 5000);

test(
  `whatever customers, banks and clocks do, money is as a small model has it (SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    expect(await runModel(money, commands, seed)).toBeGreaterThanOrEqual(commands);
    expect(await money.faults()).toEqual([]);
  },
);
