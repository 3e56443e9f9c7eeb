import { beforeEach } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { setRecharge } from '#shared/contract/recharges.ts';
import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';
import { firstDayOf, monthOf, nextMonth } from '#shared/domain/month.ts';
import { useRenewals } from '#server/features/renewals/test-renewals.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** A portal whose plan Growth has packs. */
const startWithPacks = () =>
  startTestPortal({
    catalogDir: changedCatalog({
      'tax-lookup-api': {
        // No day is too short for what the tests use.
        'plans.growth.dailyQuota': '100000',
        'plans.growth.packs': JSON.stringify([
          { id: 'extra', name: 'Extra 30000', units: 30_000, price: 99 },
          { id: 'twin', name: 'Twin', units: 30_000, price: 99 },
          { id: 'huge', name: 'Huge', units: 90_000, price: 14_000 },
        ]),
      },
    }),
  });

/** What a plan has used on a day. */
async function countUnits(portal: TestPortal, cycleId: string, day: Day, units: number): Promise<void> {
  await useUnits(portal.portal.db, cycleId, day, units);
}

/** Before each test: a customer whose plan of 30 days renews, and who agreed to recharges by a pack of ₹99, at most ₹250 in a month. */
export function useRecharges() {
  // What a test does lies within one month, unless it goes on to the next.
  beforeEach(async () => {
    const [from, next] = [life.today(), firstDayOf(nextMonth(monthOf(life.today())))];
    if (from > addDays(firstDayOf(monthOf(from)), 10)) await life.move(daysBetween(from, next));
  });
  const life = useRenewals(startWithPacks);
  const { the, params, today, move } = life;
  const recharge = async () => (await life.renewal()).recharge;

  const agree = (monthlyCeiling = 250, packId = 'extra') =>
    the().portal.ask(setRecharge, { ...params(), body: { packId, monthlyCeiling } }, the().token);
  const running = async () => {
    const cycle = (await life.cycles()).find(({ phase }) => phase === 'running');
    if (!cycle) throw new Error('no plan runs');
    return cycle;
  };

  /** Days pass, of which each takes a share of the units that the plan was sold with; everything that is due is done. */
  async function useOn(days: number, share: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      await move(1);
      const { id } = await running();
      await countUnits(the().portal, id, today(), share);
      await runRounds(the().portal.portal);
    }
  }

  /** The debits of packs. */
  const packDebits = async () => (await life.debits().execute()).filter(({ first_day: day }) => day === null);
  const shortages = () =>
    the()
      .portal.portal.db.selectFrom('recharges')
      .selectAll()
      .where('activation_id', '=', the().activationId)
      .orderBy('quota_units')
      .execute();

  /** A tenth of the units on each day, until a pack was told of; one more day asks for it. */
  async function untilTold(): Promise<number> {
    const tenth = (await running()).monthlyQuota / 10;
    await useOn(7, tenth);
    return tenth;
  }

  async function untilSent() {
    const tenth = await untilTold();
    await useOn(1, tenth);
    await life.untilDebits('SENT');
    const [debit] = await packDebits();
    if (!debit) throw new Error('there is no debit');
    return debit;
  }

  return { ...life, recharge, agree, running, useOn, packDebits, shortages, untilTold, untilSent };
}
