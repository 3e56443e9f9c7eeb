import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { PayLinkBill } from '#shared/contract/pay-links.ts';
import {
  createOrderOfPeriods,
  isBlocked,
  payByTransfer,
  selectCyclesToPay,
  verifyPayment,
} from '#server/features/payments/payments.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { endLinks, openPayLink, type OpenedLink, payLinkPathOf, selectLinksEnded } from './link.ts';
import { sendPapers } from './papers.ts';
import { type PayLinkState, stateOfLink } from './state.ts';

export { payLinkPathOf } from './link.ts';

/** A link by which anybody can pay for unpaid cycles of the owner; `endsEarlier`: the ones so far end. */
export async function makePayLink(
  portal: Portal,
  owner: Owner,
  activationId: string,
  { cycleIds, endsEarlier }: { cycleIds: readonly string[]; endsEarlier: boolean },
): Promise<{ url: string }> {
  return transaction(portal.db, async (tx) => {
    const cycles = await selectCyclesToPay(owner, tx, activationId, cycleIds);
    if (!cycles) throw refuse('not_found');
    if (cycles.some(({ status }) => status !== 'PAYMENT_PENDING')) throw refuse('nothing_to_pay');
    if (endsEarlier) await endLinks(tx, activationId);
    const path = await payLinkPathOf(
      tx,
      activationId,
      cycles.map(({ id }) => id),
    );
    return { url: portal.settings.portalUrl + path };
  });
}

/** What whoever holds a link sees. */
export async function readPayLink(
  portal: Portal,
  text: string,
): Promise<{ state: PayLinkState; bill: PayLinkBill | null }> {
  const link = await openPayLink(portal.db, text);
  return transaction(portal.db, (tx) => stateOfLink(portal, tx, link));
}

/** The same order as the customer's own. */
export async function orderByPayLink(portal: Portal, text: string) {
  const link = await openPayLink(portal.db, text);
  const { owner, activationId, cycleIds } = link;
  const standing = (tx: Tx) => requireStanding(tx, link);
  const { orderId, amount, currency } = await createOrderOfPeriods(portal, owner, activationId, { cycleIds, standing });
  return { orderId, amount, currency };
}

/** The same account number, for the same order. The TAN is the customer's matter. */
export async function transferByPayLink(portal: Portal, text: string) {
  const link = await openPayLink(portal.db, text);
  const { owner, activationId, cycleIds } = link;
  const asked = await payByTransfer(portal, owner, activationId, cycleIds, (tx) => requireStanding(tx, link));
  const { amount, account, declared, deductions } = asked;
  const less = deductions.find(({ percent }) => percent === declared?.percent) ?? null;
  return { amount, account, less };
}

/** A payment is what it is, also when its link has ended meanwhile. */
export async function verifyByPayLink(
  portal: Portal,
  text: string,
  { email, ...report }: { paymentId: string; orderId: string; signature: string; email: string | null },
) {
  const { owner } = await openPayLink(portal.db, text);
  const { status } = await verifyPayment(portal, owner, report);
  // The checkout's signature has shown that the holder made this payment.
  if (status === 'success' && email !== null) await sendPapers(portal, owner, report.paymentId, email);
  return { status };
}

/** Requires the activation's lock, under which links are ended. */
async function requireStanding(tx: Tx, { owner, activationId, number }: OpenedLink): Promise<void> {
  if (number !== (await selectLinksEnded(tx, activationId))) throw refuse('link_expired');
  if (await isBlocked(tx, owner.customerId)) throw refuse('account_blocked');
}
