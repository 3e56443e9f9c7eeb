import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { formatDocumentNumber } from '#shared/domain/document-number.ts';
import { newsOfNumber } from '#shared/domain/document-series.ts';
import {
  type DocumentContent,
  type DocumentKind,
  type DocumentReference,
  needsIrn,
  referenceOf,
} from '#shared/domain/document.ts';
import { financialYearOf, shortFinancialYearOf } from '#shared/domain/financial-year.ts';
import { happened } from '#server/features/events/events.ts';
import { timeInOpenMonth } from '#server/features/period-locks/period-locks.ts';
import { newId } from '#server/crypto/ids.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import type { Owner } from '#server/portal.ts';
import type { MayInvoice } from './buyer-status.ts';
import type { CreditNoteContent } from './content.ts';
import { closeCredited } from './never-registered.ts';
import { takeNumber, type TakenNumber } from './numbers.ts';
import { type DocumentRow, insertDocument, selectIssuedAt, upsertLetter } from './store.ts';

/** A document issued in this transaction. */
export interface Issued extends DocumentReference {
  id: string;
}

/** The services that issuing needs. */
export type Issuer = Omit<OperatorContext, 'outbound'>;

/**
 * Issues a document in the transaction of its cause: number and content are stored together or not at all, and neither ever changes.
 * The PDF is rendered right after the commit. A transaction that issues an invoice and a credit note issues the invoice
 * first, so that no two transactions wait for each other's series (deadlock).
 */
export async function issueDocument(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  document: { cycleId: string; refersToId?: string } & (
    | { kind: 'CREDIT_NOTE'; content: CreditNoteContent }
    | { kind: 'INVOICE'; content: DocumentContent; buyer: MayInvoice }
    | { kind: Exclude<DocumentKind, 'CREDIT_NOTE' | 'INVOICE'>; content: DocumentContent }
  ),
): Promise<Issued> {
  const { kind, content } = document;
  // The clock may step back within a day; a document is still not older than the one it follows.
  const followed = document.refersToId === undefined ? 0 : await selectIssuedAt(owner, tx, document.refersToId);
  const now = await timeInOpenMonth(tx, Math.max(portal.clock(), followed));
  // The number's issue time may be later than now, but never in another financial year, which has its own series.
  const financialYear = financialYearOf(dayOf(now));
  const taken = await takeNumber(tx, kind, financialYear, new Date(now));
  const { series, lastNumber: sequence, issuedAt } = taken;
  const issuedOn = dayOf(issuedAt.getTime());
  const { invoicePrefix } = portal.settings;
  const number = formatDocumentNumber(invoicePrefix, shortFinancialYearOf(issuedOn), sequence, series);
  logSeriesUse(portal, kind, number, taken);
  const letter = portal.settings.lettersOfUndertaking.find(({ arn }) => arn === content.lut);
  if (letter) await upsertLetter(tx, letter);
  const id = newId('DOC');
  await insertDocument(owner, tx, {
    id,
    kind,
    number,
    series: series.name,
    financialYear,
    sequence,
    issuedAt,
    issuedOn,
    cycleId: document.cycleId,
    refersToId: document.refersToId ?? null,
    needsIrn: portal.eInvoices !== undefined && needsIrn(kind, content),
    content,
  });
  await portal.jobs.send(tx, 'finish-document', { documentId: id });
  if (kind === 'CREDIT_NOTE' && document.refersToId !== undefined) await closeCredited(portal, tx, document.refersToId);
  const { totalPaise } = content.split;
  const about = { cycleId: document.cycleId, documentId: id, number, date: issuedOn, totalPaise };
  await happened(portal, owner, tx, { type: 'document.issued', kind, ...about });
  if (kind === 'INVOICE') await happened(portal, owner, tx, { type: 'invoice.issued', ...about });
  return { id, ...referenceOf({ kind, number, issuedOn, content }) };
}

function logSeriesUse(portal: Issuer, kind: DocumentKind, number: string, taken: TakenNumber): void {
  const news = newsOfNumber(kind, taken);
  if (news === 'note')
    portal.log.info({ number }, 'a series of document numbers is 80 % used; the next one follows it');
  if (news === 'alarm') portal.log.error({ number }, 'document numbers of this financial year are running out');
}

/** A reference to this document for another one. */
export function referenceTo(row: Pick<DocumentRow, 'kind' | 'number' | 'issued_on' | 'content'>): DocumentReference {
  return referenceOf({ ...row, issuedOn: row.issued_on });
}
