import { productName } from '#catalog/catalog.ts';
import type { AllHistoryEntry, HistoryEntry } from '#shared/contract/invoices.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf, daysBetween } from '#shared/domain/day.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import { listEveryActivation } from '#server/features/ownership/ownership.ts';
import { type CycleRecord, describeCycle, listCyclesAndPacks, readShown } from '#server/features/cycles/cycles.ts';
import { listDocuments, readFile, signedLink } from '#server/features/documents/documents.ts';
import { listRefunds } from '#server/features/refunds/refunds.ts';
import { listTds } from '#server/features/tds/tds.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** The billing history of an activation, newest first; a deleted activation's stays readable (product §4.3). */
export async function listHistory(portal: Portal, owner: Owner, activationId: string): Promise<HistoryEntry[]> {
  const found = await readHistory(portal, owner, activationId);
  return found.map(({ entry }) => entry);
}

/** The billing history of all activations, deleted ones included, newest first. */
export async function listAllHistory(portal: Portal, owner: Owner): Promise<AllHistoryEntry[]> {
  const [found, activations] = await Promise.all([readHistory(portal, owner), listEveryActivation(portal, owner)]);
  return found.map(({ activationId, entry }) => {
    const activation = activations.get(activationId);
    // Guaranteed by the foreign key of cycles.
    if (activation === undefined) throw new Error(`cycle ${entry.id} has no activation`);
    return { ...entry, activation };
  });
}

async function readHistory(
  portal: Portal,
  owner: Owner,
  activationId?: string,
): Promise<{ activationId: string; entry: HistoryEntry }[]> {
  const today = dayOf(portal.clock());
  const [records, refunds, tds, documents, shown] = await Promise.all([
    listCyclesAndPacks(owner, portal.db, activationId),
    listRefunds(owner, portal.db),
    listTds(portal, owner),
    listDocuments(portal, owner, activationId),
    readShown(portal, owner, today),
  ]);
  const byCycle = groupBy(documents.toReversed(), (document) => document.billingCycleId);
  const byId = new Map(records.map((record) => [record.id, record]));
  return records
    .toSorted((a, b) => dated(b).getTime() - dated(a).getTime())
    .map((record) => {
      const cycle = describeCycle(shown, record, byId.get(record.adds_to ?? ''));
      const { refund, returned } = refunds.get(record.id) ?? {};
      const entry = {
        id: cycle.id,
        date: dayOf(dated(record).getTime()),
        validFor: `${daysBetween(record.from_date, record.to_date)} days`,
        desc: `${productName(portal.catalog, record.service_id)}, ${cycle.planName}`,
        planName: cycle.planName,
        amount: cycle.price,
        changed: cycle.changed,
        status: cycle.status,
        bill: cycle.bill,
        fromDate: cycle.fromDate,
        toDate: cycle.toDate,
        invoiceId: cycle.invoiceId,
        invoiceDownload: cycle.invoiceId === null ? null : `/billing/invoice/${cycle.id}`,
        replaces: cycle.replaces,
        granted: cycle.granted,
        payments: cycle.payments,
        refund: refund ?? null,
        returned: returned ?? null,
        tds: tds.get(cycle.id) ?? null,
        documents: byCycle.get(cycle.id) ?? [],
      };
      return { activationId: record.activation_id, entry };
    });
}

const dated = (record: CycleRecord): Date => record.paid_at ?? record.created_at;

/** The path of the PDF of a cycle's document, below the backend's base URL. */
export function invoicePath(cycleId: string): string {
  return `/billing/invoice/${encodeURIComponent(cycleId)}/file`;
}

/** A short-lived download link to a cycle's invoice, or to its receipt voucher until it starts. */
export async function linkToInvoice(portal: Portal, owner: SignedInMember, cycleId: string) {
  const found = await portal.db
    .selectFrom('cycles')
    .leftJoin('current_papers', 'current_papers.cycle_id', 'cycles.id')
    .select(['current_papers.number', 'current_papers.document_id'])
    .where('cycles.id', '=', cycleId)
    .where('cycles.customer_id', '=', owner.customerId)
    .executeTakeFirst();
  if (!found) throw refuse('not_found');
  if (found.number === null || found.document_id === null) throw refuse('no_invoice');
  await readFile(portal, found.document_id);
  return { downloadUrl: signedLink(portal, invoicePath(cycleId), owner), invoiceId: found.number };
}

/** The document behind a signed link, and its customer. */
export async function findInvoiceFile(db: Db, cycleId: string): Promise<Owner & { documentId: string }> {
  const paper = await db
    .selectFrom('current_papers')
    .select(['customer_id', 'document_id'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirst();
  if (!paper) throw refuse('not_found');
  return { customerId: paper.customer_id, documentId: paper.document_id };
}
