import type { HistoryEntry } from '#contract/invoices.ts';
import { dayOf } from '#domain/day.ts';
import { rupees } from '#domain/money.ts';
import { type CycleRecord, describeCycle, listCycleRecords } from '#server/features/cycles/cycles.ts';
import { listRefunds } from '#server/features/refunds/refunds.ts';
import { backendPath } from '#server/platform/http/app.ts';
import { refuse } from '#server/platform/refuse.ts';
import { hmacHex, sameBytes } from '#server/platform/same-bytes.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { selectInvoiceFile, selectInvoiceNumber } from './store.ts';

export { issueInvoice } from './issue.ts';

/** A download link is good for five minutes. */
const linkLifeMs = 5 * 60_000;

/** The billing history of an activation, newest first; that of a deleted one stays readable (D4). */
export async function listHistory(portal: Portal, caller: Caller, activationId: string): Promise<HistoryEntry[]> {
  const today = dayOf(portal.clock());
  const [records, refunds] = await Promise.all([
    listCycleRecords(caller, portal.db, activationId),
    listRefunds(caller, portal.db),
  ]);
  const product = portal.catalog.find(records[0]?.service_id ?? '');
  return records
    .toSorted((a, b) => dated(b).getTime() - dated(a).getTime())
    .map((record) => {
      const cycle = describeCycle(record, today);
      const refund = refunds.get(record.id)?.[0];
      return {
        id: cycle.id,
        date: dayOf(dated(record).getTime()),
        validFor: `${record.plan.maxDays} days`,
        desc: `${product?.name ?? 'Unknown API'}, ${cycle.planName}`,
        amount: cycle.price,
        status: cycle.status,
        fromDate: cycle.fromDate,
        toDate: cycle.toDate,
        invoiceId: cycle.invoiceId,
        invoiceDownload: cycle.invoiceId === null ? null : `/billing/invoice/${cycle.id}`,
        payments: cycle.payments,
        refund: refund ? { amount: rupees(refund.amount_paise), status: refund.status } : null,
      };
    });
}

const dated = (record: CycleRecord): Date => record.paid_at ?? record.created_at;

/** A short-lived address of an invoice's file: a download cannot carry the session token. */
export async function linkToInvoice(portal: Portal, caller: Caller, cycleId: string) {
  const number = await selectInvoiceNumber(caller, portal.db, cycleId);
  if (number === undefined) throw refuse('not_found');
  if (number === null) throw refuse('no_invoice');
  const expires = portal.machineClock() + linkLifeMs;
  const query = new URLSearchParams({ expires: String(expires), signature: signLink(portal, cycleId, expires) });
  const path = `${backendPath}/billing/invoice/${encodeURIComponent(cycleId)}/file`;
  return { downloadUrl: `${portal.settings.portalUrl}${path}?${query.toString()}`, invoiceId: number };
}

/** The file behind a signed link. Anything wrong with the link answers as if there were nothing. */
export async function readInvoiceFile(portal: Portal, cycleId: string, expires: number, signature: string) {
  const good = sameBytes(signLink(portal, cycleId, expires), signature) && portal.machineClock() < expires;
  const file = good ? await selectInvoiceFile(portal.db, cycleId) : undefined;
  if (!file) throw refuse('not_found');
  return file;
}

function signLink(portal: Portal, cycleId: string, expires: number): string {
  return hmacHex(portal.linkSecret, `invoice ${cycleId} ${expires}`);
}
