import fc from 'fast-check';
import { dayOf } from '#domain/day.ts';
import { makeScope, openScope } from './money-check.ts';
import { commandKinds, type Real } from './money-commands.ts';
import { emptyModel, type Model } from './money-model.ts';
import type { Money } from './test-money.ts';

const commandsInRun = 60;

/**
 * Plays about `count` random commands against the real portal, in lives of new customers, comparing with the model and checking every
 * rule on money after each. Answers how many were played; throws with the seed and the shortest life that goes wrong.
 */
export async function runModel(
  money: Money,
  { count, seed, givesUnusedBack }: { count: number; seed: number; givesUnusedBack: boolean },
): Promise<number> {
  await makeScope(money.portal.db);
  const scope = await openScope(money.portal.settings.databaseUrl);
  let played = 0;
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
      const customer = await money.newCustomer();
      const firstDay = dayOf(money.portal.clock());
      await fc.asyncModelRun(
        () => ({ model: emptyModel(givesUnusedBack), real: { money, customer, firstDay } }),
        commands,
      );
    },
  );
  try {
    await fc.assert(lives, { seed, numRuns: count });
  } finally {
    await scope.close();
  }
  return played;
}
