import type { Ending } from '#shared/contract/cycles.ts';
import type { RenewalEffect } from '#shared/contract/renewal-effect.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import {
  type CycleEnd,
  type EndCause,
  type EndedOne,
  type EndingCycle,
  endOf,
  offsetOfEnd,
  refundOfEnd,
  transferOfEnd,
  withheldOfEnd,
} from '#shared/domain/cycle-end.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { announceUnpaid } from '#server/features/credit/credit.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import {
  endMandateWithPlan,
  renewalEffect,
  selectLiveMandate,
  tellSkipWithCycle,
} from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refundExcessTax, startRefund } from '#server/features/refunds/refunds.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type CycleWithPacks, type EndableCycle, selectCycle, selectPaymentOfCycle } from './store.ts';
import { returnUnusedUnits } from './unused-units.ts';

/** The only place where cycles end before their last day. How they do is in `shared/domain/cycle-end.ts`. */

/** A stored cycle, as `shared/domain/cycle-end.ts` knows it. */
export const endingOf = (row: EndableCycle): EndingCycle => ({
  id: row.id,
  planName: row.plan.name,
  status: row.status,
  fromDate: row.from_date,
  toDate: row.to_date,
  isPack: row.adds_to !== null,
  paidPaise: row.price_paise,
  givenBackPaise: row.given_back_paise,
  deductedPaise: row.deducted_paise,
  unprovedPaise: row.unproved_paise,
  reversedPaise: row.reversed_paise,
  excessTaxPaise: row.excess_tax_paise,
  capturedOn: row.captured_at && dayOf(row.captured_at.getTime()),
  isOwnTransfer: Boolean(row.is_own_transfer),
  duePaise: row.owed_paise,
  units: { sold: row.monthly_quota, taken: row.units_taken },
  maxDays: row.plan.maxDays,
  isRefunding: row.plan.onDeactivate === 'refund-unused',
});

/** The effect of ending a cycle today. */
export function previewEnd(
  cycle: EndableCycle & Pick<CycleWithPacks, 'packs'>,
  today: Day,
  cause: EndCause = 'deactivated',
): CycleEnd | undefined {
  const packs = cycle.packs.map(({ row, isUntouched }) => ({ cycle: endingOf(row), isUntouched }));
  return endOf(endingOf(cycle), packs, cause, today);
}

/** The preview as the contract shows it. Throws not_found or cannot_deactivate. */
export async function readEnding(portal: Portal, owner: Owner, activationId: string, cycleId: string): Promise<Ending> {
  await returnUnusedUnits(portal.db, owner, activationId);
  const cycle = await selectCycle(owner, portal.db, activationId, cycleId);
  if (!cycle) throw refuse('not_found');
  const ended = previewEnd(cycle, dayOf(portal.clock()));
  if (!ended) throw refuse('cannot_deactivate');
  return describeEnding(ended, await renewalEffect(owner, portal.db, activationId, [cycle], portal.clock()));
}

/** Ends a cycle at once: deactivates a running one, refunds an upcoming one, removes an unpaid one (product §4.12). */
export async function endCycle(
  portal: Portal,
  owner: Owner,
  activationId: string,
  cycleId: string,
): Promise<Ending & { effectiveBy: string | null }> {
  await returnUnusedUnits(portal.db, owner, activationId);
  const { result, effectiveBy } = await changeAccess(portal, async (change) => {
    const { tx } = change;
    const activation = await lockActivation(owner, tx, activationId);
    const cycle = activation && (await selectCycle(owner, tx, activationId, cycleId));
    if (!cycle) throw refuse('not_found');
    const effect = await renewalEffect(owner, tx, activationId, [cycle], portal.clock());
    const ended = await endForCause(portal, owner, change, cycle, 'deactivated');
    if (!ended) throw refuse('cannot_deactivate');
    return describeEnding(ended, effect);
  });
  return { ...result, effectiveBy };
}

/** Ends every cycle of an activation that is being deleted (product §4.3). Requires the activation's lock. */
export async function endCyclesOf(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  cycles: readonly (EndableCycle & CycleWithPacks)[],
): Promise<void> {
  for (const cycle of cycles) {
    if (await endWithPacks(portal, owner, change, cycle, 'deactivated')) continue;
    // Its plan ended on its date, and the round that removes unpaid packs has not run yet.
    const unpaid = cycle.packs.filter(({ row }) => row.status === 'PAYMENT_PENDING');
    for (const { row } of unpaid) await endForCause(portal, owner, change, row, 'deactivated');
  }
}

/** What ends with a cycle today, without ending it. */
export async function readEnd(
  owner: Owner,
  db: Db | Tx,
  cycle: Pick<EndableCycle, 'id' | 'activation_id'>,
  cause: EndCause,
  today: Day,
): Promise<CycleEnd | undefined> {
  const row = await selectCycle(owner, db, cycle.activation_id, cycle.id);
  return row && previewEnd(row, today, cause);
}

/**
 * Ends a cycle with its packs: access, refunds with their documents, and what customers hear; and the mandate, when no plan goes on. Undefined when it
 * has ended already. Requires the activation's lock.
 */
export async function endForCause(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  cycle: Pick<EndableCycle, 'id' | 'activation_id' | 'status'>,
  cause: EndCause,
  now = new Date(portal.clock()),
): Promise<CycleEnd | undefined> {
  const { tx } = change;
  const mandate = await selectLiveMandate(owner, tx, cycle.activation_id);
  const end = await endWithPacks(portal, owner, change, cycle, cause, now);
  // Another plan follows one that is replaced.
  if (end && cause !== 'replaced') {
    await tellSkipWithCycle(portal, tx, mandate, now);
    await endMandateWithPlan(portal, owner, tx, cycle.activation_id, now);
  }
  return end;
}

async function endWithPacks(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  cycle: Pick<EndableCycle, 'id' | 'activation_id' | 'status'>,
  cause: EndCause,
  now = new Date(portal.clock()),
): Promise<CycleEnd | undefined> {
  // A cycle that started today may not be invoiced yet.
  if (cycle.status === 'PAID' && cause !== 'refunded') await refundExcessTax(portal, owner, change.tx, cycle.id);
  const end = await readEnd(owner, change.tx, cycle, cause, dayOf(now.getTime()));
  if (!end) return undefined;
  const { activation_id: activationId } = cycle;
  await writeEnd(portal, owner, change, activationId, end, now);
  for (const pack of end.packs) await writeEnd(portal, owner, change, activationId, pack, now);
  return end;
}

async function writeEnd(
  portal: Issuer,
  owner: Owner,
  change: AccessChange,
  activationId: string,
  end: EndedOne & Partial<Pick<CycleEnd, 'event'>>,
  now: Date,
): Promise<void> {
  const { id, status, refundPaise: amountPaise, reason, ofReplaced = false, event } = end;
  // A bill that is lowered to nothing stops no plan any more.
  await announceUnpaid(owner, change);
  await updateCycleEnded(owner, change, { id, activation_id: activationId }, status, now);
  if (event) await happened(portal, owner, change.tx, event);
  if (amountPaise === 0 || reason === undefined) return;
  const payment = await selectPaymentOfCycle(owner, change.tx, id);
  if (!payment) throw new Error(`cycle ${id} has money to refund but no payment`);
  const { provider_payment_id: paymentId, currency } = payment;
  const refund = { paymentId, cycleId: id, amountPaise, currency, reason };
  await startRefund(portal, owner, change.tx, { ...refund, origin: 'PORTAL', ofReplaced, from: 'CYCLE' });
}

async function updateCycleEnded(
  owner: Owner,
  change: AccessChange,
  cycle: { id: string; activation_id: string },
  status: 'DEACTIVATED' | 'REMOVED' | 'REFUNDED',
  now: Date,
): Promise<void> {
  const { tx } = change;
  change.announce(cycle.activation_id);
  await tx
    .updateTable('cycles')
    .set({ status, ended_at: now })
    .where('id', '=', cycle.id)
    .where('activation_id', '=', cycle.activation_id)
    .where('customer_id', '=', owner.customerId)
    .execute();
  // The order's checkout may still be open: such a payment is refunded when it arrives.
  await tx
    .updateTable('payment_orders')
    .set({ status: 'CLOSED' })
    .where('id', 'in', (of) => of.selectFrom('order_cycles').select('order_id').where('cycle_id', '=', cycle.id))
    .where('customer_id', '=', owner.customerId)
    .where('status', 'in', ['CREATING', 'OPEN'])
    .execute();
}

function describeEnding(ended: CycleEnd, effect: RenewalEffect): Ending {
  return {
    kind: ended.kind,
    unusedDays: ended.unusedDays,
    unusedAmount: rupees(ended.unusedPaise),
    refundAmount: rupees(refundOfEnd(ended)),
    transferAmount: rupees(transferOfEnd(ended)),
    offsetAmount: rupees(offsetOfEnd(ended)),
    withheldAmount: rupees(withheldOfEnd(ended)),
    ...effect,
  };
}
