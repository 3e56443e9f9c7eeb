import type { Renewal as ShownRenewal } from '#shared/contract/renewals.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { isLiveDebit, nextDebitDay, renewsStill, whyNotRenewed } from '#shared/domain/mandate.ts';
import { rupees } from '#shared/domain/money.ts';
import {
  type DebitRow,
  endMandate,
  type MandateRow,
  selectDebitsOf,
  selectMandates,
  updateSkipped,
} from '#server/features/mandates/mandates.ts';
import { lockActivation, requireActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { readRenewalFacts } from './facts.ts';

export { renewDue } from './renew-due.ts';

/** Whether and when an activation renews by itself, in what the page needs to say so. */
export async function readRenewal(portal: Portal, owner: Owner, activationId: string): Promise<ShownRenewal> {
  const { db } = portal;
  const activation = await requireActivation(owner, db, activationId);
  const [mandate] = await selectMandates(owner, db, activationId);
  if (!mandate) return { mandate: null, next: null, whyNot: null, debits: [] };
  const debits = await selectDebitsOf(owner, db, activationId);
  const shown = { mandate: describeMandate(mandate), debits: debits.map(describeDebit) };
  if (mandate.state === 'ENDED') return { ...shown, next: null, whyNot: 'off' };
  const { facts, next } = await readRenewalFacts(portal, owner, db, activation, portal.catalog);
  const whyNot = whyNotRenewed(facts) ?? null;
  return {
    ...shown,
    next:
      next && facts.last && (whyNot === null || whyNot === 'skipped')
        ? {
            ...next.dates,
            amount: rupees(next.pricePaise),
            debitOn: nextDebitDay(facts.last.toDate, dayOf(portal.clock())),
            isUnderWay: facts.debits.some(isLiveDebit),
          }
        : null,
    whyNot,
  };
}

function describeMandate(mandate: MandateRow) {
  return {
    id: mandate.id,
    planName: mandate.plan_name,
    ceiling: rupees(mandate.ceiling_paise),
    pinEachTime: mandate.pin_each_time,
    lastDay: addDays(mandate.expires_on, -1),
    state: mandate.state,
    agreedOn: dayOf(mandate.asked_at.getTime()),
    endedBy: mandate.ended_by,
    isCancelled: mandate.token_over_at !== null,
  };
}

function describeDebit(debit: DebitRow) {
  return {
    orderId: debit.order_id,
    cycleId: debit.cycle_id,
    attempt: debit.attempt,
    amount: rupees(debit.amount_paise),
    state: debit.state,
    reason: debit.reason,
    askedOn: dayOf(debit.asked_at.getTime()),
    paymentId: debit.payment_id,
  };
}

/** Skips the next debit, or takes that back. */
export async function skipRenewal(
  portal: Portal,
  owner: Owner,
  activationId: string,
  isSkipped: boolean,
): Promise<ShownRenewal> {
  await transaction(portal.db, async (tx) => {
    const activation = await lockActivation(owner, tx, activationId);
    if (!activation) throw refuse('not_found');
    const { mandate, facts } = await readRenewalFacts(portal, owner, tx, activation, portal.catalog);
    if (!mandate || !facts.last || !renewsStill(mandate.state)) throw refuse('not_renewing');
    if (facts.debits.some(isLiveDebit)) throw refuse('payment_under_way');
    await updateSkipped(tx, mandate, isSkipped ? facts.last.toDate : null);
  });
  return readRenewal(portal, owner, activationId);
}

/** Nothing is debited from now on. */
export async function endRenewal(portal: Portal, owner: Owner, activationId: string): Promise<ShownRenewal> {
  await endMandate(portal, owner, activationId);
  return readRenewal(portal, owner, activationId);
}
