import type { Db, Tx } from '#shared/database/connect.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { RefundPayout } from '#shared/domain/refund-payout.ts';
import { announceUnpaid } from '#server/features/credit/credit.ts';
import { happened } from '#server/features/events/events.ts';
import { heldLess, settleProved } from '#server/features/payments/payments.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import {
  choosePayout,
  leftOfCycle,
  requireNotRefundedElsewhere,
  selectRefundsOfPayment,
  startRefund,
} from '#server/features/refunds/refunds.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import type { OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { selectClaim, updateClaim } from './store.ts';

type Claim = NonNullable<Awaited<ReturnType<typeof selectClaim>>>;

export const noSuchClaim = (id: string): OperatorRefusal =>
  new OperatorRefusal(`There is no claim ${id}. List them with: octroi tds list --status ALL`, 'not_found');

async function findClaim(db: Db | Tx, id: string): Promise<Claim> {
  const claim = await selectClaim(db, id);
  if (!claim) throw noSuchClaim(id);
  return claim;
}

/** Throws unless a claim still waits for a decision. */
async function findWaiting(db: Db | Tx, claimId: string): Promise<Claim> {
  const claim = await findClaim(db, claimId);
  if (claim.status !== 'WAITING')
    throw new OperatorRefusal(`${claim.id} is ${claim.status.toLowerCase()} already.`, 'nothing_to_change');
  return claim;
}

/** The part that an acceptance and a refusal share: the claim, locked with its activation, which still waits. */
function decide<Result>(
  operator: Issuer,
  claimId: string,
  work: (operator: Issuer, change: AccessChange, claim: Claim) => Promise<Result>,
): Promise<Result> {
  const decided = changeAccess(operator, async (change) => {
    const { tx } = change;
    const { customer_id: customerId, activation_id: activationId } = await findClaim(tx, claimId);
    await lockActivation({ customerId }, tx, activationId, true);
    const claim = await findWaiting(tx, claimId);
    // The clock of the portal that took the claim may be ahead of this one; nothing of the decision is older than the claim.
    const nowMs = Math.max(operator.clock(), claim.declared_at.getTime());
    return work({ ...operator, clock: () => nowMs }, change, claim);
  });
  return decided.then(({ result }) => result);
}

const factsOf = (claim: Claim) => ({
  claimId: claim.id,
  cycleId: claim.cycle_id,
  invoice: claim.number,
  quarter: claim.quarter,
  amountPaise: claim.amount_paise,
});

/**
 * What an accepted claim refunds, or the refund of it that Razorpay paid before a restore brought the claim back, or what was withheld from the bank
 * transfer, so that only what was reversed of it is paid out, and Razorpay has not paid yet. Throws OperatorRefusal when it
 * would take all that is left of a plan that goes on, or when as much was refunded at Razorpay.
 */
async function refundDue(
  db: Db | Tx,
  { amount_paise: amountPaise, cycle_id: cycleId, cycle_status: status }: Claim,
  { reason }: OperatorCause,
) {
  const { leftPaise, ...payment } = await leftOfCycle(db, cycleId);
  const refunds = await selectRefundsOfPayment(db, payment.paymentId);
  const ofTax = refunds.filter(({ origin, cycle_id: id }) => origin === 'TDS' && id === cycleId);
  const withheld = ofTax.find(({ payout }) => payout === 'WITHHELD');
  const found = withheld ?? ofTax[0];
  const adopted = withheld ? ofTax.filter((each) => each !== withheld) : [];
  // What never came, and was reversed with a refund, is paid out once it is proved.
  const reversedPaise = refunds
    .filter((each) => each.cycle_id === cycleId)
    .reduce((sum, each) => sum + each.withheld_paise, 0);
  const duePaise = adopted.reduce((left, each) => left - each.amount_paise, reversedPaise);
  const takesAll = (paise: number) => status === 'PAID' && paise >= leftPaise;
  const refusal = () =>
    new OperatorRefusal(
      `Only ${formatRupees(leftPaise)} of this payment is left, as it was refunded otherwise. Refund the rest too (octroi refund) and accept the claim then, or refuse it with this reason.`,
    );
  if (found?.amount_paise === amountPaise) {
    if (duePaise < 0)
      throw new OperatorRefusal(
        `Razorpay has refunded ${formatRupees(reversedPaise - duePaise)} of the tax that was withheld from this payment (${adopted.map((each) => each.foreign_id).join(', ')}), and of its price less went back. Refund that first (octroi refund), and accept the claim then.`,
      );
    if (duePaise === 0) return { found, paid: adopted[0] };
    if (takesAll(duePaise)) throw refusal();
    const others = refunds.filter((each) => !adopted.includes(each));
    requireNotRefundedElsewhere(others, { cycleId, amountPaise: duePaise, reason });
    return { found, due: { ...payment, cycleId, amountPaise: duePaise } };
  }
  if (found?.payout === 'WITHHELD')
    throw new OperatorRefusal(
      `${formatRupees(found.amount_paise)} were withheld from the bank transfer that paid this, and the claim is over ${formatRupees(amountPaise)}. Refuse it with this reason.`,
    );
  if (found)
    throw new OperatorRefusal(
      `Razorpay has refunded ${formatRupees(found.amount_paise)} for tax deducted from this payment already (${found.foreign_id}), so nothing was done. Refuse the claim with this reason.`,
    );
  if (takesAll(amountPaise)) throw refusal();
  requireNotRefundedElsewhere(refunds, { cycleId, amountPaise, reason });
  return { due: { ...payment, cycleId, amountPaise } };
}

/** What accepting a claim pays out, and who pays it. */
interface PaidOut {
  payout: RefundPayout;
  refundPaise: number;
  /** So much of it only lowers what is due of a bill that is paid later. */
  offsetPaise: number;
  /** The held transfer that pays the bill by it. */
  settles: string | null;
}

/** Nothing is paid out for tax that was withheld from a bank transfer. */
const paidOutOf = ({
  payout,
  ...row
}: {
  payout: RefundPayout;
  amount_paise: number;
  offset_paise: number;
}): Omit<PaidOut, 'settles'> => ({
  payout,
  refundPaise: payout === 'WITHHELD' ? 0 : row.amount_paise - row.offset_paise,
  offsetPaise: row.offset_paise,
});

/** What accepting a claim would pay out; throws OperatorRefusal when it can't be accepted. */
export async function previewAcceptance(
  { db, clock }: OperatorSource,
  claimId: string,
  cause: OperatorCause,
): Promise<PaidOut> {
  const claim = await findWaiting(db, claimId);
  const held = await heldLess(db, claim.cycle_id, claim.amount_paise);
  if (held) return { payout: 'WITHHELD', refundPaise: 0, offsetPaise: 0, settles: held.paymentId };
  const settles = null;
  const { found, due, paid = found } = await refundDue(db, claim, cause);
  if (due) {
    const { payout, offsetPaise } = await choosePayout(db, due, new Date(clock()));
    return { ...paidOutOf({ payout, amount_paise: due.amountPaise, offset_paise: offsetPaise }), settles };
  }
  return { ...(paid ? paidOutOf(paid) : { payout: 'WITHHELD', refundPaise: 0, offsetPaise: 0 }), settles };
}

/**
 * Accepts a claim: its amount is refunded, and receivable from the Government. The value of the supply stays, so there is no credit note, and
 * the plan goes on (product §6.27). Of a plan that has ended any part of the price may be refunded already: what the provider has no more is
 * transferred.
 */
export function acceptTds(context: Issuer, claimId: string, cause: OperatorCause): Promise<PaidOut> {
  return decide(context, claimId, async (operator, change, claim) => {
    const { tx } = change;
    const owner = { customerId: claim.customer_id };
    const held = await heldLess(tx, claim.cycle_id, claim.amount_paise);
    const settles = held && (await settleProved(operator, change, held, cause)) ? held.paymentId : null;
    // A bill that is lowered to nothing stops no plan any more.
    await announceUnpaid(owner, change);
    const { found, due, paid } = await refundDue(tx, claim, cause);
    const about = { origin: 'TDS', claimId, reason: 'Tax deducted at source (TDS)', from: 'CYCLE' } as const;
    const started = due && (await startRefund(operator, owner, tx, { ...due, ...about }));
    const refund = found ?? started;
    if (refund === undefined) throw new Error(`claim ${claimId} has no refund`);
    const decided_at = new Date(operator.clock());
    await updateClaim(tx, claimId, { status: 'ACCEPTED', decided_at, reason: null, refund_id: refund.id });
    const paidOut = started ?? paid ?? refund;
    const { payout, payment_id: paymentId } = paidOut;
    const { offsetPaise } = paidOutOf(paidOut);
    const refundPaise = payout === 'WITHHELD' ? paidOut.amount_paise : paidOutOf(paidOut).refundPaise;
    const refunded = {
      ...(refundPaise !== claim.amount_paise && { refundPaise }),
      ...(offsetPaise > 0 && { offsetPaise }),
    };
    await happened(operator, owner, tx, { type: 'tds.accepted', ...factsOf(claim), paymentId, payout, ...refunded });
    await record(tx, 'tds.accept', claim, cause, { refundId: refund.id });
    return { ...paidOutOf(paidOut), settles };
  });
}

/** The reason as the customer reads it. */
function reasonOf(cause: OperatorCause): string {
  const reason = cause.reason.trim().replaceAll(/\s+/g, ' ');
  if (reason === '' || reason.length > 500)
    throw new OperatorRefusal('Give the customer a reason of at most 500 characters.', 'invalid_request');
  return reason;
}

/** Throws OperatorRefusal when a claim can't be refused for this reason. */
export async function requireRefusable(db: Db, claimId: string, cause: OperatorCause): Promise<void> {
  reasonOf(cause);
  await findWaiting(db, claimId);
}

/** Refuses a claim; the customer reads the reason and can declare again. */
export async function refuseTds(context: Issuer, claimId: string, cause: OperatorCause): Promise<void> {
  const reason = reasonOf(cause);
  return decide(context, claimId, async (operator, { tx }, claim) => {
    await updateClaim(tx, claimId, {
      status: 'REFUSED',
      decided_at: new Date(operator.clock()),
      reason,
      refund_id: null,
    });
    const owner = { customerId: claim.customer_id };
    await happened(operator, owner, tx, { type: 'tds.refused', ...factsOf(claim), reason });
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
  const effect = { amountPaise, invoice, ...more };
  return recordAction(tx, { ...cause, action, target, customerId, effect, paise: amountPaise });
}
