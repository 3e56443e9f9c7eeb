import { expect, test } from 'vitest';
import { testSeed } from '#shared/platform/test-seed.ts';
import { playRandomly } from './play-renewals.ts';

/** The long tests play as many acts as those of the model of money. */
const allActs = Number(process.env['COMMANDS'] ?? 200);
/** Document numbers name their year by two digits, so one clock must not run through a century. */
const actsOfPortal = 10_000;

test(
  `in random histories of mandates and bank transfers, with processes killed anywhere, every period is paid once and every promise is kept (SEED=${testSeed})`,
  { timeout: 3_600_000 },
  async () => {
    for (let left = allActs, portals = 0; left > 0; portals += 1) {
      const { played, faults } = await playRandomly(Math.min(left, actsOfPortal), testSeed + portals);
      expect(faults).toEqual([]);
      left -= played;
    }
  },
);
