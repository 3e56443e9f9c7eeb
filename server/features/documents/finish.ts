import { transaction } from '#shared/database/transaction.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { longDay } from '#shared/domain/day-text.ts';
import { inv01Of } from '#shared/domain/e-invoice.ts';
import { irnTypes, type IssuedDocument } from '#shared/domain/document.ts';
import { irnOf } from '#shared/domain/irn.ts';
import { brandOf } from '#server/brand/brand.ts';
import { paperBrandOf } from '#server/brand/brand-page.ts';
import { happened } from '#server/features/events/events.ts';
import { EInvoiceRefusal } from '#server/e-invoice/e-invoices.ts';
import { storedPdfColumns } from '#server/document-files/document-files.ts';
import type { DocumentPaper } from '#shared/paper/document-paper.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { KeyFault } from '#server/signature/signing-key.ts';
import { isNeverRegistered } from './never-registered.ts';
import { type PaperRegistration, paperOf } from './paper-of.ts';
import { type DocumentRow, selectAmendment, selectDocument, selectReplacement } from './store.ts';
import { storeRefusal, selectRefusal } from './waiting.ts';

/**
 * Finishes a document, once: registers it at the invoice portal where required (Rule 48(4)), renders the PDF, signs it,
 * stores the signed file for good with its hash, and sends the mails that wait for it. A second, simultaneous call gets the bytes of the first.
 * Throws EInvoiceRefusal or EInvoiceUnavailable while the document is not registered.
 */
export async function finishDocument(portal: Portal, documentId: string): Promise<Buffer | undefined> {
  const kept = await selectFile(portal, documentId);
  if (kept) {
    return kept.cancelled_at === null
      ? await portal.documentFiles.read(kept)
      : await renderCancelled(portal, documentId);
  }
  const row = await selectDocument(portal.db, documentId);
  if (!row) return undefined;
  requireMaking(portal);
  const isNever = row.needs_irn && (await isNeverRegistered(portal.db, documentId));
  const registration = row.needs_irn && !isNever ? await registrationOf(portal, row) : undefined;
  const pdf = await printDocument(portal, row, registration, isNever ? await neverRegisteredNote(portal, row) : {});
  const stored = await portal.documentFiles.store(pdf);
  await transaction(portal.db, async (tx) => {
    await tx
      .insertInto('document_files')
      .values({ document_id: documentId, ...stored, made_at: new Date(portal.clock()) })
      .onConflict((conflict) => conflict.column('document_id').doNothing())
      .execute();
    await happened(portal, { customerId: row.customer_id }, tx, { type: 'document.finished', documentId });
  });
  const file = await selectFile(portal, documentId);
  return file && portal.documentFiles.read(file);
}

/**
 * The PDF of the amended version of a document, made once and stored like the first one; undefined if it was not amended. It doesn't wait for the
 * first one: what can't be printed there may be what was amended.
 */
export async function finishAmendment(portal: Portal, documentId: string): Promise<Buffer | undefined> {
  const amendment = await selectAmendment(portal.db, documentId);
  const row = amendment && (await selectDocument(portal.db, documentId));
  if (!row) return undefined;
  const kept = await readAmendedFile(portal, documentId);
  if (kept) return kept;
  requireMaking(portal);
  const isNever = row.needs_irn && (await isNeverRegistered(portal.db, documentId));
  const registration = row.needs_irn && !isNever ? await registrationOf(portal, row) : undefined;
  const { amended_on: amendedOn, content } = amendment;
  const pdf = await printDocument(portal, { ...row, content }, registration, { amendedOn });
  const stored = await portal.documentFiles.store(pdf);
  await transaction(portal.db, async (tx) => {
    await tx
      .insertInto('amendment_files')
      .values({ document_id: documentId, ...stored, made_at: new Date(portal.clock()) })
      .onConflict((conflict) => conflict.column('document_id').doNothing())
      .execute();
    const owner = { customerId: row.customer_id };
    await happened(portal, owner, tx, { type: 'document.finished', documentId, amended: true });
  });
  return readAmendedFile(portal, documentId);
}

/** An operator who sees as a customer makes nothing. */
function requireMaking({ isView }: Portal): void {
  if (isView) throw refuse('document_delayed');
}

async function readAmendedFile(portal: Portal, documentId: string): Promise<Buffer | undefined> {
  const file = await portal.db
    .selectFrom('amendment_files')
    .select(storedPdfColumns)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return file && portal.documentFiles.read(file);
}

/** The PDF as issued is kept for ever; who downloads it later sees that it no longer counts. */
async function renderCancelled(portal: Portal, documentId: string): Promise<Buffer | undefined> {
  const row = await selectDocument(portal.db, documentId);
  const registration = await selectRegistration(portal, documentId);
  if (!row || !registration?.cancelled_at) return undefined;
  const replacement = await selectReplacement(portal.db, documentId);
  const day = longDay(dayOf(registration.cancelled_at.getTime()));
  const cancelled = `The registration of this invoice was cancelled on ${day}.`;
  const note = replacement === undefined ? cancelled : `${cancelled} ${replacement} replaces it.`;
  return printDocument(portal, row, registration, { cancelled: note });
}

/** What the PDF of a document says that will never be registered. */
async function neverRegisteredNote(portal: Portal, row: DocumentRow): Promise<{ cancelled?: string; note?: string }> {
  const rule = 'an invoice without it is no tax invoice (CGST Rule 48(5))';
  if (row.kind === 'CREDIT_NOTE') {
    const invoice = row.content.refersTo?.number ?? '';
    return {
      note: `Invoice ${invoice} was never registered with the invoice portal, and ${rule}. So this credit note isn’t registered either.`,
    };
  }
  const replacement = await selectReplacement(portal.db, row.id);
  const credited = `Not registered with the invoice portal; ${rule}. It is credited in full.`;
  return { cancelled: replacement === undefined ? credited : `${credited} ${replacement} replaces it.` };
}

const rehearsed = 'Rehearsal: no money moved, and this is no document under the GST law.';

/** The PDF, signed if there is a valid certificate. `cancelled`: why the document no longer counts. `note`: what else it must say first. `amendedOn`: it is the amended version. */
async function printDocument(
  portal: Portal,
  row: DocumentRow,
  registration: PaperRegistration | undefined,
  about: { cancelled?: string; note?: string; amendedOn?: Day } = {},
): Promise<Buffer> {
  const { cancelled, note, amendedOn } = about;
  const signer = portal.signer?.isValid() === true ? portal.signer : undefined;
  const signatory = portal.settings.supplierSignatory;
  const signature = { signatory, certificate: signer?.certificate };
  const paper = paperOf(issuedOf(row), registration, signature, amendedOn);
  const { rehearsal } = portal.settings;
  const first = [cancelled ?? note, rehearsal ? rehearsed : undefined].filter((each) => each !== undefined);
  const stamped: Partial<DocumentPaper> = {
    ...(rehearsal && { stamp: 'REHEARSAL' }),
    ...(cancelled !== undefined && { stamp: 'CANCELLED' }),
    notes: [...first, ...paper.notes],
  };
  const pdf = await portal.renderer.render(row.customer_id, {
    ...paper,
    ...stamped,
    brand: paperBrandOf(brandOf(portal.settings)),
  });
  if (!signer) return pdf;
  try {
    return await signer.sign(pdf, `${paper.title} ${row.number}`);
  } catch (error) {
    if (!(error instanceof KeyFault) || signer.isValid()) throw error;
    portal.log.error(
      { err: error, number: row.number },
      'the signing key did not sign: the document is issued unsigned',
    );
    return printDocument(portal, row, registration, about);
  }
}

/** Both versions as a job. Ends normally when the invoice portal's refusal is final: no retry would give the document a PDF. */
export async function finishDocumentJob(portal: Portal, documentId: string): Promise<void> {
  let failure: unknown;
  for (const finish of [finishDocument, finishAmendment])
    await finish(portal, documentId).catch((error: unknown) => {
      if (!(error instanceof EInvoiceRefusal && error.isFinal)) failure ??= error;
    });
  if (failure !== undefined) throw failure;
}

/** A row as the domain's document type. */
export function issuedOf(row: Pick<DocumentRow, 'kind' | 'number' | 'issued_on' | 'content'>): IssuedDocument {
  return { kind: row.kind, number: row.number, issuedOn: row.issued_on, content: row.content };
}

function selectFile(portal: Portal, documentId: string) {
  return portal.db
    .selectFrom('document_files as file')
    .leftJoin('e_invoices as registered', 'registered.document_id', 'file.document_id')
    .select(['file.pdf', 'file.pdf_sha256', 'file.place', 'file.bytes', 'registered.cancelled_at'])
    .where('file.document_id', '=', documentId)
    .executeTakeFirst();
}

async function registrationOf(portal: Portal, row: DocumentRow): Promise<PaperRegistration> {
  const known = await selectRegistration(portal, row.id);
  if (known) return known;
  const irnType = irnTypes[row.kind];
  if (!portal.eInvoices || irnType === null) {
    throw new Error(`${row.number} must be registered, but e-invoicing is no longer set up`);
  }
  const refusal = await selectRefusal(portal, row.id);
  if (refusal) throw refusal;
  const { supplier } = row.content;
  const irn = irnOf({
    supplierGstin: supplier.gstin,
    financialYear: row.financial_year,
    documentType: irnType,
    documentNumber: row.number,
  });
  const registration = await portal.eInvoices.register(inv01Of(issuedOf(row)), irn).catch(async (error: unknown) => {
    if (error instanceof EInvoiceRefusal && error.isFinal) await storeRefusal(portal, row, error);
    throw error;
  });
  await portal.db
    .insertInto('e_invoices')
    .values({
      document_id: row.id,
      irn: registration.irn,
      ack_number: registration.ackNumber,
      ack_at: new Date(registration.ackAt),
      signed_qr: registration.signedQr,
      signed_invoice: registration.signedInvoice,
      cancelled_at: null,
      cancel_reason: null,
    })
    .onConflict((conflict) => conflict.column('document_id').doNothing())
    .execute();
  const kept = await selectRegistration(portal, row.id);
  if (!kept) throw new Error(`the registration of ${row.number} was not stored`);
  return kept;
}

function selectRegistration(portal: Portal, documentId: string) {
  return portal.db
    .selectFrom('e_invoices')
    .select(['irn', 'ack_number', 'ack_at', 'signed_qr', 'cancelled_at'])
    .where('document_id', '=', documentId)
    .executeTakeFirst();
}
