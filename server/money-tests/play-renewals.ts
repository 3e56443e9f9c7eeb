import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { startInvoicePortal } from '#server/features/documents/test-e-invoices.ts';
import { bookFaults } from '#server/features/bookkeeping/bookkeeping.ts';
import { makeScope, openScope } from './money-check.ts';
import { goBeforeEnd, sell } from './renewal-acts.ts';
import { agreeTo } from './recharge-acts.ts';
import { type Act, beginLife, catalogWithRecharges, type Life, move } from './renewal-life.ts';
import { type Mix, mixes } from './renewal-mixes.ts';
import { comeToRest, expectSettled, expectSoundDebits } from './renewal-rules.ts';
import { dayMs, hourMs, quiet, startMoney } from './test-money.ts';

const actsInLife = 100;

export async function startWorld() {
  const invoicePortal = await startInvoicePortal();
  onTestFinished(() => invoicePortal.close());
  const money = await startMoney({ eInvoices: invoicePortal.eInvoices, catalogDir: catalogWithRecharges() });
  onTestFinished(() => money.close());
  await makeScope(money.owner.db);
  const scope = await openScope(money.owner.databaseUrl);
  onTestFinished(() => scope.close());
  return { money, other: money.anotherPortal(), scope };
}
export type World = Awaited<ReturnType<typeof startWorld>>;

/** The life of a new customer whose plan renews, from some days before its end until everything has come to rest; then there are no faults. */
export async function play(
  { money, other, scope }: World,
  whatHappens: (life: Life) => Promise<void>,
  daysBefore = 6,
): Promise<void> {
  await money.behave(quiet);
  const life = await beginLife(money, other);
  // What follows 25 hours later is on the next day.
  const now = money.portal.clock();
  await move(life, (startOfDay(addDays(dayOf(now), 1)) + 6 * hourMs - now) / dayMs);
  await goBeforeEnd(daysBefore).run(life);
  if (daysBefore > 6) await agreeTo('extra', 250).run(life);
  try {
    await whatHappens(life);
    await comeToRest(life);
    expect(await scope.faultsOf(life.customer.customerId)).toEqual([]);
    await expectSettled(life);
  } finally {
    // The next life's clock must not renew this plan.
    await sell('as at first').run(life);
    Object.assign(money.portal.settings, { renewals: true });
    await life.backup?.database.remove();
    await money.send(deleteActivation, { params: { activationId: life.activationId } }, life.customer.token);
  }
}

/** Plays about `count` random acts in the lives of new customers, looking for faults after each. Returns how many were played, and the faults of all. */
export async function playRandomly(
  count: number,
  seed: number,
  of: readonly Mix[] = mixes,
): Promise<{ played: number; faults: unknown[] }> {
  const world = await startWorld();
  const { money, scope } = world;
  let played = 0;
  const asCommand = (act: Act) => ({
    check: () => true,
    toString: () => act.name,
    run: async (_: object, life: Life) => {
      await act.run(life);
      expect(await scope.faultsOf(life.customer.customerId)).toEqual([]);
      await expectSoundDebits(life);
      played += 1;
    },
  });
  const drawn = of.map(({ acts, daysBefore, first }) =>
    fc.record({
      first: fc.constant(first),
      daysBefore: fc.constant(daysBefore),
      acts: fc.commands(
        acts.map((each) => each.map(asCommand)),
        { maxCommands: actsInLife, size: 'max' },
      ),
    }),
  );
  const lives = fc.asyncProperty(fc.oneof(...drawn), async ({ acts, daysBefore, first }) => {
    const whatHappens = async (life: Life) => {
      await first?.run(life);
      await fc.asyncModelRun(() => ({ model: {}, real: life }), acts);
    };
    if (played < count) await play(world, whatHappens, daysBefore);
  });
  await fc.assert(lives, { seed, numRuns: count });
  return { played, faults: [...(await money.faults()), ...(await bookFaults(money.portal.db))] };
}
