import { expect, test } from 'vitest';
import { testSeed } from '#shared/platform/test-seed.ts';
import { playRandomly } from './play-renewals.ts';
import { ofRecharges } from './renewal-mixes.ts';

/** The long tests play as many acts as those of the model of money. */
const allActs = Number(process.env['COMMANDS'] ?? 200);
/** Document numbers name their year by two digits, so one clock must not run through a century. */
const actsOfPortal = 10_000;

/** Plays all acts, and returns the faults of all. */
async function playAll(seed: number, of?: Parameters<typeof playRandomly>[2]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let left = allActs, portals = 0; left > 0; portals += 1) {
    const { played, faults } = await playRandomly(Math.min(left, actsOfPortal), seed + portals, of);
    found.push(...faults);
    left -= played;
  }
  return found;
}

test(
  `in random histories of mandates, transfers, links and terms, with processes killed anywhere, each captured rupee is a paid period, less due, held with a reason or refunded, and every promise is kept (SEED=${testSeed})`,
  { timeout: 3_600_000 },
  async () => {
    expect(await playAll(testSeed)).toEqual([]);
  },
);

test(
  `in random histories of units that run out, no pack is debited but as its customer agreed to it and was told, and none ends a plan silently (SEED=${testSeed})`,
  { timeout: 3_600_000 },
  async () => {
    expect(await playAll(testSeed, [ofRecharges])).toEqual([]);
  },
);
