import type { Ending } from '#contract/cycles.ts';
import { type AccessChange, changeAccess } from '#database/access.ts';
import type { Db, Tx } from '#database/connect.ts';
import { grantsAccess, phaseOf, unusedOf } from '#domain/cycle.ts';
import { type Day, dayOf } from '#domain/day.ts';
import { rupees } from '#domain/money.ts';
import { leftAtProvider, leftOf, type PaidBack, payoutOf, refundOfUnused } from '#domain/refund-payout.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { refundExcessTax, startRefund } from '#server/features/refunds/refunds.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import {
  type CycleRow,
  type CycleWithPacks,
  type EndableCycle,
  type EndablePack,
  selectCycle,
  selectPaymentOfCycle,
  updateCycleEnded,
} from './store.ts';
import { returnUnusedUnits } from './unused-units.ts';

/** The effect of ending a cycle on a day, in days and paise (product §4.12). Undefined when it has already ended. */
export interface Ended {
  kind: Ending['kind'];
  unusedDays: number;
  unusedPaise: number;
  refundPaise: number;
  /** What of it is paid by bank transfer, as the provider can't send it back the way it was paid. */
  transferPaise: number;
  /** Its packs, and what of each is refunded. */
  packs: EndedPack[];
}

interface EndedPack {
  row: EndableCycle;
  refundPaise: number;
  transferPaise: number;
}

/** The effect of ending a cycle today. `refundPaise` is the cycle's own; its packs come with it. */
export function previewEnd(cycle: EndableCycle & Pick<CycleWithPacks, 'packs'>, today: Day): Ended | undefined {
  const ended = endOfOne(cycle, today);
  const isRefunding = cycle.plan.onDeactivate === 'refund-unused';
  return (
    ended && {
      ...ended,
      transferPaise: transferOf(cycle, ended.refundPaise, today),
      packs: cycle.packs.map((pack) => endOfPack(pack, isRefunding, today)),
    }
  );
}

export const paidBackOf = (cycle: EndableCycle): PaidBack => ({
  paidPaise: cycle.price_paise,
  givenBackPaise: cycle.given_back_paise,
  deductedPaise: cycle.deducted_paise,
});

/** What of a refund that is started today is paid by bank transfer. */
function transferOf(cycle: EndableCycle, amountPaise: number, today: Day): number {
  if (amountPaise === 0 || cycle.captured_at === null) return 0;
  const capturedOn = dayOf(cycle.captured_at.getTime());
  const payout = payoutOf({ amountPaise, leftPaise: leftAtProvider(paidBackOf(cycle)), capturedOn, today });
  return payout === 'TRANSFER' ? amountPaise : 0;
}

/** A pack is refunded whole, if no unit of it was taken and the plan's rule refunds what was not used; otherwise not at all. */
function endOfPack({ row, isUntouched }: EndablePack, isRefunding: boolean, today: Day): EndedPack {
  const refundPaise = isUntouched && isRefunding ? leftOf(paidBackOf(row)) : 0;
  return { row, refundPaise, transferPaise: transferOf(row, refundPaise, today) };
}

/** What is refunded when a cycle ends, with its packs. */
export function refundOfEnd({ refundPaise, packs }: Ended): number {
  return packs.reduce((sum, pack) => sum + pack.refundPaise, refundPaise);
}

/** How much of that is paid by bank transfer. */
export function transferOfEnd({ transferPaise, packs }: Ended): number {
  return packs.reduce((sum, pack) => sum + pack.transferPaise, transferPaise);
}

function endOfOne(cycle: EndableCycle, today: Day): Omit<Ended, 'packs' | 'transferPaise'> | undefined {
  const dates = { fromDate: cycle.from_date, toDate: cycle.to_date };
  if (cycle.status === 'PAYMENT_PENDING') return { kind: 'remove', unusedDays: 0, unusedPaise: 0, refundPaise: 0 };
  const phase = phaseOf(dates, today);
  // Money that was refunded already, through the portal or at the provider, is not refunded again.
  const leftPaise = leftOf(paidBackOf(cycle));
  // A paid pack ends only with its cycle.
  if (!grantsAccess(cycle.status) || phase === 'over' || cycle.adds_to !== null) return undefined;
  if (phase === 'upcoming') {
    const days = cycle.plan.maxDays;
    return { kind: 'cancel', unusedDays: days, unusedPaise: leftPaise, refundPaise: leftPaise };
  }
  const units = { sold: cycle.monthly_quota, taken: cycle.units_taken };
  const unused = unusedOf(dates, units, cycle.price_paise - cycle.excess_tax_paise, today);
  const unusedPaise = Math.min(unused.paise, leftPaise);
  const refundPaise = cycle.plan.onDeactivate === 'refund-unused' ? refundOfUnused(unusedPaise) : 0;
  return { kind: 'deactivate', unusedDays: unused.days, unusedPaise, refundPaise };
}

/** The preview as the contract shows it. Throws not_found or cannot_deactivate. */
export async function readEnding(
  portal: Portal,
  caller: Caller,
  activationId: string,
  cycleId: string,
): Promise<Ending> {
  await returnUnusedUnits(portal.db, caller, activationId);
  const cycle = await selectCycle(caller, portal.db, activationId, cycleId);
  if (!cycle) throw refuse('not_found');
  const ended = previewEnd(cycle, dayOf(portal.clock()));
  if (!ended) throw refuse('cannot_deactivate');
  return describeEnding(ended);
}

/** Ends a cycle at once: deactivates a running one, refunds an upcoming one, removes an unpaid one (product §4.12). */
export async function endCycle(
  portal: Portal,
  caller: Caller,
  activationId: string,
  cycleId: string,
): Promise<Ending & { effectiveBy: string | null }> {
  await returnUnusedUnits(portal.db, caller, activationId);
  const { result, effectiveBy } = await changeAccess(portal, async (change) => {
    const { tx } = change;
    const activation = await lockActivation(caller, tx, activationId);
    const cycle = activation && (await selectCycle(caller, tx, activationId, cycleId));
    if (!cycle) throw refuse('not_found');
    const ended = await endOne(portal, caller, change, cycle);
    if (!ended) throw refuse('cannot_deactivate');
    return describeEnding(ended);
  });
  return { ...result, effectiveBy };
}

/** Ends every cycle of an activation that is being deleted (product §4.3). Requires the activation's lock. */
export async function endCyclesOf(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  cycles: readonly (EndableCycle & CycleWithPacks)[],
): Promise<void> {
  for (const cycle of cycles) {
    if (await endOne(portal, caller, change, cycle)) continue;
    // Its plan ended on its date, and the round that removes unpaid packs has not run yet.
    const unpaid = cycle.packs.filter(({ row }) => row.status === 'PAYMENT_PENDING');
    const packs = unpaid.map(({ row }) => ({ row, refundPaise: 0 }));
    await endPacks(portal, caller, change, packs, new Date(portal.clock()));
  }
}

/** Ends the running plan that another one replaces (product §4.21). Requires the activation's lock. */
export async function endReplaced(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  cycle: EndableCycle & CycleWithPacks,
  now: Date,
): Promise<void> {
  await endOne(portal, caller, change, cycle, { reason: 'replaced', now: now.getTime() });
}

/** Ends a granted plan that the provider takes back (product §4.25). Requires the activation's lock. */
export async function endGranted(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  cycle: EndableCycle & CycleWithPacks,
): Promise<void> {
  await endOne(portal, caller, change, cycle);
}

async function endOne(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  before: EndableCycle & CycleWithPacks,
  { reason, now }: { reason: 'deactivated' | 'replaced'; now: number } = {
    reason: 'deactivated',
    now: portal.clock(),
  },
): Promise<Ended | undefined> {
  const { tx } = change;
  // A cycle that started today may not be invoiced yet.
  const excessPaise = before.status === 'PAID' ? await refundExcessTax(portal, caller, tx, before.id) : 0;
  const cycle = {
    ...before,
    given_back_paise: before.given_back_paise + excessPaise,
    excess_tax_paise: before.excess_tax_paise + excessPaise,
  };
  const ended = previewEnd(cycle, dayOf(now));
  if (!ended) return undefined;
  const payment = ended.refundPaise > 0 ? await selectPaymentOfCycle(caller, tx, cycle.id) : undefined;
  if (ended.refundPaise > 0 && !payment) throw new Error(`cycle ${cycle.id} has money to refund but no payment`);
  const status = {
    remove: 'REMOVED',
    deactivate: 'DEACTIVATED',
    cancel: payment ? 'REFUNDED' : 'DEACTIVATED',
  } as const;
  await updateCycleEnded(caller, change, cycle, status[ended.kind], new Date(now));
  await announceEnd(portal, caller, tx, cycle.id, ended, reason);
  if (payment) {
    await startRefund(portal, caller, tx, {
      paymentId: payment.provider_payment_id,
      cycleId: cycle.id,
      amountPaise: ended.refundPaise,
      currency: payment.currency,
      reason: ended.kind === 'cancel' ? 'Cancelled before it started' : `Unused days of a ${reason} plan`,
      origin: 'PORTAL',
      from: 'CYCLE',
    });
  }
  await endPacks(portal, caller, change, ended.packs, new Date(now));
  return ended;
}

/** Ends the packs of a cycle that has ended. Requires the activation's lock. */
async function endPacks(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  packs: readonly Pick<EndedPack, 'row' | 'refundPaise'>[],
  now: Date,
): Promise<void> {
  for (const { row, refundPaise } of packs) {
    const isUnpaid = row.status === 'PAYMENT_PENDING';
    const payment = refundPaise > 0 ? await selectPaymentOfCycle(caller, change.tx, row.id) : undefined;
    await updateCycleEnded(caller, change, row, isUnpaid ? 'REMOVED' : payment ? 'REFUNDED' : 'DEACTIVATED', now);
    if (!payment) continue;
    await startRefund(portal, caller, change.tx, {
      paymentId: payment.provider_payment_id,
      cycleId: row.id,
      amountPaise: refundPaise,
      currency: payment.currency,
      reason: 'Unused pack of a plan that ended',
      origin: 'PORTAL',
      from: 'CYCLE',
    });
  }
}

/** The packs of a cycle whose whole price is refunded today, and what of each is refunded with it. */
export async function packsOfRefunded(caller: Caller, db: Db | Tx, cycle: CycleRow, today: Day): Promise<EndedPack[]> {
  const before = await selectCycle(caller, db, cycle.activation_id, cycle.id);
  const isRefunding = cycle.plan.onDeactivate === 'refund-unused';
  return before?.packs.map((pack) => endOfPack(pack, isRefunding, today)) ?? [];
}

/** Ends a cycle whose whole price was refunded at the payment provider (product §6.6). Requires the activation's lock. */
export async function endRefundedCycle(
  portal: Issuer,
  caller: Caller,
  change: AccessChange,
  cycle: CycleRow,
): Promise<void> {
  const now = portal.clock();
  const packs = await packsOfRefunded(caller, change.tx, cycle, dayOf(now));
  await updateCycleEnded(caller, change, cycle, 'REFUNDED', new Date(now));
  await endPacks(portal, caller, change, packs, new Date(now));
  // A pack gave no access of its own.
  if (cycle.adds_to !== null) return;
  const phase = phaseOf({ fromDate: cycle.from_date, toDate: cycle.to_date }, dayOf(now));
  const cycleId = cycle.id;
  if (phase === 'running') {
    await happened(portal, caller, change.tx, { type: 'cycle.ended', cycleId, reason: 'refunded' });
  } else if (phase === 'upcoming') {
    await happened(portal, caller, change.tx, { type: 'cycle.cancelled', cycleId, refundPaise: cycle.price_paise });
  }
}

/** Announces the end. Not for an unpaid cycle that is removed: it never gave access. */
async function announceEnd(
  portal: Issuer,
  caller: Caller,
  tx: Tx,
  cycleId: string,
  ended: Ended,
  reason: 'deactivated' | 'replaced',
): Promise<void> {
  if (ended.kind === 'deactivate') {
    await happened(portal, caller, tx, { type: 'cycle.ended', cycleId, reason });
  } else if (ended.kind === 'cancel') {
    await happened(portal, caller, tx, { type: 'cycle.cancelled', cycleId, refundPaise: ended.refundPaise });
  }
}

function describeEnding(ended: Ended): Ending {
  return {
    kind: ended.kind,
    unusedDays: ended.unusedDays,
    unusedAmount: rupees(ended.unusedPaise),
    refundAmount: rupees(refundOfEnd(ended)),
    transferAmount: rupees(transferOfEnd(ended)),
  };
}
