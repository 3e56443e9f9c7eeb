import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { PayLinkBill, PayLinkState } from '#shared/contract/pay-links.ts';
import { readProfile } from '#server/features/account/account.ts';
import { isConsentOpen } from '#server/features/mandates/mandates.ts';
import {
  createOrderOfPeriods,
  isBlocked,
  payByTransfer,
  selectCyclesToPay,
  selectNamedCycles,
  verifyPayment,
} from '#server/features/payments/payments.ts';
import { takeLinkTurn } from '#server/http/call-turns.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { hasOpenBill } from './bill-link.ts';
import { endLinks, isEndedByErasure, openPayLink, type OpenedLink, payLinkPathOf, selectLinksEnded } from './link.ts';
import { sendPapers } from './papers.ts';
import { stateOfLink, isDebitedNext } from './state.ts';

export { payLinkPathOf } from './link.ts';

/** A link by which anybody can pay for unpaid cycles of the owner, or one bill; `endsEarlier`: the ones so far end. */
export async function makePayLink(
  portal: Portal,
  owner: Owner,
  activationId: string,
  { cycleIds, endsEarlier }: { cycleIds: readonly string[]; endsEarlier: boolean },
): Promise<{ url: string }> {
  return transaction(portal.db, async (tx) => {
    const cycles = await selectCyclesToPay(owner, tx, activationId, cycleIds);
    if (!cycles) throw refuse('not_found');
    const isBill = cycles.length === 1 && (await hasOpenBill(tx, cycleIds));
    if (!isBill && cycles.some(({ status }) => status !== 'PAYMENT_PENDING')) throw refuse('nothing_to_pay');
    // It would be a link that nobody can pay by.
    if (!(await readProfile(owner, tx))) throw refuse('profile_incomplete');
    if (endsEarlier) await endLinks(tx, activationId);
    const path = await payLinkPathOf(
      tx,
      activationId,
      cycles.map(({ id }) => id),
    );
    return { url: portal.settings.portalUrl + path };
  });
}

/**
 * What whoever holds a genuine link asks for. In a turn, so that the holders of one customer's links can't take every connection to the database.
 */
async function byLink<Result>(
  portal: Portal,
  text: string,
  work: (link: OpenedLink) => Promise<Result>,
): Promise<Result> {
  const link = await openPayLink(portal.db, text);
  return takeLinkTurn(portal, link.owner, () => work(link));
}

/** What whoever holds a link sees. It waits for nobody who changes what the link is for. */
export function readPayLink(portal: Portal, text: string): Promise<{ state: PayLinkState; bill: PayLinkBill | null }> {
  return byLink(portal, text, (link) =>
    portal.db
      .transaction()
      .setAccessMode('read only')
      .execute((tx) => stateOfLink(portal, tx, link)),
  );
}

/** The same order as the customer's own. */
export function orderByPayLink(portal: Portal, text: string) {
  return byLink(portal, text, async (link) => {
    const { owner, activationId, cycleIds } = link;
    await requireLive(portal.db, link);
    const standing = (tx: Tx) => requireStanding(portal, tx, link);
    const ordered = await createOrderOfPeriods(portal, owner, activationId, { cycleIds, standing });
    return { orderId: ordered.orderId, amount: ordered.amount, currency: ordered.currency };
  });
}

/** The same account number, for the same order. The TAN is the customer's matter. */
export function transferByPayLink(portal: Portal, text: string) {
  return byLink(portal, text, async (link) => {
    const { owner, activationId, cycleIds } = link;
    await requireLive(portal.db, link);
    const standing = async (tx: Tx) => {
      await requireStanding(portal, tx, link);
      // A bill is never debited.
      if (await hasOpenBill(tx, cycleIds)) return;
      const [first, ...others] = (await selectNamedCycles(owner, tx, activationId, cycleIds)) ?? [];
      if (first && (await isDebitedNext(portal, owner, tx, [first, ...others]))) throw refuse('not_found');
    };
    const asked = await payByTransfer(portal, owner, activationId, cycleIds, standing);
    const { amount, account, declared, deductions } = asked;
    const less = deductions.find(({ percent }) => percent === declared?.percent) ?? null;
    return { amount, account, less };
  });
}

/** A payment is what it is, also when its link has ended meanwhile. */
export function verifyByPayLink(
  portal: Portal,
  text: string,
  { email, ...report }: { paymentId: string; orderId: string; signature: string; email: string | null },
) {
  return byLink(portal, text, async ({ owner }) => {
    const { status } = await verifyPayment(portal, owner, report);
    // The checkout's signature has shown that the holder made this payment.
    if (status === 'success' && email !== null) await sendPapers(portal, owner, report.paymentId, email);
    return { status };
  });
}

/** Before anything that tells about its customer, such as that the GSTIN is not active. */
async function requireLive(db: Db | Tx, { owner, activationId, cycleIds, number }: OpenedLink): Promise<void> {
  if (await isEndedByErasure(db, owner)) throw refuse('link_expired');
  if (!(await selectNamedCycles(owner, db, activationId, cycleIds))) throw refuse('not_found');
  if (number !== (await selectLinksEnded(db, activationId))) throw refuse('link_expired');
}

/** Requires the activation's lock, under which links are ended. */
async function requireStanding(portal: Portal, tx: Tx, link: OpenedLink): Promise<void> {
  await requireLive(tx, link);
  // Whoever owes may pay, and gets nothing new for it.
  if (!(await hasOpenBill(tx, link.cycleIds)) && (await isBlocked(tx, link.owner.customerId)))
    throw refuse('account_blocked');
  // Who only pays doesn't take the place of a consent that the customer is giving.
  if (await isConsentOpen(portal, tx, link.cycleIds)) throw refuse('payment_under_way');
}
