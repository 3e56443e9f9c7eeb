import { type Catalog, findPlan, termsOf } from '#catalog/catalog.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { type CycleDates, grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { type Day, dayOf, daysBetween } from '#shared/domain/day.ts';
import type { PackOffer } from '#shared/domain/pack.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { priceOf } from '#shared/domain/price.ts';
import { type Issuer, readBuyer } from '#server/features/documents/documents.ts';
import { isPlanStopped } from '#server/features/credit/credit.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { endForCause } from './end-cycle.ts';
import { type CycleRow, insertCycle, selectCycle, selectCycles } from './store.ts';

/** Does a cycle give access on a day? */
function isRunning(cycle: Pick<CycleRow, 'status' | 'from_date' | 'to_date'>, today: Day): boolean {
  const dates = { fromDate: cycle.from_date, toDate: cycle.to_date };
  return grantsAccess(cycle.status) && phaseOf(dates, today) === 'running';
}

/** The packs that today's catalogue offers with the plan of a cycle, with the terms at which they are sold. */
export function packsFor(
  catalog: Catalog,
  cycle: Pick<CycleRow, 'service_id' | 'plan' | 'to_date' | 'rps'>,
  today: Day,
): { pack: PackOffer; terms: PlanTerms }[] {
  const product = catalog.find(cycle.service_id);
  const plan = product && findPlan(product, cycle.plan.planId);
  if (!plan) return [];
  // It ends with the cycle, and follows the cycle's rule for what is not used.
  const { onDeactivate } = cycle.plan;
  const { tax, sac, gstRateBasisPoints } = termsOf(plan, today);
  return plan.packs.map((pack) => ({
    pack,
    terms: {
      planId: pack.packId,
      name: pack.name,
      description: '',
      tenure: 'MONTHLY',
      pricePaise: pack.pricePaise,
      tax,
      sac,
      gstRateBasisPoints,
      maxDays: daysBetween(today, cycle.to_date),
      dailyQuota: pack.units,
      monthlyQuota: pack.units,
      rps: cycle.rps,
      onDeactivate,
      benefits: [],
    },
  }));
}

/** Orders a pack for the running cycle; its units are there once it is paid (product §4.23). */
export async function buyPack(portal: Portal, owner: Owner, activationId: string, packId: string) {
  const { result } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      if (!(await lockActivation(owner, change.tx, activationId))) throw refuse('not_found');
      const today = dayOf(portal.clock());
      const records = await selectCycles(owner, change.tx, activationId);
      const running = records.find((record) => isRunning(record, today));
      if (!running) throw refuse('no_plan_running');
      // Its calls may be refused, and then the units of a pack too.
      if (await isPlanStopped(change.tx, running.id, today)) throw refuse('plan_stopped');
      const offers = packsFor(await catalogForSale(portal, change.tx), running, today);
      const offer = offers.find(({ pack }) => pack.packId === packId);
      if (!offer) throw refuse('not_found');
      const waiting = waitingPack(running);
      if (waiting && (await isPaymentUnderWay(change.tx, waiting.id))) throw refuse('payment_under_way');
      return orderPack(portal, owner, change, running, offer.terms);
    }),
  );
  return { ...result, activationId };
}

interface WithPacks {
  packs: readonly { row: CycleRow }[];
}

/** The unpaid pack of a cycle. */
export const waitingPack = ({ packs }: WithPacks): CycleRow | undefined =>
  packs.find(({ row }) => row.status === 'PAYMENT_PENDING')?.row;

/** An unpaid pack for the running cycle; one that waited is removed. Requires the activation's lock. */
export async function orderPack(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  running: CycleRow & WithPacks,
  plan: PlanTerms,
): Promise<{ status: 'pending'; billingCycleId: string }> {
  const { tx } = change;
  const now = new Date(portal.clock());
  const today = dayOf(now.getTime());
  const waiting = waitingPack(running);
  // An unpaid pack of before is removed: a payment for it that still arrives is refunded.
  if (waiting) await endForCause(portal, owner, change, waiting, 'replaced', now);
  const billingCycleId = await insertCycle(owner, change, {
    activationId: running.activation_id,
    serviceId: running.service_id,
    status: 'PAYMENT_PENDING',
    dates: { fromDate: today, toDate: running.to_date },
    plan,
    pricePaise: priceOf(plan, (await readBuyer(portal, owner, tx)).isZeroRatedOn(today)).totalPaise,
    addsTo: running.id,
    now,
  });
  return { status: 'pending', billingCycleId };
}

/** May money that is on its way still pay for a cycle? That of a debit keeps nobody from buying a pack now: should the bank take it, it is refunded. */
export async function isPaymentUnderWay(tx: Tx, cycleId: string): Promise<boolean> {
  const payment = await tx
    .selectFrom('payments')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'payments.order_id')
    .select('payments.provider_payment_id')
    .leftJoin('mandate_debits', 'mandate_debits.order_id', 'order_cycles.order_id')
    .where('order_cycles.cycle_id', '=', cycleId)
    .where('mandate_debits.order_id', 'is', null)
    .where((of) => of.or([of('payments.status', 'in', ['created', 'authorized']), of('payments.use', '=', 'HELD')]))
    .executeTakeFirst();
  return payment !== undefined;
}

/** A cycle that may be a pack. */
export type PackCycle = Pick<CycleRow, 'activation_id' | 'adds_to'>;

/** The days of a pack that is paid today; undefined when its cycle has ended. Requires the activation's lock. */
export async function packDates(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  { activation_id: activationId, adds_to: addsTo }: PackCycle,
): Promise<CycleDates | undefined> {
  const today = dayOf(portal.clock());
  const cycle = addsTo === null ? undefined : await selectCycle(owner, tx, activationId, addsTo);
  return cycle && isRunning(cycle, today) ? { fromDate: today, toDate: cycle.to_date } : undefined;
}

/** Is this a pack of a plan whose calls are refused, as a bill is overdue? */
export async function isPackOfStopped(tx: Tx, { adds_to: addsTo }: PackCycle, today: Day): Promise<boolean> {
  return addsTo !== null && (await isPlanStopped(tx, addsTo, today));
}

/** Is this a pack whose cycle has ended, so that it cannot be paid any more? */
export async function isPackLate(portal: Issuer, owner: Owner, tx: Tx, cycle: PackCycle): Promise<boolean> {
  return cycle.adds_to !== null && (await packDates(portal, owner, tx, cycle)) === undefined;
}
