import type { Document, DocumentVersion } from '#shared/contract/documents.ts';
import type { Day } from '#shared/domain/day.ts';
import { dayOf } from '#shared/domain/day.ts';
import { isExempt, lastCreditNoteDay, type NoteEnd } from '#shared/domain/document.ts';
import { rupees } from '#shared/domain/money.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { EInvoiceRefusal, isOfInvoicePortal } from '#server/e-invoice/e-invoices.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { finishAmendment, finishDocument } from './finish.ts';
import { signedLink } from './links.ts';
import { type ListedDocument, selectDocuments, selectOwnDocument } from './store.ts';

export { readLettersHealth, warnOfLetters } from './letters.ts';
export { type Buyer, ratesOf, readBuyer } from './buyer.ts';
export { askAboutBuyer, type MayInvoice, requireActiveBuyer } from './buyer-status.ts';
export { documentPayment, documentRefund, invoiceStarted, type PaidCycle, readExcessTax } from './cycle-papers.ts';
export { finishDocument, finishDocumentJob } from './finish.ts';
export { type Issued, type Issuer, referenceTo } from './issue.ts';
export { letterheadOf } from './letterhead.ts';
export { requireSigned, signedLink, signedPath } from './links.ts';
export { noticeMove, readNumbersHealth, readShortKinds, requireNumbers } from './numbers.ts';
export { gstr1Files } from './gstr1-csv.ts';
export { isCancelledLater, readGstReturns } from './gstr1.ts';
export { purchaseRegister } from './register.ts';
export { type Cancellation, cancelEInvoice, previewCancellation } from './cancel-e-invoice.ts';
export { type Correction, correctInvoice, type ExcessRefunds } from './replace.ts';
export { alertRemittances, readExports } from './remittances.ts';
export { selectUnprinted } from './unprinted.ts';
export { alertDeadlines, readWorkList } from './work-list.ts';
export { alertUnregistered, readEInvoiceHealth } from './waiting.ts';

/** The customer's documents, newest first, of one activation or all. */
export async function listDocuments(portal: Portal, owner: Owner, activationId?: string): Promise<Document[]> {
  const today = dayOf(portal.clock());
  const rows = await selectDocuments(owner, portal.db, activationId === undefined ? {} : { activationId });
  const replaced = new Set(rows.filter(({ kind }) => kind === 'INVOICE').map((row) => row.refers_to));
  const credited = new Set(rows.filter(({ kind }) => kind === 'CREDIT_NOTE').map((row) => row.refers_to));
  return rows.map((row) => describeDocument(row, { replaced, credited, today, end: portal.settings.lastNoteDay }));
}

/** `replaced`, `credited`: the invoices that another invoice or a credit note refers to. A credited invoice can be amended once, but not reissued. */
function describeDocument(
  row: ListedDocument,
  {
    replaced,
    credited,
    today,
    end,
  }: { replaced: Set<string | null>; credited: Set<string | null>; today: Day; end: NoteEnd },
): Document {
  const { content } = row;
  const [isReplaced, isCredited] = [replaced.has(row.id), credited.has(row.id)];
  return {
    id: row.id,
    kind: row.kind,
    exempt: isExempt(content),
    number: row.number,
    date: row.issued_on,
    activationId: row.activation_id,
    billingCycleId: row.cycle_id,
    desc: content.item.description,
    fromDate: content.item.fromDate,
    toDate: content.item.toDate,
    placeOfSupply: `${content.placeOfSupply} ${content.placeOfSupplyName}`,
    taxableValue: rupees(row.taxable_paise),
    cgst: rupees(row.cgst_paise),
    sgst: rupees(row.sgst_paise),
    utgst: rupees(row.utgst_paise),
    igst: rupees(row.igst_paise),
    roundOff: rupees(row.round_off_paise),
    total: rupees(row.total_paise),
    refersTo: content.refersTo?.number ?? null,
    irn: row.irn,
    refused: row.refused_reason,
    cancelled: row.cancelled_at !== null,
    revisedOn: row.amended_on,
    correctable:
      row.kind === 'INVOICE' &&
      !isReplaced &&
      !(isCredited && row.amended_on !== null) &&
      today <= lastCreditNoteDay(content.item.fromDate, end),
    download: `/billing/documents/${row.id}`,
  };
}

/** A short-lived download link to the owner's document. Throws not_found, document_refused, document_in_preparation, document_delayed. */
export async function linkToDocument(
  portal: Portal,
  owner: SignedInMember,
  documentId: string,
  version: DocumentVersion = 'current',
) {
  const document = await selectOwnDocument(owner, portal.db, documentId);
  if (!document) throw refuse('not_found');
  await readFile(portal, document.id, version);
  return { downloadUrl: signedLink(portal, filePath(document.id, version), owner), number: document.number };
}

/** The path of a document's file, below the backend's base URL. */
export function filePath(documentId: string, version: DocumentVersion): string {
  return `/billing/documents/${encodeURIComponent(documentId)}/file/${version}`;
}

/** The PDF of a document, rendered now if it does not exist yet. Throws not_found, document_refused, document_in_preparation. */
export async function readFile(
  portal: Portal,
  documentId: string,
  version: DocumentVersion = 'current',
): Promise<Buffer> {
  try {
    const amended = version === 'original' ? undefined : await finishAmendment(portal, documentId);
    const pdf = amended ?? (await finishDocument(portal, documentId));
    if (!pdf) throw refuse('not_found');
    return pdf;
  } catch (error) {
    if (!isOfInvoicePortal(error)) throw error;
    if (error instanceof EInvoiceRefusal && error.isFinal) throw refuse('document_refused');
    portal.log.warn({ err: error, documentId }, 'a document is not registered yet');
    throw refuse('document_in_preparation');
  }
}
