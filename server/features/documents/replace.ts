import { isDeepStrictEqual } from 'node:util';
import { transaction } from '#database/transaction.ts';
import { dayOf } from '#domain/day.ts';
import { type DocumentContent, lastCreditNoteDay } from '#domain/document.ts';
import { type CancelReason, cancelWithinMs } from '#domain/e-invoice.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import { readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import { isDayLocked } from '#server/features/period-locks/period-locks.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { amend } from './amend.ts';
import { contentOf, creditNoteOf, saleOf } from './content.ts';
import { type Issued, type Issuer, issueDocument, referenceTo } from './issue.ts';
import {
  countCorrections,
  lockActivationOf,
  selectAmendment,
  selectDocument,
  selectDocumentByNumber,
  selectFollowers,
  selectOwnDocument,
  selectSuppliedOn,
} from './store.ts';

/** How often the invoice of a cycle may be corrected; the database enforces it too. */
const maxCorrections = 3;

/**
 * Corrects the buyer's details of an invoice to those of the current business profile. Where only details change it is amended, once, with its
 * credit notes. Otherwise a credit note cancels the whole invoice, and a new invoice names the buyer. The issued invoice itself never changes,
 * and no money moves.
 */
export async function correctInvoice(
  portal: Portal,
  caller: Caller,
  documentId: string,
): Promise<{ invoice: Issued; creditNote: Issued | null }> {
  return transaction(portal.db, async (tx) => {
    const asked = await selectOwnDocument(caller, tx, documentId);
    if (!asked) throw refuse('not_found');
    if (asked.kind !== 'INVOICE') throw refuse('cannot_correct');
    await lockActivationOf(tx, asked.cycle_id);
    const found = { ...asked, content: (await selectAmendment(tx, asked.id))?.content ?? asked.content };
    const followers = await selectFollowers(tx, found.id);
    if (followers.some(({ kind }) => kind === 'INVOICE')) throw refuse('cannot_correct');
    const today = dayOf(portal.clock());
    if (today > lastCreditNoteDay(found.content.item.fromDate)) throw refuse('too_late_to_correct');
    const profile = await readProvenProfile(caller, tx);
    if (!profile) throw refuse('profile_incomplete');
    const reason = 'The buyer’s details were corrected';
    const wanted = contentOf(portal.settings, profile, saleOf(found.content), {
      suppliedOn: await selectSuppliedOn(tx, found),
      refersTo: referenceTo(found),
      reason,
    });
    if (isSameBuyer(wanted, found.content)) throw refuse('nothing_to_correct');
    if (await amend(portal, caller, tx, [found, ...followers], wanted)) {
      const invoice = { id: found.id, ...referenceTo(found) };
      await happened(portal, caller, tx, { type: 'invoice.amended', invoice });
      return { invoice, creditNote: null };
    }
    if (followers.length > 0) throw refuse('cannot_correct');
    if ((await countCorrections(tx, found.cycle_id)) >= maxCorrections) throw refuse('corrected_too_often');
    const { cycle_id: cycleId, id: refersToId } = found;
    const invoice = await issueDocument(portal, caller, tx, { kind: 'INVOICE', cycleId, content: wanted, refersToId });
    const creditNote = await issueDocument(portal, caller, tx, {
      kind: 'CREDIT_NOTE',
      cycleId: found.cycle_id,
      content: creditNoteOf(found.content, [], found.total_paise, referenceTo(found), reason, today),
      refersToId: found.id,
    });
    const replaced = referenceTo(found);
    await happened(portal, caller, tx, { type: 'invoice.corrected', replaced, creditNote, invoice });
    return { invoice, creditNote };
  });
}

function isSameBuyer(one: DocumentContent, other: DocumentContent): boolean {
  return isDeepStrictEqual(one.recipient, other.recipient) && one.supplyType === other.supplyType;
}

/** Why a registration cannot be cancelled; the message is for the operator. */
export class CannotCancel extends Error {}

/** The invoice portal takes no longer ones. */
const maxRemark = 100;

/** A registered invoice whose registration can still be cancelled. Throws CannotCancel. */
export async function readCancellable(portal: Pick<Issuer, 'db' | 'clock'>, number: string) {
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

/**
 * For the operator: cancels the registration of an invoice at the invoice portal, within its 24 hours, and issues the replacement to the
 * buyer in the current business profile. The reason of the cause is the remark there. Throws CannotCancel, and the errors of the invoice portal.
 */
export async function cancelEInvoice(
  portal: Issuer,
  number: string,
  reason: CancelReason,
  cause: OperatorCause,
): Promise<{ cancelled: string; replacedBy: string }> {
  const { eInvoices } = portal;
  if (!eInvoices) throw new CannotCancel('E-invoicing is not set up.');
  const remark = cause.reason.trim();
  if (remark.length > maxRemark)
    throw new CannotCancel(`The invoice portal takes a reason of at most ${maxRemark} characters.`);
  const { document, irn } = await readCancellable(portal, number);
  const caller: Caller = { customerId: document.customer_id };
  let isCancelledThere = false;
  return transaction(portal.db, async (tx) => {
    // Under the lock, so that the invoice can't be credited or corrected during the call to the invoice portal.
    await lockActivationOf(tx, document.cycle_id);
    if ((await selectFollowers(tx, document.id)).length > 0) {
      throw new CannotCancel(`${number} has already been credited or replaced.`);
    }
    if (await isDayLocked(tx, document.issued_on)) {
      throw new CannotCancel(`${number} is of ${document.issued_on}, and the books of that month are locked.`);
    }
    const profile = await readProvenProfile(caller, tx);
    const fresh = await selectDocument(tx, document.id);
    // Before the invoice portal hears of it: without business details nothing could replace the invoice.
    if (!profile || !fresh)
      throw new CannotCancel(`The buyer of ${number} is erased, so that no invoice can replace it.`);
    // Only once, even when the transaction is retried.
    if (!isCancelledThere) await eInvoices.cancel(irn, reason, remark);
    isCancelledThere = true;
    await tx
      .updateTable('e_invoices')
      .set({ cancelled_at: new Date(portal.clock()), cancel_reason: `${reason}: ${remark}` })
      .where('document_id', '=', document.id)
      .where('cancelled_at', 'is', null)
      .execute();
    const replacement = await issueDocument(portal, caller, tx, {
      kind: 'INVOICE',
      cycleId: document.cycle_id,
      content: contentOf(portal.settings, profile, saleOf(document.content), {
        suppliedOn: await selectSuppliedOn(tx, document),
        refersTo: referenceTo(document),
        reason: `Replaces ${number}, whose registration was cancelled`,
      }),
      refersToId: document.id,
    });
    const effect = { irn, cancelReason: reason, replacedBy: replacement.number };
    const { customerId } = caller;
    await recordAction(tx, { ...cause, action: 'e-invoices.cancel', target: number, customerId, effect });
    const cancelled = { id: document.id, ...referenceTo(document) };
    await happened(portal, caller, tx, { type: 'invoice.cancelled', cancelled, invoice: replacement });
    return { cancelled: number, replacedBy: replacement.number };
  });
}
