import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { lastCreditNoteDay, type Recipient } from '#shared/domain/document.ts';
import { maskedGstin } from '#shared/domain/masked-gstin.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { profileFaults, readProfile, storeGstin } from '#server/features/account/account.ts';
import { askAboutBuyer, type Correction } from '#server/features/documents/documents.ts';
import { correctInvoice, previewCorrection } from '#server/features/refunds/refunds.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A customer's corrected GSTIN, and the invoices that name another one. */
type GstinChange = OperatorReply<'changeGstin'>;

/** The customer's business details with another GSTIN. Throws OperatorRefusal when they are faulty then. */
async function withGstin({ settings }: OperatorContext, db: Db | Tx, customerId: string, gstin: string | null) {
  const owner = { customerId: customerId.trim() };
  const profile = await readProfile(owner, db);
  if (!profile) {
    const isKnown = await db.selectFrom('customers').select('id').where('id', '=', owner.customerId).executeTakeFirst();
    if (!isKnown) throw noSuchCustomer(customerId);
    throw new OperatorRefusal(`${owner.customerId} has no business details.`);
  }
  if (profile.gstin === gstin)
    throw new OperatorRefusal(`The business details of ${owner.customerId} say so already.`, 'nothing_to_change');
  // Whether a GSTIN is of an SEZ decides the tax; the GST portal is asked when the customer saves it.
  if (profile.sez === true)
    throw new OperatorRefusal(
      'The customer claims to be in a Special Economic Zone, and has to save the GSTIN itself.',
    );
  const changed = { ...profile, gstin };
  const [fault] = profileFaults(changed, settings.supplierGstin);
  if (fault)
    throw new OperatorRefusal(
      `${fault.message} (${fault.pointer.slice(1)}). The customer can change all details together.`,
    );
  return { owner, before: profile, changed };
}

const masked = (gstin: string | null) => gstin && maskedGstin(gstin);

/** Throws OperatorRefusal when the GST portal says that invoices can't name the GSTIN. */
async function requireActiveGstin(context: OperatorContext, gstin: string | null): Promise<void> {
  const { refusal } = await askAboutBuyer(context, { gstin });
  if (refusal === undefined) return;
  throw new OperatorRefusal(
    refusal === 'gstin_unknown'
      ? `The GST portal does not know ${gstin ?? ''}.`
      : `The GST portal says that ${gstin ?? ''} is cancelled or suspended.`,
  );
}

/** What a corrected GSTIN would concern. */
export async function previewGstin(
  context: OperatorContext,
  customerId: string,
  gstin: string | null,
): Promise<GstinChange> {
  const { owner, before } = await withGstin(context, context.db, customerId, gstin);
  await requireActiveGstin(context, gstin);
  return {
    ...owner,
    legalName: before.legalName,
    before: before.gstin,
    gstin,
    invoices: await otherInvoices(context, context.db, owner.customerId, gstin),
  };
}

/**
 * Corrects the GSTIN in a customer's business details. Documents from now on name it; those that were issued stay as they are until each is
 * corrected, because a correction may be an amendment or a credit note (product §6.8).
 */
export async function changeGstin(
  context: OperatorContext,
  customerId: string,
  gstin: string | null,
  cause: OperatorCause,
): Promise<GstinChange> {
  await withGstin(context, context.db, customerId, gstin);
  await requireActiveGstin(context, gstin);
  return transaction(context.db, async (tx) => {
    await tx.selectFrom('customers').select('id').where('id', '=', customerId.trim()).forUpdate().execute();
    const { owner, before, changed } = await withGstin(context, tx, customerId, gstin);
    await storeGstin(owner, tx, changed, new Date(context.clock()));
    const invoices = await otherInvoices(context, tx, owner.customerId, gstin);
    // An erasure can't take a GSTIN out of the audit log.
    const effect = {
      before: masked(before.gstin),
      after: masked(gstin),
      otherInvoices: invoices.map(({ number }) => number),
    };
    await recordAction(tx, { ...cause, action: 'customers.gstin', target: owner.customerId, ...owner, effect });
    return { ...owner, legalName: before.legalName, before: before.gstin, gstin, invoices };
  });
}

async function otherInvoices(
  { settings, clock }: OperatorContext,
  db: Db | Tx,
  customerId: string,
  gstin: string | null,
) {
  const rows = await db
    .selectFrom('current_papers as paper')
    .innerJoin('documents', 'documents.id', 'paper.document_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select(['documents.number', 'documents.issued_on', 'documents.content', 'amendments.content as amended'])
    .where('paper.customer_id', '=', customerId)
    .where('paper.kind', '=', 'INVOICE')
    .orderBy('documents.issued_at')
    .orderBy('documents.number')
    .execute();
  const today = dayOf(clock());
  return rows.flatMap(({ number, issued_on: issuedOn, content, amended }) => {
    const named = (amended ?? content).recipient.gstin;
    const isCorrectable = today <= lastCreditNoteDay(content.item.fromDate, settings.lastNoteDay);
    return named === gstin || !isCorrectable ? [] : [{ number, issuedOn, gstin: named }];
  });
}

/** An invoice whose buyer is corrected to the business details of today. */
export interface InvoiceCorrection extends Correction {
  number: string;
  customerId: string;
  before: Pick<Recipient, 'name' | 'gstin'>;
}

async function findInvoice(db: Db, number: string) {
  const found = await db
    .selectFrom('documents')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .select([
      'documents.id',
      'documents.number',
      'documents.customer_id',
      'documents.content',
      'amendments.content as amended',
    ])
    .where('documents.number', '=', number.trim())
    .executeTakeFirst();
  if (!found) throw new OperatorRefusal(`There is no document ${number}.`, 'not_found');
  const { name, gstin } = (found.amended ?? found.content).recipient;
  return { id: found.id, number: found.number, customerId: found.customer_id, before: { name, gstin } };
}

/** Refusals of the portal speak to the customer whose call it is. */
async function sayRefusal<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof Refusal ? new OperatorRefusal(error.message) : error;
  });
}

export async function previewInvoiceCorrection(context: OperatorContext, number: string): Promise<InvoiceCorrection> {
  const { id, ...invoice } = await findInvoice(context.db, number);
  return { ...invoice, ...(await sayRefusal(previewCorrection(context, invoice, id))) };
}

/** Corrects the buyer of an invoice to the business details, as its customer can on the Billing Portal (product §6.8). */
export async function correctInvoiceOf(
  context: OperatorContext,
  number: string,
  cause: OperatorCause,
): Promise<InvoiceCorrection> {
  const { id, ...invoice } = await findInvoice(context.db, number);
  const { customerId } = invoice;
  const correction = correctInvoice(
    context,
    { customerId },
    id,
    async (tx, { creditNote, invoice: { number: by }, refundPaise }) => {
      const effect = { invoice: by, creditNote: creditNote?.number ?? null, refundPaise };
      await recordAction(tx, { ...cause, action: 'documents.correct', target: invoice.number, customerId, effect });
    },
  );
  return { ...invoice, ...(await sayRefusal(correction)) };
}
