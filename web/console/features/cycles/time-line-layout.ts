import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import { type CycleDates, grantsAccess, phaseOf, type StoredStatus } from '#shared/domain/cycle.ts';
import { type Day, earlierDay } from '#shared/domain/day.ts';
import { placeInLanes, timeAxis } from '#web/ui/coverage-track-layout.ts';
import { dayOfInstant } from '#web/ui/localized-days.ts';

type Cycle = OperatorReply<'listCycles'>['cycles'][number];
type Customer = OperatorReply<'readCustomer'>;
type Refund = OperatorReply<'listRefunds'>['refunds'][number];

interface Bar extends CycleDates {
  id: string;
  name: string;
  look: 'granted' | 'paid' | 'unpaid' | 'ended' | 'pack';
}

export type MarkKind = 'paid' | 'failed' | 'refund' | 'grant';

/** Something that happened on a day. */
export interface Mark {
  id: string;
  kind: MarkKind;
  left: number;
  on: Day;
  /** Rupees; null for a grant. */
  amount: number | null;
}

export interface TimeLineFacts {
  customer: Pick<Customer, 'activations' | 'payments' | 'actions' | 'blockedAt'>;
  cycles: readonly Cycle[];
  refunds: readonly Refund[];
}

/** The activations of a customer on one axis of time. */
export function timeLineLayout({ customer, cycles, refunds }: TimeLineFacts, today: Day) {
  const bars = new Map(cycles.map((cycle) => [cycle.id, barOf(cycle, today)]));
  const marks = marksOf({ customer, cycles, refunds });
  const blocks = blocksOf(customer, today);
  const axis = timeAxis(
    [
      ...[...bars.values()].flatMap(({ fromDate, toDate }) => [fromDate, toDate]),
      ...marks.map(({ on }) => on),
      ...blocks.map(({ fromDate }) => fromDate),
    ],
    today,
  );
  const rows = customer.activations.flatMap(({ id, productId }) => {
    const own = new Set(cycles.filter(({ activationId }) => activationId === id).map((cycle) => cycle.id));
    const placed = placeInLanes(
      [...bars.values()].filter((bar) => own.has(bar.id)),
      axis,
    );
    const shown = marks.filter(({ cycleId }) => own.has(cycleId));
    return own.size === 0
      ? []
      : [{ id, productId, ...placed, marks: shown.map((mark) => ({ ...mark, left: axis.percent(mark.on) })) }];
  });
  return { months: axis.months, today: axis.today, rows, blocks: placeInLanes(blocks, axis).segments };
}

const isStored = (status: string): status is StoredStatus => /^[A-Z_]+$/.test(status);

function barOf({ id, planName, status, granted, addsTo, endedAt, ...dates }: Cycle, today: Day): Bar {
  const { fromDate } = dates;
  // A plan that was ended gave access until then.
  const toDate = endedAt === null ? dates.toDate : earlierDay(dates.toDate, dayOfInstant(endedAt));
  const hasAccess = isStored(status) && grantsAccess(status) && phaseOf(dates, today) !== 'over';
  const look =
    addsTo !== null
      ? 'pack'
      : status === 'PAYMENT_PENDING'
        ? 'unpaid'
        : !hasAccess
          ? 'ended'
          : granted === null
            ? 'paid'
            : 'granted';
  return { id, name: planName, look, fromDate, toDate: toDate > fromDate ? toDate : dates.toDate };
}

function marksOf({ customer, cycles, refunds }: TimeLineFacts): (Omit<Mark, 'left'> & { cycleId: string })[] {
  return [
    ...customer.payments
      .filter(({ id, status }) => (status === 'captured' && !isPromise(id)) || status === 'failed')
      .map(({ id, cycleId, amount, status, createdAt }) => ({
        id,
        cycleId,
        amount,
        kind: status === 'failed' ? ('failed' as const) : ('paid' as const),
        on: dayOfInstant(createdAt),
      })),
    ...refunds.map(({ id, cycleId, amount, createdAt }) => ({
      id,
      cycleId,
      amount,
      kind: 'refund' as const,
      on: dayOfInstant(createdAt),
    })),
    ...cycles
      .filter(({ granted }) => granted !== null)
      .map(({ id, createdAt }) => ({
        id: `grant ${id}`,
        cycleId: id,
        amount: null,
        kind: 'grant' as const,
        on: dayOfInstant(createdAt),
      })),
  ];
}

/** The days of each block, of the audit log; the last one may still go on. */
function blocksOf({ actions, blockedAt }: TimeLineFacts['customer'], today: Day): (CycleDates & { id: string })[] {
  const ends = actions.filter(({ action }) => action === 'customers.unblock').map(({ at }) => at);
  const begins = actions.filter(({ action }) => action === 'customers.block').map(({ at }) => at);
  return [...new Set([...begins, ...(blockedAt === null || begins.length > 0 ? [] : [blockedAt])])].map((at) => {
    const end = ends.toSorted().find((each) => each > at);
    return { id: at, fromDate: dayOfInstant(at), toDate: end === undefined ? today : dayOfInstant(end) };
  });
}
