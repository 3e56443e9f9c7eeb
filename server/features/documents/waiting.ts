import { countRows } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { isOfBuyer } from '#shared/domain/e-invoice-deadline.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import { EInvoiceRefusal } from '#server/e-invoice/e-invoices.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { referenceTo } from './issue.ts';
import { closeCredited } from './never-registered.ts';
import type { DocumentRow } from './store.ts';
import { readWorkList } from './work-list.ts';

/** An invoice is normally registered within minutes. After a day, a person must look at it. */
const lateMs = 86_400_000;

/** The invoice portal's final refusal of a document, if any. */
export async function selectRefusal(
  portal: Pick<Portal, 'db'>,
  documentId: string,
): Promise<EInvoiceRefusal | undefined> {
  const wait = await portal.db
    .selectFrom('e_invoice_waits')
    .select(['refused_code', 'refused_reason'])
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  if (!wait || wait.refused_code === null) return undefined;
  return new EInvoiceRefusal(wait.refused_code, wait.refused_reason ?? '');
}

/** Stores a final refusal and notifies customer and operator, once. */
export async function storeRefusal(portal: Portal, row: DocumentRow, { code, reason }: EInvoiceRefusal): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const kept = await tx
      .updateTable('e_invoice_waits')
      .set({ refused_at: new Date(portal.clock()), refused_code: code, refused_reason: reason })
      .where('document_id', '=', row.id)
      .where('refused_at', 'is', null)
      .returning('document_id')
      .executeTakeFirst();
    if (!kept) return;
    const document = { id: row.id, ...referenceTo(row) };
    const ofBuyer = isOfBuyer(code);
    await happened(portal, { customerId: row.customer_id }, tx, {
      type: 'document.refused',
      document,
      reason,
      ofBuyer,
    });
    await closeCredited(portal, tx, row.id);
    portal.log.error({ number: row.number, code, reason }, 'the invoice portal refused a document');
  });
}

/** A document that the invoice portal refused, and may be registered again. Throws OperatorRefusal. */
export async function requireRefused({ db, clock }: Pick<Portal, 'db' | 'clock'>, number: string) {
  const item = (await readWorkList(db, clock(), false)).find((each) => each.number === number);
  if (!item?.refused)
    throw new OperatorRefusal(`The invoice portal has not refused ${number}. See: octroi e-invoices list`);
  const { customerId, buyer, refused } = item;
  return { number, customerId, buyer, refused };
}

/** For the operator: removes a final refusal whose cause was fixed, and queues the registration again. Throws OperatorRefusal. */
export async function retryRefused(
  portal: Pick<Portal, 'db' | 'jobs' | 'clock'>,
  number: string,
  cause: OperatorCause,
) {
  const item = await requireRefused(portal, number);
  return transaction(portal.db, async (tx) => {
    const found = await tx
      .updateTable('e_invoice_waits')
      .from('documents')
      .set({ refused_at: null, refused_code: null, refused_reason: null })
      .whereRef('documents.id', '=', 'e_invoice_waits.document_id')
      .where('documents.number', '=', number)
      .where('refused_at', 'is not', null)
      .where('closed_at', 'is', null)
      .returning(['document_id', 'documents.customer_id'])
      .executeTakeFirst();
    if (!found) throw new OperatorRefusal(`Meanwhile ${number} is no longer refused.`);
    const { customer_id: customerId } = found;
    await recordAction(tx, { ...cause, action: 'e-invoices.retry', target: number, customerId, effect: {} });
    await portal.jobs.send(tx, 'finish-document', { documentId: found.document_id });
    return item;
  });
}

/**
 * Logs an error, once a day, for each document that should have been registered a day ago, and retries it: the retries of its first
 * job may be used up.
 */
export async function alertUnregistered(portal: Portal): Promise<void> {
  const now = portal.clock();
  await transaction(portal.db, async (tx) => {
    const late = await tx
      .updateTable('e_invoice_waits')
      .from('documents')
      .set({ alarmed_at: new Date(now) })
      .whereRef('documents.id', '=', 'e_invoice_waits.document_id')
      .where('refused_at', 'is', null)
      .where('closed_at', 'is', null)
      .where('since', '<', new Date(now - lateMs))
      .where((where) => where.or([where('alarmed_at', 'is', null), where('alarmed_at', '<=', new Date(now - lateMs))]))
      .returning(['document_id', 'documents.number', 'since'])
      .execute();
    for (const { document_id: documentId, number, since } of late) {
      portal.log.error({ number, since }, 'a document has not been registered with the invoice portal for over a day');
      await portal.jobs.send(tx, 'finish-document', { documentId });
    }
  });
}

/**
 * For /backend/health: documents that have waited for registration for over a day, documents that were refused, and documents that the
 * invoice portal no longer accepts.
 */
export async function readEInvoiceHealth(portal: Portal): Promise<{ late: number; refused: number; overdue: number }> {
  const list = await readWorkList(portal.db, portal.clock(), portal.settings.eInvoiceThirtyDays);
  const waits = await portal.db
    .selectFrom('e_invoice_waits')
    .select((wait) => {
      const isLate = wait.and([wait('refused_at', 'is', null), wait('since', '<', new Date(portal.clock() - lateMs))]);
      return [countRows(isLate).as('late'), countRows(wait('refused_at', 'is not', null)).as('refused')];
    })
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { ...waits, overdue: list.filter(({ state }) => state === 'overdue').length };
}
