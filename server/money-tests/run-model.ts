import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { makeScope, openScope } from './money-check.ts';
import { commandKinds } from './money-commands.ts';
import type { Real } from './model-command.ts';
import { emptyModel, type Model } from './money-model.ts';
import { sampleProfile } from '#server/test/portal.ts';
import { businessProfile } from './test-tds.ts';
import { testSeed } from '#shared/platform/test-seed.ts';
import { eraseAtEnd } from './erase-at-end.ts';
import { catalogOfChangingRates, type Money, startMoney } from './test-money.ts';

const commandsInRun = 60;

/** Number of commands over all files of the model; the long tests run thirty times as many as `npm test`. */
const modelCommands = Number(process.env['COMMANDS'] ?? 1500);

/** Commands per portal: document numbers name their year by two digits, so one clock must not run through a century. */
const commandsOfPortal = 10_000;

/**
 * Runs a share of all commands against portals of its own and verifies everything at the end of each. Returns how many commands were
 * left (must be none) and the faults (must be none).
 */
export async function playModel(share: number, givesUnusedBack: boolean) {
  const faults: unknown[] = [];
  let left = Math.round(modelCommands * share);
  for (let portals = 0; left > 0 && portals * commandsOfPortal < modelCommands; portals += 1) {
    const money = await startMoney({ catalogDir: catalogOfChangingRates({ refunds: givesUnusedBack }) });
    onTestFinished(() => money.close());
    const count = Math.min(left, commandsOfPortal);
    left -= await runModel(money, { count, seed: testSeed + portals, givesUnusedBack });
    faults.push(...(await money.faults()), ...(await bookFaults(money.portal.db)));
  }
  return { unplayed: Math.max(0, left), faults };
}

/** The model knows days only: a run must not go through a midnight of its own. */
async function startInTheMorning(money: Money): Promise<void> {
  const now = money.portal.clock();
  const toMorningMs = startOfDay(addDays(dayOf(now), 1)) + 6 * 3_600_000 - now;
  money.moveClock(toMorningMs);
  await money.standin('POST', '/standin/clock', { advanceMs: toMorningMs });
}

/**
 * Runs about `count` random commands against the real portal, in sequences with new customers, comparing with the model and checking every
 * money rule after each. Returns how many were run; throws with the seed and the shortest failing sequence.
 */
async function runModel(
  money: Money,
  { count, seed, givesUnusedBack }: { count: number; seed: number; givesUnusedBack: boolean },
): Promise<number> {
  await startInTheMorning(money);
  await makeScope(money.owner.db);
  const scope = await openScope(money.owner.databaseUrl);
  let played = 0;
  let businesses = 0;
  const checked = commandKinds.map((kind) =>
    kind.map((command) => ({
      check: (model: Readonly<Model>) => command.check(model),
      toString: () => command.toString(),
      run: async (model: Model, real: Real) => {
        await command.run(model, real);
        await scope.compare(model, real.customer.customerId, real.firstDay);
        played += 1;
      },
    })),
  );
  const lives = fc.asyncProperty(
    fc.commands(checked, { maxCommands: commandsInRun, size: 'max' }),
    async (commands) => {
      if (played >= count) return;
      businesses += 1;
      const isBusiness = businesses % 2 === 0;
      const customer = await money.newCustomer(isBusiness ? businessProfile : sampleProfile);
      const firstDay = dayOf(money.portal.clock());
      await fc.asyncModelRun(
        () => ({ model: emptyModel(givesUnusedBack), real: { money, customer, firstDay, isBusiness } }),
        commands,
      );
      await eraseAtEnd(money, customer.customerId);
    },
  );
  try {
    await fc.assert(lives, { seed, numRuns: count });
  } finally {
    await scope.close();
  }
  return played;
}
