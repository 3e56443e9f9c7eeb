import { sql } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type CancelReason, cancelWithinMs } from '#shared/domain/e-invoice.ts';
import { rupees } from '#shared/domain/money.ts';
import { type OperatorCause, recordAction, requireAllowed } from '#server/audit-log/audit-log.ts';
import { EInvoiceRefusal, EInvoiceUnavailable } from '#server/e-invoice/e-invoices.ts';
import { happened } from '#server/features/events/events.ts';
import { isDayLocked } from '#server/features/period-locks/period-locks.ts';
import { type ProvenProfile, readProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import type { Owner } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { requireActiveBuyer } from './buyer-status.ts';
import { contentOf, overTotal, saleOf } from './content.ts';
import { issuedOf } from './finish.ts';
import { type Issuer, issueDocument, referenceTo } from './issue.ts';
import { type ExcessRefunds, replacementOf, type RequireNew } from './replace.ts';
import {
  type DocumentRow,
  lockActivationOf,
  selectDocumentByNumber,
  selectFollowers,
  selectSuppliedOn,
} from './store.ts';

/** The invoice portal takes no longer ones. */
const maxRemark = 100;

/** A registered invoice whose registration is cancelled, and which a new one replaces. */
export interface Cancellation {
  number: string;
  customerId: string;
  irn: string;
  totalPaise: number;
  before: { name: string; gstin: string | null };
  /** In the business details of today: the new invoice is to them. */
  buyer: { name: string; gstin: string | null };
  /** Tax that was added to the price and is no longer due. */
  refundPaise: number;
}

/** A registered invoice whose registration can still be cancelled. Throws OperatorRefusal. */
async function findCancellable(portal: Pick<Issuer, 'db' | 'clock'>, number: string) {
  const document = await selectDocumentByNumber(portal.db, number);
  if (!document) throw new OperatorRefusal(`There is no document ${number}.`, 'not_found');
  const registration = await portal.db
    .selectFrom('e_invoices')
    .selectAll()
    .where('document_id', '=', document.id)
    .executeTakeFirst();
  if (document.kind !== 'INVOICE' || !registration) throw new OperatorRefusal(`${number} is not a registered invoice.`);
  if (registration.cancelled_at)
    throw new OperatorRefusal(`${number} has already been cancelled.`, 'nothing_to_change');
  if (portal.clock() - registration.ack_at.getTime() > cancelWithinMs) {
    throw new OperatorRefusal(
      `${number} was registered more than 24 hours ago. Correct it with a credit note instead.`,
    );
  }
  return { document, irn: registration.irn };
}

/** The buyer in the business details of today, to whom a new invoice is. Throws OperatorRefusal. */
async function newBuyerOf({ number, customer_id: customerId }: DocumentRow, db: Db | Tx) {
  const profile = await readProvenProfile({ customerId }, db);
  if (!profile) throw new OperatorRefusal(`The buyer of ${number} is erased, so that no invoice can replace it.`);
  return profile;
}

async function requireNewBuyer(portal: Pick<Issuer, 'eInvoices' | 'log'>, profile: ProvenProfile, number: string) {
  return requireActiveBuyer(portal, profile).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new OperatorRefusal(
      `The GST portal says that ${profile.gstin ?? ''} is not active, so that no invoice to it can replace ${number}. Correct the business details first (octroi customers gstin).`,
    );
  });
}

/** What is asked before a transaction, as the GST portal may take long. */
async function prepare(portal: Issuer, number: string, cause: OperatorCause) {
  const { eInvoices } = portal;
  if (!eInvoices) throw new OperatorRefusal('E-invoicing is not set up.');
  const remark = cause.reason.trim();
  if (remark.length > maxRemark)
    throw new OperatorRefusal(
      `The invoice portal takes a reason of at most ${maxRemark} characters.`,
      'invalid_request',
    );
  const found = await findCancellable(portal, number);
  const profile = await newBuyerOf(found.document, portal.db);
  return { ...found, eInvoices, remark, asked: profile, buyer: await requireNewBuyer(portal, profile, number) };
}

/** The invoice that would replace a cancelled one. Throws OperatorRefusal when none may. */
async function replacementFor(
  portal: Issuer,
  tx: Tx,
  document: DocumentRow,
  asked: ProvenProfile,
  requireNew: RequireNew,
) {
  const { number } = document;
  if ((await selectFollowers(tx, document.id)).length > 0)
    throw new OperatorRefusal(`${number} has already been credited or replaced.`);
  if (await isDayLocked(tx, document.issued_on))
    throw new OperatorRefusal(`${number} is of ${document.issued_on}, and the books of that month are locked.`);
  const profile = await newBuyerOf(document, tx);
  if (profile.gstin !== asked.gstin)
    throw new OperatorRefusal(
      `The buyer of ${number} has just changed the GSTIN, and nothing was cancelled. Try again.`,
    );
  const wanted = contentOf(portal.settings, profile, saleOf(document.content), {
    suppliedOn: await selectSuppliedOn(tx, document),
    follows: issuedOf(document),
    reason: `Replaces ${number}, whose registration was cancelled`,
  });
  const due = await replacementOf(tx, document, wanted, requireNew);
  if (due === 'more-due')
    throw new OperatorRefusal(
      `${number} bears no tax, and with the buyer's present details more would be due than was paid. Refund the payment instead (octroi refund), and let the customer buy again.`,
    );
  return { content: overTotal(wanted, due.totalPaise), due };
}

const cancellationOf = (document: DocumentRow, irn: string, made: Awaited<ReturnType<typeof replacementFor>>) => {
  const { number, customer_id: customerId, total_paise: totalPaise } = document;
  const { name, gstin } = document.content.recipient;
  const { recipient } = made.content;
  const buyer = { name: recipient.name, gstin: recipient.gstin };
  return { number, customerId, irn, totalPaise, before: { name, gstin }, buyer, refundPaise: made.due.refundPaise };
};

/** What cancelling a registration would do. */
export async function previewCancellation(
  portal: Issuer,
  number: string,
  cause: OperatorCause,
  requireNew: RequireNew,
): Promise<Cancellation> {
  const { document, irn, asked } = await prepare(portal, number, cause);
  return transaction(portal.db, async (tx) =>
    cancellationOf(document, irn, await replacementFor(portal, tx, document, asked, requireNew)),
  );
}

/**
 * For the operator: cancels the registration of an invoice at the invoice portal, within its 24 hours, and issues the replacement to the
 * buyer in the current business profile. The reason of the cause is the remark there. Throws OperatorRefusal, also for what the invoice portal
 * refuses, and when it can't be reached.
 */
export async function cancelEInvoice(
  portal: Issuer,
  number: string,
  reason: CancelReason,
  cause: OperatorCause,
  refunds: ExcessRefunds,
): Promise<Cancellation & { replacedBy: string }> {
  const { document, irn, eInvoices, remark, asked, buyer } = await prepare(portal, number, cause);
  const owner: Owner = { customerId: document.customer_id };
  let isCancelledThere = false;
  return transaction(portal.db, async (tx) => {
    // Under the lock, so that the invoice can't be credited or corrected during the calls to the invoice portal, which may take long.
    await sql`set local idle_in_transaction_session_timeout = '90s'`.execute(tx);
    await lockActivationOf(tx, document.cycle_id);
    const made = await replacementFor(portal, tx, document, asked, refunds.requireNew);
    await requireAllowed(tx, made.due.refundPaise);
    // Only once, even when the transaction is retried.
    if (!isCancelledThere)
      await eInvoices
        .cancel({ irn, gstin: document.content.supplier.gstin }, reason, remark)
        .catch((error: unknown) => {
          if (error instanceof EInvoiceRefusal)
            throw new OperatorRefusal(`The invoice portal refused to cancel ${number}: ${error.message}`);
          if (error instanceof EInvoiceUnavailable)
            throw new OperatorRefusal(
              `The invoice portal can’t be reached now. ${number} may be cancelled there, and nothing has changed here: repeat this within 24 hours of its registration.`,
            );
          throw error;
        });
    isCancelledThere = true;
    await tx
      .updateTable('e_invoices')
      .set({ cancelled_at: new Date(portal.clock()), cancel_reason: `${reason}: ${remark}` })
      .where('document_id', '=', document.id)
      .where('cancelled_at', 'is', null)
      .execute();
    const { content, due } = made;
    const { refundPaise } = due;
    const replacement = await issueDocument(portal, owner, tx, {
      kind: 'INVOICE',
      cycleId: document.cycle_id,
      content,
      buyer,
      refersToId: document.id,
    });
    const effect = { irn, cancelReason: reason, replacedBy: replacement.number, refunded: rupees(refundPaise) };
    const { customerId } = owner;
    await recordAction(tx, {
      ...cause,
      action: 'e-invoices.cancel',
      target: number,
      customerId,
      effect,
      paise: refundPaise,
    });
    const cancelled = { id: document.id, ...referenceTo(document) };
    await happened(portal, owner, tx, { type: 'invoice.cancelled', cancelled, invoice: replacement, refundPaise });
    if (due.excess) await refunds.start(portal, owner, tx, { ...due.excess, document: null });
    return { ...cancellationOf(document, irn, made), replacedBy: replacement.number };
  });
}
