import { isDeepStrictEqual } from 'node:util';
import { type Catalog, findPlan, termsOf } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type Day, laterDay } from '#shared/domain/day.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { readOffered } from './offered-plans.ts';
import { packsFor } from './packs.ts';
import { type CycleRow, selectCycle } from './store.ts';

/** What has become of the offer that an unpaid cycle was made from: other terms today, or no longer on sale to this customer. */
export type OfferChange = { kind: 'changed'; terms: PlanTerms } | { kind: 'withdrawn' };

/** An unpaid cycle; `packOf`: the one whose quota it adds to, when it is a pack. */
export type FindChange = (
  cycle: Pick<CycleRow, 'service_id' | 'plan' | 'from_date' | 'status'>,
  packOf?: Pick<CycleRow, 'service_id' | 'plan' | 'to_date' | 'rps'>,
) => OfferChange | undefined;

/**
 * What a customer pays and gets. Names and texts may change, and the rate of GST follows the day of supply (decision 023).
 */
function offered(terms: PlanTerms): unknown {
  const { tenure, pricePaise, tax, maxDays, dailyQuota, monthlyQuota, rps, costs, operations, onDeactivate } = terms;
  const all = { tenure, pricePaise, tax, maxDays, dailyQuota, monthlyQuota, rps, costs, operations, onDeactivate };
  // As stored: without what is undefined.
  return JSON.parse(JSON.stringify(all));
}

/** Compares unpaid cycles with what the catalogue offers this customer today (decision 005). */
export async function readOfferChanges(catalog: Catalog, owner: Owner, db: Db | Tx, today: Day): Promise<FindChange> {
  const isOffered = await readOffered(db, owner, catalog.products);
  return (cycle, packOf) => {
    if (cycle.status !== 'PAYMENT_PENDING') return undefined;
    const { planId, maxDays } = cycle.plan;
    const product = catalog.find(cycle.service_id);
    const plan = product && findPlan(product, planId);
    // A pack has the days that are left of its cycle.
    const pack = packOf && packsFor(catalog, packOf, today).find(({ pack: { packId } }) => packId === planId);
    const terms = packOf
      ? pack && { ...pack.terms, maxDays }
      : plan && isOffered(plan)
        ? termsOf(plan, laterDay(today, cycle.from_date))
        : undefined;
    if (!terms) return { kind: 'withdrawn' };
    return isDeepStrictEqual(offered(cycle.plan), offered(terms)) ? undefined : { kind: 'changed', terms };
  };
}

/** Can an unpaid cycle still be paid as it was added? */
export async function isOnSale(portal: Portal, owner: Owner, tx: Tx, cycle: CycleRow, today: Day): Promise<boolean> {
  return (await readOfferChanges(await catalogForSale(portal, tx), owner, tx, today))(cycle) === undefined;
}

/**
 * Refuses (plan_changed, plan_withdrawn) an order of unpaid cycles that are not on sale any more as they were added. The catalogue stays in
 * effect until the order is committed. Requires the activation's lock.
 */
export async function requireOnSale(
  portal: Pick<Portal, 'catalog' | 'currentCatalog'>,
  owner: Owner,
  tx: Tx,
  cycles: readonly CycleRow[],
  today: Day,
): Promise<void> {
  const changeOf = await readOfferChanges(await catalogForSale(portal, tx), owner, tx, today);
  for (const cycle of cycles) {
    const { activation_id: activationId, adds_to: addsTo } = cycle;
    const packOf = addsTo === null ? undefined : await selectCycle(owner, tx, activationId, addsTo);
    const change = changeOf(cycle, packOf);
    if (change) throw refuse(change.kind === 'changed' ? 'plan_changed' : 'plan_withdrawn');
  }
}
