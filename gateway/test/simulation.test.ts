import { expect, test } from 'vitest';
import { runSimulation } from './simulation.ts';

test('dropped connections, repeats, new activations and restarts: each customer gets exactly the quota sold, 0 over and 0 under', async () => {
  const { faults, finished, given } = await runSimulation(250);
  expect(faults).toEqual([]);
  expect(finished).toBeGreaterThanOrEqual(6);
  expect(given).toBeGreaterThan(40);
});
