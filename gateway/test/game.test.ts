import { expect, test } from 'vitest';
import { playGame } from './play-game.ts';

test('dropped connections, repeats, new activations and restarts: each customer gets exactly the quota sold, 0 over and 0 under', async () => {
  const { faults, settled, given } = await playGame(250);
  expect(faults).toEqual([]);
  expect(settled).toBeGreaterThanOrEqual(6);
  expect(given).toBeGreaterThan(40);
}, 120_000);
