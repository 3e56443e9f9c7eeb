import type { Cycle } from '#shared/contract/cycles.ts';
import { isPayable, isUnpaid, nextStartDay, takenBy } from '#shared/domain/cycle.ts';
import { isStopped } from '#shared/domain/refused-calls.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { type Day, laterDay } from '#shared/domain/day.ts';
import { maxPeriods } from '#shared/domain/payment.ts';
import type { Purchase } from '#web/features/payments/purchase.ts';
import type { CoverageSegment } from '#web/ui/coverage-track-layout.ts';

/** An activation's cycles as Manage Subscriptions shows them (product §4). Ended ones are history. */
export interface OpenCycles {
  /** The Active Plan. */
  running: Cycle | undefined;
  /** Paid or free and still to come, and those that wait for a payment, in the order of their days. */
  upcoming: Cycle[];
  /** How many are running, to come or unpaid. */
  count: number;
  /** The first that can be paid now. */
  payable: Cycle | undefined;
  /** Those that one payment can pay for, when there are several. */
  payableTogether: Cycle[];
  /** The first whose payment is being confirmed. */
  confirming: Cycle | undefined;
  /** Those that are paid later and of which something is owed, ended ones too, the oldest bill first. */
  billed: Cycle[];
  /** 'Add Subscription' is offered only when no cycle is PAID (product §4.7). */
  canAdd: boolean;
  /** Where 'Prepay next' starts (product §4.7). */
  prepayFrom: Day;
  /** The first day that is no longer covered; undefined when today is not covered, or its calls are stopped as a bill is not paid. */
  coveredUntil: Day | undefined;
  /** Days that are covered, so that nothing else can start or run on them. */
  taken: Cycle[];
  segments: CoverageSegment[];
}

/** Sorts an activation's cycles out on a day. */
export function openCycles(cycles: readonly Cycle[], today: Day): OpenCycles {
  const granting = takenBy(cycles, today);
  const unpaid = cycles.filter(isUnpaid);
  const running = granting.find((cycle) => cycle.phase === 'running');
  const upcoming = [...granting.filter((cycle) => cycle.phase === 'upcoming'), ...unpaid].toSorted(byDays);
  const payable = upcoming.filter(isPayable);
  // A switch is paid alone (product §4.21).
  const periods = payable.filter((cycle) => cycle.replaces === null);
  return {
    running,
    upcoming,
    count: granting.length + unpaid.length,
    payable: (periods.length > 1 ? periods : payable)[0],
    payableTogether: periods.length > 1 ? periods.slice(0, maxPeriods) : [],
    confirming: upcoming.find((cycle) => cycle.status === 'PENDING'),
    billed: cycles.flatMap((cycle) => (cycle.bill === null ? [] : [{ ...cycle, bill: cycle.bill }])).toSorted(byBill),
    canAdd: granting.every((cycle) => cycle.status !== 'PAID'),
    // An unpaid cycle asks for its days already; a switch starts when it is paid and asks for none.
    prepayFrom: nextStartDay([...granting, ...unpaid.filter((cycle) => cycle.replaces === null)], today),
    coveredUntil: coveredUntil(granting.filter((cycle) => !isStopped(cycle)).toSorted(byDays), today),
    taken: granting,
    segments: [...granting, ...unpaid].map((cycle) => ({
      id: cycle.id,
      name: cycle.planName,
      fromDate: cycle.fromDate,
      toDate: cycle.toDate,
      kind: kindOf(cycle),
    })),
  };
}

/** What the page asks to be paid at once: all that can be together, else the first. */
export function paidAtOnce({ payable, payableTogether }: OpenCycles): readonly Cycle[] {
  if (payableTogether.length > 0) return payableTogether;
  return payable === undefined ? [] : [payable];
}

/** One payment for unpaid cycles of an activation. */
export function purchaseOf(activationId: string, cycles: readonly Cycle[]): Purchase {
  const cycleIds = cycles.map(({ id }) => id);
  const cycleId = cycleIds[0] ?? '';
  return cycleIds.length > 1 ? { cycleId, together: { activationId, cycleIds } } : { cycleId };
}

/** What they cost together. */
export function rupeesOf(cycles: readonly Cycle[]): number {
  return rupees(cycles.reduce((paise, cycle) => paise + toPaise(cycle.price), 0));
}

function kindOf(cycle: Cycle): CoverageSegment['kind'] {
  if (!grants(cycle) || isStopped(cycle)) return 'pending';
  if (cycle.phase === 'running') return 'active';
  return isPrepaid(cycle) ? 'prepaid' : 'pending';
}

function grants(cycle: Pick<Cycle, 'status'>): boolean {
  return cycle.status === 'PAID' || cycle.status === 'NO_PAYMENT_REQUIRED';
}

/** Paid for or free, and nothing of it is owed. */
export function isPrepaid(cycle: Pick<Cycle, 'status' | 'bill'>): boolean {
  return grants(cycle) && cycle.bill === null;
}

function byBill(a: { bill: { dueOn: Day } }, b: { bill: { dueOn: Day } }): number {
  return a.bill.dueOn.localeCompare(b.bill.dueOn);
}

function byDays(a: Cycle, b: Cycle): number {
  return a.fromDate.localeCompare(b.fromDate) || a.createdAt.localeCompare(b.createdAt);
}

/** Follows the cycles that join each other without a gap. */
function coveredUntil(granting: readonly Cycle[], today: Day): Day | undefined {
  const end = granting.reduce((day, cycle) => (cycle.fromDate <= day ? laterDay(day, cycle.toDate) : day), today);
  return end === today ? undefined : end;
}
