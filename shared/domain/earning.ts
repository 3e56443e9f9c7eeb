import { addDays, type Day, daysBetween, laterDay } from '#shared/domain/day.ts';
import { share } from '#shared/domain/money.ts';

/**
 * Revenue earned day by day. An invoice's taxable value is deferred when it is issued and earned over the days of its plan, each day
 * an equal share to the paisa (Ind AS 115, 35(a): the customer receives the service as it is performed; AS 9, 7.1: proportionate
 * completion). The parts always sum to the whole (product §6.13).
 */

/** An invoice as far as earning depends on it. `toDate` is the first day after the plan. */
export interface EarningInvoice {
  issuedOn: Day;
  fromDate: Day;
  toDate: Day;
  taxablePaise: number;
}

/** What changes the rest of the earning: a credit note on the invoice, or the early end of its plan. */
export type EarningChange = { kind: 'credit'; on: Day; id: string; taxablePaise: number } | { kind: 'end'; on: Day };

export interface Earning {
  /** Moved from deferred revenue to revenue, by day. */
  days: { on: Day; paise: number }[];
  /** How each credit note divides: first what is unearned, the rest takes back revenue. */
  credits: Map<string, { deferredPaise: number; revenuePaise: number }>;
  /** Still unearned after the last day. */
  deferredPaise: number;
}

/**
 * The earning of an invoice through a day. Days before the invoice was issued are earned on its day. A credit note takes back what is
 * unearned on its day, and only then revenue; what is left is spread over the remaining days. When the plan ends early, what no
 * credit note took back is earned at once: no service is owed for it any more.
 */
export function earningOf(invoice: EarningInvoice, changes: readonly EarningChange[], through: Day): Earning {
  const earning: Earning = { days: [], credits: new Map(), deferredPaise: 0 };
  if (invoice.issuedOn > through) return earning;
  let plan = { from: invoice.fromDate, paise: invoice.taxablePaise };
  const earn = (on: Day, paise: number): void => {
    const last = earning.days.at(-1);
    if (last?.on === on) last.paise += paise;
    else if (paise !== 0) earning.days.push({ on, paise });
  };
  /** Earns up to the end of a day, and defers the rest to the days after it. */
  const earnThrough = (day: Day): void => {
    const length = daysBetween(plan.from, invoice.toDate);
    let earned = 0;
    const last = day < invoice.toDate ? day : addDays(invoice.toDate, -1);
    for (let on = plan.from; on <= last; on = addDays(on, 1)) {
      const sum = share(plan.paise, daysBetween(plan.from, on) + 1, length);
      earn(laterDay(on, invoice.issuedOn), sum - earned);
      earned = sum;
    }
    plan = { from: laterDay(plan.from, addDays(last, 1)), paise: plan.paise - earned };
  };
  const inOrder = changes.filter(({ on }) => on <= through).toSorted((a, b) => order(a).localeCompare(order(b)));
  for (const change of inOrder) {
    earnThrough(change.on);
    if (change.kind === 'end') {
      earn(laterDay(change.on, invoice.issuedOn), plan.paise);
      plan.paise = 0;
      continue;
    }
    const deferredPaise = Math.min(plan.paise, change.taxablePaise);
    earning.credits.set(change.id, { deferredPaise, revenuePaise: change.taxablePaise - deferredPaise });
    plan.paise -= deferredPaise;
  }
  earnThrough(through);
  return { ...earning, deferredPaise: plan.paise };
}

/** By day; a refund on the day of the end comes before it. */
function order(change: EarningChange): string {
  return `${change.on} ${change.kind === 'credit' ? `1 ${change.id}` : '2'}`;
}
