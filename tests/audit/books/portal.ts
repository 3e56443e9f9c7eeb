import { readCredit } from '#shared/contract/credit.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import type { Tds } from '#shared/contract/tds.ts';
import type { PortalCustomer } from '#ship/demo/portal-customer.ts';
import { paise } from '#tests/audit/sums/arithmetic.ts';
import type { PortalBook } from './books.ts';

/** Withheld from a bank transfer, or accepted. */
function deductedIn(tds: Tds | null): number {
  if (tds?.isWithheld === true) return paise(tds.maxAmount);
  return tds?.claim?.status === 'ACCEPTED' ? paise(tds.claim.amount) : 0;
}

export async function readPortal(customer: PortalCustomer): Promise<PortalBook> {
  const [{ documents }, { entries }, { due }] = await Promise.all([
    customer.send(listDocuments, {}),
    customer.send(listAllHistory, {}),
    customer.send(readCredit, {}),
  ]);
  const paid = entries.filter(({ amount }) => amount > 0);
  const invoiced = new Set(documents.filter(({ kind }) => kind === 'INVOICE').map(({ refersTo }) => refersTo));
  return {
    papers: documents.toReversed().map((document) => ({
      number: document.number,
      kind: document.kind,
      on: document.date,
      total: paise(document.total),
      taxable: paise(document.taxableValue),
      igst: paise(document.igst),
      cgst: paise(document.cgst),
      sgst: paise(document.sgst) + paise(document.utgst),
      cancelled: document.cancelled,
      isInvoiced:
        (document.kind === 'RECEIPT_VOUCHER' && invoiced.has(document.number)) ||
        (document.kind === 'REFUND_VOUCHER' && invoiced.has(document.refersTo)),
    })),
    cycles: paid.map(({ status }) => status),
    due: paise(due),
    refunded: entries
      .flatMap(({ refund, returned }) => [refund, returned])
      .reduce((sum, back) => sum + paise(back?.amount ?? 0), 0),
    tds: entries.reduce((sum, { tds }) => sum + deductedIn(tds), 0),
  };
}
