import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows, sumOf } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import { excessOrigins } from '#shared/domain/advance.ts';
import type { DocumentContent, DocumentKind } from '#shared/domain/document.ts';
import { type Day, laterDay } from '#shared/domain/day.ts';
import type { LetterOfUndertaking } from '#shared/domain/letter-of-undertaking.ts';
import type { Owner } from '#server/portal.ts';

export type DocumentRow = Selectable<Tables['documents']>;

/** The issue time of a document, in epoch milliseconds. */
export async function selectIssuedAt(owner: Owner, tx: Tx, documentId: string): Promise<number> {
  const row = await tx
    .selectFrom('documents')
    .select('issued_at')
    .where('id', '=', documentId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  return row.issued_at.getTime();
}

export async function insertDocument(
  owner: Owner,
  tx: Tx,
  document: {
    id: string;
    kind: DocumentKind;
    number: string;
    series: string;
    financialYear: string;
    sequence: number;
    issuedAt: Date;
    issuedOn: Day;
    cycleId: string;
    refersToId: string | null;
    needsIrn: boolean;
    content: DocumentContent;
  },
): Promise<void> {
  const { content } = document;
  const { split } = content;
  await tx
    .insertInto('documents')
    .values({
      id: document.id,
      kind: document.kind,
      number: document.number,
      series: document.series,
      financial_year: document.financialYear,
      sequence: document.sequence,
      issued_at: document.issuedAt,
      issued_on: document.issuedOn,
      customer_id: owner.customerId,
      cycle_id: document.cycleId,
      payment_id: content.paymentId,
      refers_to: document.refersToId,
      taxable_paise: split.taxablePaise,
      cgst_paise: split.cgstPaise,
      sgst_paise: split.sgstPaise,
      utgst_paise: split.utgstPaise,
      igst_paise: split.igstPaise,
      round_off_paise: split.roundOffPaise,
      total_paise: split.totalPaise,
      content: JSON.stringify(content),
      needs_irn: document.needsIrn,
    })
    .execute();
}

/** The current document of a cycle, as amended: its newest invoice, or its receipt voucher. Requires the activation's lock. */
export function selectCurrentPaper(tx: Tx, cycleId: string): Promise<DocumentRow | undefined> {
  return tx
    .selectFrom('current_papers')
    .innerJoin('documents', 'documents.id', 'current_papers.document_id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .selectAll('documents')
    .select((paper) => paper.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .where('current_papers.cycle_id', '=', cycleId)
    .executeTakeFirst();
}

/** Locks the activation of a document's cycle, as required before any change to the cycle or its documents. */
export async function lockActivationOf(tx: Tx, cycleId: string): Promise<void> {
  await tx
    .selectFrom('activations')
    .innerJoin('cycles', 'cycles.activation_id', 'activations.id')
    .select('activations.id')
    .where('cycles.id', '=', cycleId)
    .forNoKeyUpdate('activations')
    .executeTakeFirstOrThrow();
}

/** The service of a cycle, and the terms at which it was sold. */
export function selectSold(tx: Tx, cycleId: string) {
  return tx.selectFrom('cycles').select(['service_id', 'plan']).where('id', '=', cycleId).executeTakeFirstOrThrow();
}

/** What was paid for a cycle, less refunded tax that was not due. */
export async function selectPaid(tx: Tx, cycleId: string) {
  const { currency, amount_paise } = await tx
    .selectFrom('cycle_payments')
    .select(['currency', 'amount_paise'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const { paise } = await tx
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('amount_paise')).as('paise'))
    .where('cycle_id', '=', cycleId)
    .where('origin', 'in', excessOrigins)
    .executeTakeFirstOrThrow();
  return { currency, paidPaise: amount_paise - paise };
}

/** What Razorpay refunded by a correction that was lost when the database was restored. */
export async function selectLostCorrection(tx: Tx, cycleId: string): Promise<number> {
  const { paise } = await tx
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('amount_paise')).as('paise'))
    .where('cycle_id', '=', cycleId)
    .where('origin', '=', 'CORRECTION')
    .where('foreign_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return paise;
}

/** The cycles that have started by a day and still have only a receipt voucher: their invoices are due. */
export function selectDueCycles(db: Db, today: Day) {
  return db
    .selectFrom('open_vouchers')
    .innerJoin('cycles', 'cycles.id', 'open_vouchers.cycle_id')
    .select(['cycles.id', 'cycles.customer_id'])
    .where('open_vouchers.from_date', '<=', today)
    .orderBy('open_vouchers.from_date')
    .orderBy('open_vouchers.cycle_id')
    .execute();
}

/** The credited or refunded amount of a document, in paise. */
export async function selectReturnedPaise(tx: Tx, documentId: string): Promise<number> {
  const { paise } = await tx
    .selectFrom('documents')
    .select((document) => sumOf(document.ref('total_paise')).as('paise'))
    .where('refers_to', '=', documentId)
    .where('kind', 'in', ['CREDIT_NOTE', 'REFUND_VOUCHER'])
    .executeTakeFirstOrThrow();
  return paise;
}

/** The contents of the credit notes or refund vouchers of a document. */
export async function selectReturns(tx: Tx, documentId: string): Promise<DocumentContent[]> {
  const returns = await tx
    .selectFrom('documents')
    .select('content')
    .where('refers_to', '=', documentId)
    .where('kind', 'in', ['CREDIT_NOTE', 'REFUND_VOUCHER'])
    .execute();
  return returns.map(({ content }) => content);
}

/** The documents that credit, refund, invoice or replace this one, as issued. */
export function selectFollowers(db: Db | Tx, documentId: string): Promise<DocumentRow[]> {
  return db.selectFrom('documents').selectAll().where('refers_to', '=', documentId).execute();
}

/** The amendment of a document, if any. */
export function selectAmendment(db: Db | Tx, documentId: string) {
  return db.selectFrom('amendments').selectAll().where('document_id', '=', documentId).executeTakeFirst();
}

/** The number of the invoice that replaces this one, if any. */
export async function selectReplacement(db: Db, documentId: string): Promise<string | undefined> {
  const replacement = await db
    .selectFrom('documents')
    .select('number')
    .where('refers_to', '=', documentId)
    .where('kind', '=', 'INVOICE')
    .executeTakeFirst();
  return replacement?.number;
}

/** How often the invoice of a cycle was credited and replaced. A replaced invoice may have several credit notes. */
export async function countCorrections(tx: Tx, cycleId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('documents as invoice')
    .select(countRows().as('count'))
    .where('invoice.cycle_id', '=', cycleId)
    .where('invoice.kind', '=', 'INVOICE')
    .where((document) =>
      document.exists(
        document
          .selectFrom('documents as note')
          .select('note.id')
          .whereRef('note.refers_to', '=', 'invoice.refers_to')
          .where('note.kind', '=', 'CREDIT_NOTE'),
      ),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** The day of supply of an invoiced cycle: when it was first invoiced, which was not before it started. */
export async function selectSuppliedOn(tx: Tx, { cycle_id }: Pick<DocumentRow, 'cycle_id'>): Promise<Day> {
  const first = await tx
    .selectFrom('documents')
    .select(['issued_on', 'content'])
    .where('cycle_id', '=', cycle_id)
    .where('kind', '=', 'INVOICE')
    .orderBy('issued_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  return laterDay(first.issued_on, first.content.item.fromDate);
}

/** Stores the letter of undertaking of a document without tax; the database compares the document with it. */
export async function upsertLetter(tx: Tx, { arn, fromDate, lastDate }: LetterOfUndertaking): Promise<void> {
  const dates = { from_date: fromDate, last_date: lastDate };
  await tx
    .insertInto('letters_of_undertaking')
    .values({ arn, ...dates })
    .onConflict((conflict) =>
      conflict
        .column('arn')
        .doUpdateSet(dates)
        .where((letter) =>
          letter.or([
            letter('letters_of_undertaking.from_date', '<>', fromDate),
            letter('letters_of_undertaking.last_date', '<>', lastDate),
          ]),
        ),
    )
    .execute();
}

/** A document of the owner. */
export function selectOwnDocument(owner: Owner, db: Db | Tx, id: string): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
}

/** By id alone, for jobs and signed links, which know no owner. */
export function selectDocument(db: Db | Tx, id: string): Promise<DocumentRow | undefined> {
  return db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectDocumentByNumber(db: Db | Tx, number: string): Promise<DocumentRow | undefined> {
  return db.selectFrom('documents').selectAll().where('number', '=', number).executeTakeFirst();
}

/** The owner's documents, as amended, with the numbers of those they follow, newest first, of one cycle's activation or of all. */
export function selectDocuments(
  owner: Owner,
  db: Db,
  range: { activationId?: string; from?: Day | undefined; to?: Day | undefined } = {},
) {
  let query = db
    .selectFrom('documents')
    .innerJoin('cycles', 'cycles.id', 'documents.cycle_id')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .leftJoin('e_invoice_waits', 'e_invoice_waits.document_id', 'documents.id')
    .leftJoin('amendments', 'amendments.document_id', 'documents.id')
    .selectAll('documents')
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['amendments.amended_on', 'cycles.activation_id', 'e_invoices.irn', 'e_invoices.cancelled_at'])
    // Only while it waits: what will never be registered has a PDF.
    .select((wait) =>
      wait
        .case()
        .when('e_invoice_waits.closed_at', 'is', null)
        .then(wait.ref('e_invoice_waits.refused_reason'))
        .else(null)
        .end()
        .as('refused_reason'),
    )
    .select(['e_invoice_waits.since as waits_since', 'e_invoice_waits.refused_at', 'e_invoice_waits.closed_at'])
    .where('documents.customer_id', '=', owner.customerId);
  if (range.activationId !== undefined) query = query.where('cycles.activation_id', '=', range.activationId);
  if (range.from !== undefined) query = query.where('documents.issued_on', '>=', range.from);
  if (range.to !== undefined) query = query.where('documents.issued_on', '<=', range.to);
  return query.orderBy('documents.issued_at', 'desc').orderBy('documents.id', 'desc').execute();
}
export type ListedDocument = Awaited<ReturnType<typeof selectDocuments>>[number];
