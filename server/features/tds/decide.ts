import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { TdsStatus } from '#shared/domain/tds.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { leftOfCycle, startRefund } from '#server/features/refunds/refunds.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { selectClaim, updateClaim } from './store.ts';

type Claim = NonNullable<Awaited<ReturnType<typeof selectClaim>>>;

/** Throws unless a claim still waits for a decision. */
export function requireWaiting({ id, status }: { id: string; status: TdsStatus }): void {
  if (status !== 'WAITING') throw new OperatorRefusal(`${id} is ${status.toLowerCase()} already.`);
}

/** The part that an acceptance and a refusal share: the claim, locked with its activation, which still waits. */
function decide(
  operator: Issuer,
  claimId: string,
  work: (operator: Issuer, tx: Tx, claim: Claim) => Promise<void>,
): Promise<Claim> {
  return transaction(operator.db, async (tx) => {
    const found = await selectClaim(tx, claimId);
    if (!found) throw new OperatorRefusal(`There is no claim ${claimId}. List them with: octroi tds list`);
    await lockActivation({ customerId: found.customer_id }, tx, found.activation_id, true);
    const claim = (await selectClaim(tx, claimId)) ?? found;
    requireWaiting(claim);
    // The clock of the portal that took the claim may be ahead of this one; nothing of the decision is older than the claim.
    const nowMs = Math.max(operator.clock(), claim.declared_at.getTime());
    await work({ ...operator, clock: () => nowMs }, tx, claim);
    return claim;
  });
}

const factsOf = (claim: Claim) => ({
  claimId: claim.id,
  cycleId: claim.cycle_id,
  invoice: claim.number,
  quarter: claim.quarter,
  amountPaise: claim.amount_paise,
});

/**
 * Accepts a claim: its amount is refunded, and receivable from the Government. The value of the supply stays, so there is no credit note, and
 * the plan goes on (product §6.27). Of a plan that has ended any part of the price may be refunded already: what the provider has no more is
 * transferred.
 */
export function acceptTds(context: Issuer, claimId: string, cause: OperatorCause): Promise<Claim> {
  return decide(context, claimId, async (operator, tx, claim) => {
    const caller = { customerId: claim.customer_id };
    const { amount_paise: amountPaise, cycle_id: cycleId } = claim;
    const { leftPaise, paymentId, currency } = await leftOfCycle(tx, cycleId);
    if (claim.cycle_status === 'PAID' && amountPaise >= leftPaise) {
      throw new OperatorRefusal(
        `Only ${formatRupees(leftPaise)} of this payment is left, as it was refunded otherwise. Refund the rest too (octroi refund) and accept the claim then, or refuse it with this reason.`,
      );
    }
    const due = { paymentId, cycleId, amountPaise, currency, reason: 'Tax deducted at source (TDS)' };
    const refund = await startRefund(operator, caller, tx, { ...due, origin: 'TDS', claimId, from: 'CYCLE' });
    const decided_at = new Date(operator.clock());
    await updateClaim(tx, claimId, { status: 'ACCEPTED', decided_at, reason: null, refund_id: refund.id });
    const { payout } = refund;
    await happened(operator, caller, tx, { type: 'tds.accepted', ...factsOf(claim), paymentId, payout });
    await record(tx, 'tds.accept', claim, cause, { refundId: refund.id });
  });
}

/** Refuses a claim; the customer reads the reason and can declare again. */
export async function refuseTds(context: Issuer, claimId: string, cause: OperatorCause): Promise<Claim> {
  const reason = cause.reason.trim().replaceAll(/\s+/g, ' ');
  if (reason === '' || reason.length > 500)
    throw new OperatorRefusal('Give the customer a reason of at most 500 characters.');
  return decide(context, claimId, async (operator, tx, claim) => {
    const decided_at = new Date(operator.clock());
    await updateClaim(tx, claimId, { status: 'REFUSED', decided_at, reason, refund_id: null });
    const caller = { customerId: claim.customer_id };
    await happened(operator, caller, tx, { type: 'tds.refused', ...factsOf(claim), reason });
    await record(tx, 'tds.refuse', claim, { ...cause, reason });
  });
}

function record(
  tx: Tx,
  action: 'tds.accept' | 'tds.refuse',
  claim: Claim,
  cause: OperatorCause,
  more: { refundId?: string } = {},
): Promise<void> {
  const { id: target, customer_id: customerId, amount_paise: amountPaise, number: invoice } = claim;
  return recordAction(tx, { ...cause, action, target, customerId, effect: { amountPaise, invoice, ...more } });
}
