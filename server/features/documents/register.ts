import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { isExempt, registerSign, registerStatus, titleOf } from '#shared/domain/document.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type ListedDocument, selectDocuments } from './store.ts';

const columns = [
  'Document',
  'Number',
  'Date',
  'Refers to',
  'Supplier',
  'Supplier GSTIN',
  'Recipient GSTIN',
  'Place of supply',
  'Description',
  'SAC',
  'From',
  'To',
  'Rate %',
  'Taxable value',
  'CGST',
  'SGST',
  'UTGST',
  'IGST',
  'Round off',
  'Total',
  'IRN',
  'Status',
  'Payment',
  'Purchase order',
  'Purchase order date',
];

/**
 * The customer's purchase register for a span of days, both included: every document, oldest first, with the supplier's GSTIN and each
 * tax. Refunds (credit notes, refund vouchers) are negative and a cancelled invoice is zero, so that invoices and credit notes add up to the purchases, and
 * vouchers that no invoice refers to add up to the advances.
 */
export async function purchaseRegister(portal: Portal, owner: Owner, from: Day, to: Day): Promise<string> {
  const documents = await selectDocuments(owner, portal.db, { from, to });
  return csvOf(columns, documents.toReversed().map(rowOf));
}

function rowOf(row: ListedDocument): CsvCell[] {
  const { content } = row;
  const sign = registerSign(row.kind, row.cancelled_at !== null);
  // Adding 0 turns -0 into 0.
  const amount = (paise: number) => (sign * paise) / 100 + 0;
  return [
    titleOf({ kind: row.kind, exempt: isExempt(content) }),
    row.number,
    row.issued_on,
    content.refersTo?.number ?? '',
    content.supplier.name,
    content.supplier.gstin,
    content.recipient.gstin ?? '',
    `${content.placeOfSupply} ${content.placeOfSupplyName}`,
    content.item.description,
    content.item.sac,
    content.item.fromDate,
    addDays(content.item.toDate, -1),
    content.tax === 'NONE' || content.withoutTax === true ? 0 : content.gstRateBasisPoints / 100,
    amount(row.taxable_paise),
    amount(row.cgst_paise),
    amount(row.sgst_paise),
    amount(row.utgst_paise),
    amount(row.igst_paise),
    amount(row.round_off_paise),
    amount(row.total_paise),
    row.irn ?? '',
    registerStatus(row),
    content.paymentId,
    content.purchaseOrder?.number ?? '',
    content.purchaseOrder?.date ?? '',
  ];
}
