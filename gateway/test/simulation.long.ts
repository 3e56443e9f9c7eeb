import { expect, test } from 'vitest';
import { print } from './load.ts';
import { runSimulation } from './simulation.ts';

/** Ten thousand steps (STEPS) on three gateways. */
const steps = Number(process.env['STEPS'] ?? 10_000);

test('dropped connections, repeats, new activations and restarts: each customer gets exactly the quota sold, 0 over and 0 under', async () => {
  const { faults, ...outcome } = await runSimulation(steps);
  print(JSON.stringify(outcome, null, 2));
  expect(faults).toEqual([]);
});
