import { sql } from 'kysely';
import { z } from 'zod';
import { groupBy } from '#shared/domain/group-by.ts';
import type { Db } from '#shared/database/connect.ts';
import type { DocumentContent, DocumentKind, IssuedDocument } from '#shared/domain/document.ts';
import { type AmendedDocument, type GstReturn, gstReturnOf } from '#shared/domain/gst-return.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { assertMonth, firstDayOf, lastDayOf, monthOf } from '#shared/domain/month.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** GSTR-1 of a month (`2026-11`), from the documents issued in it, all suppliers together. Throws RangeError for an invalid month. */
export async function readGstReturn(db: Db, month: string): Promise<GstReturn> {
  return gstReturnOf(month, await selectReturnDocuments(db, month), await selectAmended(db, month));
}

/**
 * The same for each GSTIN of the provider that issued a document by the end of the month: a return is filed per registration, and a nil one for each
 * month without documents (CGST Act s.37, s.39(8)). The portal doesn't learn when a registration is cancelled, so none is left out.
 */
export async function readGstReturns(db: Db, month: string): Promise<Map<string, GstReturn>> {
  const documents = groupBy(await selectReturnDocuments(db, month), ({ content }) => content.supplier.gstin);
  const amended = groupBy(await selectAmended(db, month), ({ content }) => content.supplier.gstin);
  const gstins = await selectGstins(db, lastDayOf(assertMonth(month)));
  return new Map(
    gstins.map((gstin) => [gstin, gstReturnOf(month, documents.get(gstin) ?? [], amended.get(gstin) ?? [])]),
  );
}

/** Every GSTIN of the provider with a document until the end of a day: few, of very many documents, so from one to the next in the index. */
async function selectGstins(db: Db, until: Day): Promise<string[]> {
  const result = await sql`
    with recursive suppliers (gstin) as (
      select min(content #>> '{supplier,gstin}') from documents
      union all select (select min(content #>> '{supplier,gstin}') from documents where content #>> '{supplier,gstin}' > gstin)
      from suppliers where gstin is not null
    )
    select gstin from suppliers
    where exists (select from documents where content #>> '{supplier,gstin}' = gstin and issued_on <= ${until}) order by 1`.execute(
    db,
  );
  return checkedRows(z.object({ gstin: z.string() }), result).map(({ gstin }) => gstin);
}

async function selectReturnDocuments(db: Db, month: string): Promise<ReturnDocument[]> {
  const rows = await db
    .selectFrom('documents')
    .leftJoin('documents as before', 'before.id', 'documents.refers_to')
    .leftJoin('documents as first', 'first.id', 'before.refers_to')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .leftJoin('e_invoices as before_registration', 'before_registration.document_id', 'before.id')
    .leftJoin('e_invoice_waits', 'e_invoice_waits.document_id', 'documents.id')
    // What was amended in the month of issue is reported as amended; later amendments are in the return of their own month.
    .leftJoin('amendments', (join) =>
      join
        .onRef('amendments.document_id', '=', 'documents.id')
        .on('amendments.amended_on', '<=', lastDayOf(assertMonth(month))),
    )
    .select(['documents.id', 'before.id as before_id', 'first.id as first_id'])
    .select(['documents.kind', 'documents.number', 'documents.issued_on'])
    .select((document) => document.fn.coalesce('amendments.content', 'documents.content').as('content'))
    .select(['before.kind as before_kind', 'before.number as before_number'])
    .select(['before.issued_on as before_on', 'before.content as before_content', 'e_invoices.cancelled_at'])
    .select(['e_invoices.irn', 'amendments.document_id as amended'])
    .select(['e_invoice_waits.closed_at', 'before_registration.cancelled_at as before_cancelled_at'])
    .select(['first.kind as first_kind', 'first.number as first_number'])
    .select(['first.issued_on as first_on', 'first.content as first_content'])
    .where('documents.issued_on', '>=', firstDayOf(assertMonth(month)))
    .where('documents.issued_on', '<=', lastDayOf(month))
    .orderBy('documents.kind')
    .orderBy('documents.financial_year')
    .orderBy('documents.series')
    .orderBy('documents.sequence')
    .execute();
  const never = neverRegisteredOf(rows);
  const returned = await selectReturned(db, rows);
  return rows.map((row) => ({
    kind: row.kind,
    number: row.number,
    issuedOn: row.issued_on,
    content: row.content,
    // What was amended has other details than its registration: the return must replace what the GST portal filled in.
    filledIn: row.irn !== null && row.cancelled_at === null && row.amended === null,
    cancelled: row.cancelled_at !== null || (row.closed_at !== null && never.has(invoiceOf(row))),
    follows: beforeOf(row),
    returnedBefore: returned(row),
    cancelledLater: isCancelledLater(row.issued_on, row.cancelled_at),
    replaces: replacedBy(row),
  }));
}

/** What was refunded, before each document, of the advance that it refers to, or that the invoice refers to which it replaces. */
async function selectReturned(db: Db, rows: readonly { before_id: string | null; first_id: string | null }[]) {
  const ids = rows.flatMap(({ before_id: before, first_id: first }) => [before ?? [], first ?? []].flat());
  const vouchers = await db
    .selectFrom('documents')
    .select(['id', 'refers_to', 'content'])
    .where('kind', '=', 'REFUND_VOUCHER')
    .where('refers_to', 'in', ids)
    .orderBy('issued_at')
    .orderBy('sequence')
    .execute();
  const byAdvance = groupBy(vouchers, ({ refers_to: advance }) => advance);
  return ({
    id,
    before_id: before,
    first_id: first,
  }: {
    id: string;
    before_id: string | null;
    first_id: string | null;
  }) => {
    const all = byAdvance.get(first ?? before) ?? [];
    const own = all.findIndex((voucher) => voucher.id === id);
    return all.slice(0, own === -1 ? all.length : own).map(({ content }) => content.split);
  };
}

type Before = Parameters<typeof beforeOf>[0];

/** Was a registration cancelled after the month of its invoice? */
export function isCancelledLater(issuedOn: Day, cancelledAt: Date | null): boolean {
  return cancelledAt !== null && monthOf(dayOf(cancelledAt.getTime())) > monthOf(issuedOn);
}

/** The invoice that this one replaces, if it was cancelled in a later month than its own. */
function replacedBy(
  row: Before & {
    before_cancelled_at: Date | null;
    first_kind: DocumentKind | null;
    first_number: string | null;
    first_on: Day | null;
    first_content: DocumentContent | null;
  },
): { invoice: IssuedDocument; advance: IssuedDocument | null } | null {
  const invoice = beforeOf(row);
  if (invoice?.kind !== 'INVOICE' || !isCancelledLater(invoice.issuedOn, row.before_cancelled_at)) return null;
  const first = beforeOf({
    before_kind: row.first_kind,
    before_number: row.first_number,
    before_on: row.first_on,
    before_content: row.first_content,
  });
  return { invoice, advance: first?.kind === 'RECEIPT_VOUCHER' ? first : null };
}

interface MaybeRegistered {
  kind: DocumentKind;
  number: string;
  before_number: string | null;
  content: DocumentContent;
  closed_at: Date | null;
}

/** The number of an invoice, or of the one that a credit note is about. */
function invoiceOf({ kind, number, before_number: before }: MaybeRegistered): string {
  return kind === 'CREDIT_NOTE' ? (before ?? '') : number;
}

/**
 * The numbers of the invoices among these documents that will never be registered, and whose credit notes are all among them too. All of them count
 * as never issued: an invoice without a registration is no tax invoice (CGST Rule 48(5)), and together they are nothing. If the month of the invoice
 * was over before a credit note, each is reported in its month: the supply was due for tax in the first one (decision 054).
 */
function neverRegisteredOf(rows: readonly MaybeRegistered[]): Set<string> {
  const closed = rows.filter((row) => row.closed_at !== null);
  const credited = groupBy(
    closed.filter(({ kind }) => kind === 'CREDIT_NOTE'),
    invoiceOf,
  );
  const paiseOf = ({ content }: MaybeRegistered) => content.split.totalPaise;
  const gone = closed.filter(
    (row) =>
      row.kind === 'INVOICE' &&
      paiseOf(row) === (credited.get(row.number) ?? []).reduce((sum, note) => sum + paiseOf(note), 0),
  );
  return new Set(gone.map(({ number }) => number));
}

/** The documents of earlier months that were amended in this one. */
async function selectAmended(db: Db, month: string): Promise<AmendedDocument[]> {
  const rows = await db
    .selectFrom('amendments')
    .innerJoin('documents', 'documents.id', 'amendments.document_id')
    .leftJoin('e_invoices', 'e_invoices.document_id', 'documents.id')
    .select(['documents.kind', 'documents.number', 'documents.issued_on', 'documents.content as original'])
    .select(['amendments.content', 'e_invoices.cancelled_at'])
    .where('amendments.amended_on', '>=', firstDayOf(assertMonth(month)))
    .where('amendments.amended_on', '<=', lastDayOf(month))
    .where('documents.issued_on', '<', firstDayOf(month))
    .orderBy('documents.financial_year')
    .orderBy('documents.series')
    .orderBy('documents.sequence')
    .execute();
  return rows.map(({ issued_on: issuedOn, cancelled_at: cancelledAt, ...row }) => ({
    ...row,
    issuedOn,
    cancelled: cancelledAt !== null,
    follows: null,
  }));
}

function beforeOf(row: {
  before_kind: IssuedDocument['kind'] | null;
  before_number: string | null;
  before_on: string | null;
  before_content: IssuedDocument['content'] | null;
}): IssuedDocument | null {
  const { before_kind: kind, before_number: number, before_on: issuedOn, before_content: content } = row;
  return kind && number && issuedOn && content ? { kind, number, issuedOn, content } : null;
}
