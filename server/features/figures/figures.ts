import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { topCustomers } from '#shared/contract/operator/figures.ts';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day, daysBetween, earlierDay, laterDay } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees } from '#shared/domain/money.ts';
import { readRevenue, type SpanRevenue } from '#server/features/bookkeeping/bookkeeping.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import {
  selectCalls,
  selectCallsOf,
  selectCash,
  selectPaidPlans,
  selectRefused,
  selectStarts,
  type Span,
} from './store.ts';

type Figures = OperatorReply<'readFigures'>;

/** The figures of some days, until today at most; each is defined in `figureDefinitions`. */
export async function readFigures(
  source: Pick<Portal, 'db' | 'requestLog'>,
  asked: Span,
  today: Day,
): Promise<Figures> {
  const { db } = source;
  if (asked.from > today) throw new OperatorRefusal(`${asked.from} has not come yet.`, 'invalid_request');
  const span = { from: asked.from, to: earlierDay(asked.to, today) };
  const revenue = await readRevenue(db, span, topCustomers);
  const plans = await selectPaidPlans(db, span);
  const calls = await selectCalls(db, span);
  const { rows: refused, firstDay } = await selectRefused(source, span);
  const starts = new Map((await selectStarts(db, span)).map(({ productId, ...start }) => [productId, start]));
  const cash = sumsBy(await selectCash(db, span), 'day', 'paise');

  const isLogged = (day: Day): boolean => firstDay !== null && day >= firstDay;
  const callsOn = sumsBy(calls, 'day', 'calls');
  const refusedOn = sumsBy(refused, 'day', 'calls');
  const days = daysOf(span).map((day) => ({
    day,
    cash: rupees(cash.get(day) ?? 0),
    revenue: rupees(revenue.byDay.get(day) ?? 0),
    activePaidPlans: activeOn(plans, day),
    calls: callsOn.get(day) ?? 0,
    refused: isLogged(day) ? (refusedOn.get(day) ?? 0) : null,
  }));

  const revenueOfProduct = sumsBy(revenue.byPlan, 'productId', 'paise');
  const callsOfProduct = sumsBy(calls, 'productId', 'calls');
  const refusedOfProduct = sumsBy(refused, 'productId', 'calls');
  const ofPlans = figuresOfPlans(revenue, plans, span);
  const productIds = new Set([...callsOfProduct.keys(), ...refusedOfProduct.keys(), ...starts.keys()]);
  for (const { productId } of ofPlans) productIds.add(productId);
  const products = [...productIds].toSorted().map((productId) => ({
    productId,
    revenue: rupees(revenueOfProduct.get(productId) ?? 0),
    calls: callsOfProduct.get(productId) ?? 0,
    // Of some of the days alone it would be too little.
    refused: isLogged(span.from) ? (refusedOfProduct.get(productId) ?? 0) : null,
    startedFree: starts.get(productId)?.startedFree ?? 0,
    nowPaid: starts.get(productId)?.nowPaid ?? 0,
  }));

  return { days, products, plans: ofPlans, customers: await readTop(db, span, revenue) };
}

interface PlanName {
  productId: string;
  planId: string;
  planName: string;
}
type PaidPlans = Awaited<ReturnType<typeof selectPaidPlans>>;

const keyOf = ({ productId, planId }: PlanName): string => JSON.stringify([productId, planId]);

function figuresOfPlans({ byPlan }: SpanRevenue, plans: PaidPlans, { to }: Span): Figures['plans'] {
  const revenues = groupBy(byPlan, keyOf);
  const paid = groupBy(plans, keyOf);
  const first = new Map([...byPlan, ...plans].map((plan) => [keyOf(plan), plan]));
  const figures = [...first]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([key, { productId, planId, planName }]) => {
      const own = paid.get(key) ?? [];
      return {
        productId,
        planId,
        planName,
        revenue: rupees((revenues.get(key) ?? []).reduce((sum, { paise }) => sum + paise, 0)),
        activePaidPlans: activeOn(own, to),
        prepaidDays: own.reduce((sum, each) => sum + each.plans * daysAfter(to, each), 0),
      };
    });
  // Plans that had all ended before, and gave nothing back in these days.
  return figures.filter((each) => each.revenue !== 0 || each.activePaidPlans > 0 || each.prepaidDays > 0);
}

async function readTop(db: Db, span: Span, { customers: top }: SpanRevenue): Promise<Figures['customers']> {
  const found = await selectCallsOf(
    db,
    span,
    top.map(({ customerId }) => customerId),
  );
  const known = new Map(found.map((each) => [each.customerId, each]));
  return top.map(({ customerId, paise }) => ({
    customerId,
    name: known.get(customerId)?.name ?? '',
    revenue: rupees(paise),
    calls: known.get(customerId)?.calls ?? 0,
  }));
}

const activeOn = (plans: PaidPlans, day: Day): number =>
  plans.reduce((sum, { fromDate, toDate, plans: some }) => (fromDate <= day && day < toDate ? sum + some : sum), 0);

/** Days of a plan after a day; `toDate` is the first day after the plan. */
const daysAfter = (day: Day, { fromDate, toDate }: { fromDate: Day; toDate: Day }): number =>
  Math.max(0, daysBetween(laterDay(fromDate, addDays(day, 1)), toDate));

const daysOf = ({ from, to }: Span): Day[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));

/** The sums of one field of rows by another. */
function sumsBy<By extends string, Of extends string>(
  rows: readonly (Record<By, string> & Record<Of, number>)[],
  by: By,
  of: Of,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row[by], (sums.get(row[by]) ?? 0) + row[of]);
  return sums;
}
