import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { buyPack } from '#shared/contract/cycles.ts';
import { removeLatePacks } from '#server/features/cycles/cycles.ts';
import { useUnitsOfCycle } from '#server/features/usage/test-units.ts';
import { at, command, problem } from './model-command.ts';
import { addedPack, everyCycle, type Model, type ModelCycle, packsOf, removed, running } from './money-model.ts';

/** The plans with which the model's catalogue offers the pack. */
const offering: ReadonlySet<string> = new Set(['growth', 'free']);

function whyNotOrdered(model: Model): string | undefined {
  const cycle = running(model);
  if (!cycle) return 'no_plan_running';
  if (!offering.has(cycle.plan)) return 'not_found';
  const waiting = unpaidPackOf(model, cycle);
  const isUnderWay = model.payments.some(
    ({ order, knownState }) => knownState === 'created' && waiting !== undefined && order.cycles.includes(waiting),
  );
  return isUnderWay ? 'payment_under_way' : undefined;
}

const unpaidPackOf = (model: Model, cycle: ModelCycle) =>
  packsOf(model, cycle).find(({ status }) => status === 'PAYMENT_PENDING');

/** A pack of the running plan; an unpaid one of before is removed. */
const orderPack = () =>
  command(
    'order a pack',
    (model) => model.activationId !== undefined,
    async (model, { money, customer }) => {
      const refused = whyNotOrdered(model);
      const params = { activationId: model.activationId ?? '', packId: 'extra-100' };
      const response = await money.send(buyPack, { params }, customer.token);
      const cycle = running(model);
      if (refused !== undefined || !cycle) {
        expect(problem.parse(response.body).code).toBe(refused);
        return;
      }
      const earlier = unpaidPackOf(model, cycle);
      if (earlier) removed(earlier);
      addedPack(model, z.object({ billingCycleId: z.string() }).parse(response.body).billingCycleId, cycle);
    },
  );

const paidPacksOf = (model: Model, cycle: ModelCycle) =>
  packsOf(model, cycle).filter(({ status }) => status === 'PAID');
const withPaidPacks = (model: Model) =>
  model.cycles
    .filter(({ plan, status }) => plan === 'growth' && status === 'PAID')
    .filter((cycle) => paidPacksOf(model, cycle).length > 0);

/** Calls use a plan's own quota up, and some units of its packs. */
const useUnits = (which: number, units: number) =>
  command(
    `use ${units} units of the packs of plan ${which}`,
    (model) => withPaidPacks(model).length > 0,
    async (model, { money }) => {
      const cycle = at(withPaidPacks(model), which);
      const taken = Math.min(units, paidPacksOf(model, cycle).length * 100);
      cycle.packUnitsTaken = Math.max(taken, cycle.packUnitsTaken);
      const { db } = money.portal;
      const { monthly_quota: sold } = await db
        .selectFrom('cycles')
        .select('monthly_quota')
        .where('id', '=', cycle.id)
        .executeTakeFirstOrThrow();
      await useUnitsOfCycle(db, cycle.id, sold + cycle.packUnitsTaken);
    },
  );

/** What the portal's rounds do: a pack that nobody paid ends with its plan. */
const endLatePacks = command(
  'remove the unpaid packs of plans that ended',
  () => true,
  async (model, { money }) => {
    await removeLatePacks(money.portal);
    for (const pack of everyCycle(model)) {
      const isLate = pack.adds !== undefined && pack.from + pack.days <= model.today;
      if (pack.status === 'PAYMENT_PENDING' && isLate) removed(pack);
    }
  },
);

/** The commands of packs. */
export const packKinds = [
  fc.constant(orderPack()),
  fc.constant(orderPack()),
  fc.constant(endLatePacks),
  fc.tuple(fc.nat(11), fc.constantFrom(1, 100, 101, 250)).map(([which, units]) => useUnits(which, units)),
];
