import type { Tx } from '#shared/database/connect.ts';
import { amendedContent, lastAmendmentDay } from '#shared/domain/amendment.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { DocumentContent } from '#shared/domain/document.ts';
import { timeInOpenMonth } from '#server/features/period-locks/period-locks.ts';
import type { Owner } from '#server/portal.ts';
import type { MayInvoice } from './buyer-status.ts';
import type { Issuer } from './issue.ts';
import type { DocumentRow } from './store.ts';
import { selectRefusal } from './waiting.ts';

/**
 * Amends an invoice and its credit notes to another buyer's details (CGST Act s.37(3)), in the transaction that holds the activation's lock. False,
 * and nothing is changed, when one of them can't be amended: more than details would change, it was amended before, or it is too late.
 */
export async function amend(
  portal: Issuer,
  owner: Owner,
  tx: Tx,
  documents: readonly DocumentRow[],
  wanted: DocumentContent,
  /** Called before another GSTIN is named. */
  requireBuyer: () => MayInvoice,
): Promise<boolean> {
  const now = new Date(await timeInOpenMonth(tx, portal.clock()));
  const today = dayOf(now.getTime());
  const ids = documents.map(({ id }) => id);
  const amended = await tx.selectFrom('amendments').select('document_id').where('document_id', 'in', ids).execute();
  if (
    amended.length > 0 ||
    documents.some(({ issued_on: day }) => today > lastAmendmentDay(day, portal.settings.lastNoteDay))
  )
    return false;
  const rows: { id: string; content: DocumentContent }[] = [];
  for (const { id, content: original, needs_irn: isRegistered } of documents) {
    const content = amendedContent(original, wanted, isRegistered);
    // A document that the invoice portal refused has to be issued again.
    if (!content || (isRegistered && (await selectRefusal(portal, id)))) return false;
    rows.push({ id, content });
  }
  if (documents.some(({ content }) => content.recipient.gstin !== wanted.recipient.gstin)) requireBuyer();
  for (const { id: documentId, content } of rows) {
    await tx
      .insertInto('amendments')
      .values({
        document_id: documentId,
        customer_id: owner.customerId,
        amended_at: now,
        amended_on: today,
        content: JSON.stringify(content),
      })
      .execute();
    await portal.jobs.send(tx, 'finish-document', { documentId });
  }
  return true;
}
