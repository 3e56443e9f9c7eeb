import type { Day } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { priceOf } from '#shared/domain/price.ts';
import { type Catalog, type CatalogPlan, findPlan, termsOf } from './catalog.ts';
import type { CatalogChange } from './compare-catalogs.ts';

/** A plan that renews by mandate (decision 074), whose customer agreed to at most this per debit. */
export interface RenewingPlan {
  /** Of the product, or an alias. */
  serviceId: string;
  planId: string;
  ceilingPaise: number;
  /** Of the customer, in small letters: private plans name it. */
  email: string;
}

/** Also a rate that begins later is one that will be debited. */
const afterAllRates: Day = '9999-12-31';

/** With GST, unless the customer can’t buy the plan. */
function debitOf(catalog: Catalog, { serviceId, planId, email }: RenewingPlan): number | undefined {
  const product = catalog.find(serviceId);
  const plan: CatalogPlan | undefined = product && findPlan(product, planId);
  if (plan === undefined || plan.customers?.includes(email) === false) return undefined;
  return priceOf(termsOf(plan, afterAllRates), false).totalPaise;
}

/** What a change of the catalogue does to plans that renew: another amount is debited, or they end. */
export function compareRenewals(before: Catalog, after: Catalog, renewing: readonly RenewingPlan[]): CatalogChange[] {
  const priced = renewing
    .map((each) => ({ ...each, was: debitOf(before, each), is: debitOf(after, each) }))
    .filter(({ was, is }) => was !== is);
  const plans = groupBy(priced, ({ serviceId, planId, was, is }) => JSON.stringify([serviceId, planId, was, is]));
  return [...plans.values()].flatMap((touched) => {
    const [first] = touched;
    if (first === undefined) return [];
    const { serviceId, planId, was, is } = first;
    const shown = [was, is].map((paise) => (paise === undefined ? 'not for sale' : formatRupees(paise)));
    return [
      {
        product: before.find(serviceId)?.id ?? after.find(serviceId)?.id ?? serviceId,
        change: `renewals of plan ${planId}: ${shown.join(' → ')}`,
        affects: affected(touched, is),
      },
    ];
  });
}

function affected(touched: readonly RenewingPlan[], paise: number | undefined): string {
  const count = touched.length === 1 ? '1 renewal' : `${touched.length} renewals`;
  if (paise === undefined)
    return `${count}: ${touched.length === 1 ? 'it ends' : 'all end'} when what is paid is over.`;
  const ending = touched.filter(({ ceilingPaise }) => ceilingPaise < paise).map(({ ceilingPaise }) => ceilingPaise);
  const debited = touched.length - ending.length;
  const words = [
    ...(debited > 0 ? [`${debited} will be debited ${formatRupees(paise)} (announced again)`] : []),
    ...(ending.length > 0
      ? [
          `${ending.length} ${ending.length === 1 ? 'ends' : 'end'}, since at most ${formatRupees(Math.max(...ending))} was agreed to`,
        ]
      : []),
  ];
  return `${count}: ${words.join(', ')}.`;
}
