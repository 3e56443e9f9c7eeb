import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { totalOfReplacement } from '#shared/domain/advance.ts';
import { dayOf } from '#shared/domain/day.ts';
import { type DocumentContent, lastCreditNoteDay } from '#shared/domain/document.ts';
import { type CancelReason, cancelWithinMs } from '#shared/domain/e-invoice.ts';
import { rupees } from '#shared/domain/money.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import { type ProvenProfile, readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import { isDayLocked } from '#server/features/period-locks/period-locks.ts';
import { Refusal, refuse } from '#server/refusals/refuse.ts';
import type { Owner } from '#server/portal.ts';
import { amend } from './amend.ts';
import { askAboutBuyer, type BuyerStatus, requireActive, requireActiveBuyer } from './buyer-status.ts';
import { contentOf, creditNoteOf, overTotal, saleOf } from './content.ts';
import { issuedOf } from './finish.ts';
import { type Issued, type Issuer, issueDocument, referenceTo } from './issue.ts';
import {
  countCorrections,
  type DocumentRow,
  lockActivationOf,
  selectAmendment,
  selectDocumentByNumber,
  selectFollowers,
  selectOwnDocument,
  selectPaid,
  selectSold,
  selectSuppliedOn,
} from './store.ts';
import { selectRefusal } from './waiting.ts';

/** How often the invoice of a cycle may be corrected; the database enforces it too. */
const maxCorrections = 3;

/** Tax to refund after an invoice is replaced. */
export interface Excess {
  cycleId: string;
  paymentId: string;
  currency: string;
  amountPaise: number;
  /** The credit note to the replaced invoice; null when that invoice was cancelled and needs none. */
  document: Issued | null;
}

/** Refunds an excess in the transaction of the replacement. Given by `refunds`, which documents don't know. */
export type RefundExcess = (portal: Issuer, owner: Owner, tx: Tx, excess: Excess) => Promise<void>;

/** What a correction has issued: without a credit note the invoice was amended, and keeps its number. */
export interface Correction {
  invoice: Issued;
  creditNote: Issued | null;
  refundPaise: number;
}

/**
 * Corrects the buyer's details of an invoice to those of the current business profile. Where only details change it is amended, once, with its
 * credit notes. Otherwise a credit note cancels the whole invoice, and a new invoice names the buyer. The issued invoice itself never changes.
 * Money moves only where tax was added to the price and is no longer due: it is refunded.
 */
export async function correctInvoice(
  portal: Issuer,
  owner: Owner,
  documentId: string,
  refundExcess: RefundExcess,
  /** What else is written in its transaction. */
  alongside?: (tx: Tx, correction: Correction) => Promise<void>,
): Promise<Correction> {
  for (;;) {
    const status = await askAboutBuyer(portal, await readProvenProfile(owner, portal.db));
    const done = await transaction(portal.db, async (tx) => {
      const correction = await correctWithin(portal, owner, tx, documentId, status, refundExcess);
      if (correction !== 'other-buyer') await alongside?.(tx, correction);
      return correction;
    });
    if (done !== 'other-buyer') return done;
  }
}

/** `other-buyer`: the business details have another GSTIN than the one that was asked about, and nothing was done. */
async function correctWithin(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  documentId: string,
  status: BuyerStatus,
  refundExcess: RefundExcess,
): Promise<Correction | 'other-buyer'> {
  const asked = await selectOwnDocument(owner, tx, documentId);
  if (!asked) throw refuse('not_found');
  if (asked.kind !== 'INVOICE') throw refuse('cannot_correct');
  await lockActivationOf(tx, asked.cycle_id);
  const found = { ...asked, content: (await selectAmendment(tx, asked.id))?.content ?? asked.content };
  const followers = await selectFollowers(tx, found.id);
  if (followers.some(({ kind }) => kind === 'INVOICE')) throw refuse('cannot_correct');
  const today = dayOf(portal.clock());
  const end = portal.settings.lastNoteDay;
  if (today > lastCreditNoteDay(found.content.item.fromDate, end)) throw refuse('too_late_to_correct');
  const profile = await readProvenProfile(owner, tx);
  if (!profile) throw refuse('profile_incomplete');
  if (profile.gstin !== status.gstin) return 'other-buyer';
  const reason = 'The buyer’s details were corrected';
  const wanted = contentOf(portal.settings, profile, saleOf(found.content), {
    suppliedOn: await selectSuppliedOn(tx, found),
    follows: issuedOf(found),
    reason,
  });
  if (isSameBuyer(wanted, found.content)) throw refuse('nothing_to_correct');
  if (await amend(portal, owner, tx, [found, ...followers], wanted, () => requireActive(status))) {
    const invoice = { id: found.id, ...referenceTo(found) };
    await happened(portal, owner, tx, { type: 'invoice.amended', invoice });
    return { invoice, creditNote: null, refundPaise: 0 };
  }
  // One that the invoice portal refused is no tax invoice, so that it is issued again even after a part of it was credited, over the rest.
  const leftPaise = found.total_paise - followers.reduce((sum, note) => sum + note.total_paise, 0);
  const isStuck = leftPaise > 0 && (await selectRefusal(portal, found.id)) !== undefined;
  if (followers.length > 0 && !isStuck) throw refuse('cannot_correct');
  if ((await countCorrections(tx, found.cycle_id)) >= maxCorrections) throw refuse('corrected_too_often');
  const { cycle_id: cycleId, id: refersToId } = found;
  const due = await replacementOf(tx, found, overTotal(wanted, leftPaise));
  if (due === 'more-due') throw refuse('correction_needs_payment');
  const content = overTotal(wanted, due.totalPaise);
  const buyer = requireActive(status);
  const invoice = await issueDocument(portal, owner, tx, { kind: 'INVOICE', cycleId, content, buyer, refersToId });
  const credited = followers.map((note) => note.content);
  const creditNote = await issueDocument(portal, owner, tx, {
    kind: 'CREDIT_NOTE',
    cycleId: found.cycle_id,
    content: creditNoteOf(found.content, credited, leftPaise, referenceTo(found), reason, { today, end }),
    refersToId: found.id,
  });
  const { refundPaise } = due;
  const replaced = referenceTo(found);
  await happened(portal, owner, tx, { type: 'invoice.corrected', replaced, creditNote, invoice, refundPaise });
  if (due.excess) await refundExcess(portal, owner, tx, { ...due.excess, document: creditNote });
  return { invoice, creditNote, refundPaise };
}

/**
 * What the invoice that replaces another one is over, and what of the payment is then over. `more-due`: tax would be due that was never paid.
 */
async function replacementOf(tx: Tx, replaced: DocumentRow, wanted: DocumentContent) {
  const { cycle_id: cycleId, payment_id: paymentId, content } = replaced;
  const { plan } = await selectSold(tx, cycleId);
  const { currency, paidPaise } = await selectPaid(tx, cycleId);
  const { totalPaise: heldPaise } = wanted.split;
  const totalPaise = totalOfReplacement({
    plan,
    paidPaise,
    heldPaise,
    gstRateBasisPoints: content.gstRateBasisPoints,
    wasZeroRated: content.tax === 'NONE',
    zeroRated: wanted.tax === 'NONE',
  });
  if (totalPaise === undefined) return 'more-due';
  const refundPaise = heldPaise - totalPaise;
  if (refundPaise === 0) return { totalPaise, refundPaise, excess: undefined };
  return { totalPaise, refundPaise, excess: { cycleId, paymentId, currency, amountPaise: refundPaise } };
}

function isSameBuyer(one: DocumentContent, other: DocumentContent): boolean {
  return isDeepStrictEqual(one.recipient, other.recipient) && one.supplyType === other.supplyType;
}

/** Why a registration cannot be cancelled; the message is for the operator. */
export class CannotCancel extends Error {}

/** The invoice portal takes no longer ones. */
const maxRemark = 100;

/** A registered invoice whose registration can still be cancelled. Throws CannotCancel. */
async function findCancellable(portal: Pick<Issuer, 'db' | 'clock'>, number: string) {
  const document = await selectDocumentByNumber(portal.db, number);
  if (!document) throw new CannotCancel(`There is no document ${number}.`);
  const registration = await portal.db
    .selectFrom('e_invoices')
    .selectAll()
    .where('document_id', '=', document.id)
    .executeTakeFirst();
  if (document.kind !== 'INVOICE' || !registration) throw new CannotCancel(`${number} is not a registered invoice.`);
  if (registration.cancelled_at) throw new CannotCancel(`${number} has already been cancelled.`);
  if (portal.clock() - registration.ack_at.getTime() > cancelWithinMs) {
    throw new CannotCancel(`${number} was registered more than 24 hours ago. Correct it with a credit note instead.`);
  }
  return { document, irn: registration.irn };
}

/** The buyer in the business details of today, to whom a new invoice is. Throws CannotCancel. */
async function newBuyerOf({ number, customer_id: customerId }: DocumentRow, db: Db | Tx) {
  const profile = await readProvenProfile({ customerId }, db);
  if (!profile) throw new CannotCancel(`The buyer of ${number} is erased, so that no invoice can replace it.`);
  return profile;
}

/** The same with its new buyer, for the operator to see before. Throws CannotCancel. */
export async function readCancellable(portal: Pick<Issuer, 'db' | 'clock' | 'eInvoices' | 'log'>, number: string) {
  const found = await findCancellable(portal, number);
  const profile = await newBuyerOf(found.document, portal.db);
  const { legalName: name, gstin } = profile;
  return { ...found, profile, buyer: { name, gstin }, mayInvoice: await requireNewBuyer(portal, profile, number) };
}

async function requireNewBuyer(portal: Pick<Issuer, 'eInvoices' | 'log'>, profile: ProvenProfile, number: string) {
  return requireActiveBuyer(portal, profile).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new CannotCancel(
      `The GST portal says that ${profile.gstin ?? ''} is not active, so that no invoice to it can replace ${number}. Correct the business details first (octroi customers gstin).`,
    );
  });
}

/**
 * For the operator: cancels the registration of an invoice at the invoice portal, within its 24 hours, and issues the replacement to the
 * buyer in the current business profile. The reason of the cause is the remark there. Throws CannotCancel, and the errors of the invoice portal.
 */
export async function cancelEInvoice(
  portal: Issuer,
  number: string,
  reason: CancelReason,
  cause: OperatorCause,
  refundExcess: RefundExcess,
): Promise<{ cancelled: string; replacedBy: string; refundPaise: number }> {
  const { eInvoices } = portal;
  if (!eInvoices) throw new CannotCancel('E-invoicing is not set up.');
  const remark = cause.reason.trim();
  if (remark.length > maxRemark)
    throw new CannotCancel(`The invoice portal takes a reason of at most ${maxRemark} characters.`);
  const { document, irn, profile: asked, mayInvoice: buyer } = await readCancellable(portal, number);
  const owner: Owner = { customerId: document.customer_id };
  let isCancelledThere = false;
  return transaction(portal.db, async (tx) => {
    // Under the lock, so that the invoice can't be credited or corrected during the calls to the invoice portal, which may take long.
    await sql`set local idle_in_transaction_session_timeout = '90s'`.execute(tx);
    await lockActivationOf(tx, document.cycle_id);
    if ((await selectFollowers(tx, document.id)).length > 0) {
      throw new CannotCancel(`${number} has already been credited or replaced.`);
    }
    if (await isDayLocked(tx, document.issued_on)) {
      throw new CannotCancel(`${number} is of ${document.issued_on}, and the books of that month are locked.`);
    }
    const profile = await newBuyerOf(document, tx);
    if (profile.gstin !== asked.gstin)
      throw new CannotCancel(
        `The buyer of ${number} has just changed the GSTIN, and nothing was cancelled. Try again.`,
      );
    const wanted = contentOf(portal.settings, profile, saleOf(document.content), {
      suppliedOn: await selectSuppliedOn(tx, document),
      follows: issuedOf(document),
      reason: `Replaces ${number}, whose registration was cancelled`,
    });
    const due = await replacementOf(tx, document, wanted);
    if (due === 'more-due')
      throw new CannotCancel(
        `${number} bears no tax, and with the buyer's present details more would be due than was paid. Refund the payment instead (octroi refund), and let the customer buy again.`,
      );
    // Only once, even when the transaction is retried.
    if (!isCancelledThere) await eInvoices.cancel({ irn, gstin: document.content.supplier.gstin }, reason, remark);
    isCancelledThere = true;
    await tx
      .updateTable('e_invoices')
      .set({ cancelled_at: new Date(portal.clock()), cancel_reason: `${reason}: ${remark}` })
      .where('document_id', '=', document.id)
      .where('cancelled_at', 'is', null)
      .execute();
    const replacement = await issueDocument(portal, owner, tx, {
      kind: 'INVOICE',
      cycleId: document.cycle_id,
      content: overTotal(wanted, due.totalPaise),
      buyer,
      refersToId: document.id,
    });
    const { refundPaise } = due;
    const effect = { irn, cancelReason: reason, replacedBy: replacement.number, refunded: rupees(refundPaise) };
    const { customerId } = owner;
    await recordAction(tx, { ...cause, action: 'e-invoices.cancel', target: number, customerId, effect });
    const cancelled = { id: document.id, ...referenceTo(document) };
    await happened(portal, owner, tx, { type: 'invoice.cancelled', cancelled, invoice: replacement, refundPaise });
    if (due.excess) await refundExcess(portal, owner, tx, { ...due.excess, document: null });
    return { cancelled: number, replacedBy: replacement.number, refundPaise };
  });
}
