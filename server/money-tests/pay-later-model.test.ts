import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { testSeed } from '#shared/platform/test-seed.ts';
import { type Act, actNames, actsAt } from './pay-later-acts.ts';
import { catalogThatRefunds, type Money, startMoney } from './test-money.ts';

/** Number of acts; the long tests play thirty times as many. */
const acts = Math.round(Number(process.env['COMMANDS'] ?? 1500) / 20);

let money: Money;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogThatRefunds() });
});
afterAll(() => money.close());

test(
  'what is due of bills is price less credit notes, tax and money that stayed, in any order of sales, payments, refunds here and elsewhere, disputes, certificates, ends and changed terms',
  { timeout: 3_600_000 },
  async () => {
    const { start, play } = actsAt(money);
    let played = 0;
    const act: fc.Arbitrary<Act> = fc.record({
      name: fc.constantFrom(...actNames),
      which: fc.nat(5),
      share: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    const lives = fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 24, size: 'max' }), async (chosen) => {
      if (played >= acts) return;
      const life = await start();
      await play(life, { name: 'sell', which: 0, share: 0 });
      for (const each of chosen) if (await play(life, each)) played += 1;
      expect(await money.faults()).toEqual([]);
    });
    await fc.assert(lives, { seed: testSeed, numRuns: acts });
    expect(await bookFaults(money.portal.db)).toEqual([]);
    expect(played).toBeGreaterThanOrEqual(acts);
  },
);
