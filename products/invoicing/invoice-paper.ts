import type { Day } from '#shared/domain/day.ts';
import { longDay } from '#shared/domain/day-text.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { formatAmount, formatNumber, formatPrice } from '#shared/domain/number-text.ts';
import type { DocumentPaper, PaperLine } from '#shared/paper/document-paper.ts';
import { RequestFaults } from '#products/http/problem.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import type { InvoiceResponse, InvoiceLine } from '#products/invoicing/invoice-response.ts';
import { isOfExempt } from '#products/invoicing/invoice-title.ts';
import { countryName } from '#products/invoicing/party-fields.ts';
import { paperFaults, type PaperRequest } from '#products/invoicing/paper-request.ts';

const totalLabels = { INV: 'Total', CRN: 'Amount credited', DBN: 'Amount debited' };

/** Computes a request to print an invoice and lays it out. Throws RequestFaults with what is wrong with it. */
export function printedInvoice(request: PaperRequest, today: Day, specimen: boolean): DocumentPaper {
  const invoice = checkAndCompute(request, today);
  const faults = paperFaults(request, invoice);
  if (faults.length > 0) throw new RequestFaults(faults);
  return paperOfInvoice(request, invoice, specimen);
}

/**
 * A computed invoice as a document with the particulars of Rule 46, or of Rule 53(1A) for a note. A specimen is not a
 * valid invoice.
 */
function paperOfInvoice(request: PaperRequest, invoice: InvoiceResponse, specimen: boolean): DocumentPaper {
  const { supplier, document, paper } = request;
  const parsed = parseGstin(supplier.gstin);
  const { name, address } = supplier;
  const { totals } = invoice;
  return {
    ...(specimen ? { stamp: 'SPECIMEN' as const } : {}),
    title: invoice.title,
    number: document.number,
    date: document.date,
    copy: copyOf(request, invoice),
    facts: factsOf(request, invoice),
    supplier: {
      name,
      gstin: parsed.gstin,
      address: [address.line1, address.line2, `${address.city} ${address.pin}`].filter(Boolean).join(', '),
      stateCode: parsed.valid ? parsed.stateCode : '',
      stateName: parsed.valid ? parsed.state.name : '',
      contact: [],
    },
    recipientLabel: document.type === 'INV' ? 'Billed to' : 'Recipient',
    recipient: recipientOf(request, invoice),
    lines: linesOf(invoice.lines),
    ...(isOfExempt(request) && { valueLabel: 'Value of supply' }),
    taxableValue: formatAmount(totals.taxableValue),
    taxes: isOfExempt(request) ? [] : taxesOf(invoice),
    roundOff: totals.roundOff === 0 ? null : formatAmount(totals.roundOff),
    totalLabel: totalLabels[document.type],
    total: formatAmount(totals.total),
    totalInWords: totals.amountInWords,
    notes: [
      ...invoice.endorsements,
      ...(request.priceIncludesTax && totals.tax > 0 ? ['Prices and discounts include GST.'] : []),
      ...(document.reason === undefined ? [] : [`Reason: ${document.reason}`]),
      ...paper.notes,
    ],
    signatory: paper.signatory ?? null,
    closing: paper.signatory === undefined ? 'This document was issued electronically.' : '',
    registration: paper.registration
      ? {
          irn: paper.registration.irn,
          ackNumber: paper.registration.ackNumber,
          ackAt: paper.registration.ackAt,
          signedQrCode: paper.registration.signedQrCode,
        }
      : null,
  };
}

function copyOf(request: PaperRequest, { title }: InvoiceResponse): string {
  if (request.document.type !== 'INV')
    return isOfExempt(request) ? 'To a bill of supply' : 'To a tax invoice (CGST Rule 53)';
  if (title === 'Bill of supply') return 'Nil-rated or exempt supply (CGST Rule 49)';
  return title === 'Tax invoice' ? 'Original for recipient' : 'Taxable and exempt supplies (CGST Rule 46A)';
}

function factsOf(request: PaperRequest, { placeOfSupply, title }: InvoiceResponse): DocumentPaper['facts'] {
  const { document } = request;
  const { original } = document;
  const [before, short] = isOfExempt(request) ? ['bill of supply', 'bill'] : ['tax invoice', 'invoice'];
  return [
    { name: `${title} number`, value: document.number },
    { name: 'Date of issue', value: longDay(document.date) },
    { name: 'Place of supply', value: `${placeOfSupply.code} ${placeOfSupply.name}` },
    ...(original
      ? [
          { name: `To ${before}`, value: original.number },
          { name: `Date of that ${short}`, value: longDay(original.date) },
        ]
      : []),
    { name: 'Reverse charge', value: 'No' },
  ];
}

function recipientOf({ recipient }: PaperRequest, { placeOfSupply }: InvoiceResponse): DocumentPaper['recipient'] {
  const { name = 'Consumer', address, gstin } = recipient;
  const parsed = parseGstin(gstin ?? '');
  const state = parsed.valid
    ? `${parsed.state.name} (${parsed.stateCode})`
    : `${placeOfSupply.name} (${placeOfSupply.code})`;
  const place = recipient.overseas ? (address?.country === undefined ? '' : countryName(address.country)) : state;
  const city = [address?.city, address?.pin].filter(Boolean).join(' ');
  return {
    name,
    lines: [address?.line1, address?.line2, [city, place].filter(Boolean).join(', ')].filter(
      (line) => line !== undefined,
    ),
    gstin: gstin === undefined ? null : parsed.gstin,
  };
}

function linesOf(lines: readonly InvoiceLine[]): PaperLine[] {
  const discounted = lines.some((line) => line.discount > 0);
  return lines.map((line) => ({
    description: line.description,
    code: line.hsn,
    quantity: `${formatNumber(line.quantity)} ${line.unit}`,
    unitPrice: formatPrice(line.unitPrice),
    discount: discounted ? formatAmount(line.discount) : null,
    rate: `${line.gstRate}%`,
    taxableValue: formatAmount(line.taxableValue),
  }));
}

/** A row for each tax of each rate (Rule 46(l) and (m)). */
function taxesOf({ lines, tax }: InvoiceResponse): DocumentPaper['taxes'] {
  if (tax === 'NONE') return [{ name: 'IGST', rate: '0%', amount: formatAmount(0) }];
  const names = {
    CGST_SGST: [
      ['CGST', 'cgst'],
      ['SGST', 'sgst'],
    ],
    CGST_UTGST: [
      ['CGST', 'cgst'],
      ['UTGST', 'utgst'],
    ],
    IGST: [['IGST', 'igst']],
  } as const;
  const rates = [...new Set(lines.map((line) => line.gstRate))].toSorted((one, other) => one - other);
  return rates.flatMap((rate) =>
    names[tax].map(([name, part]) => {
      const paise = lines
        .filter((line) => line.gstRate === rate)
        .reduce((sum, line) => sum + Math.round(line[part] * 100), 0);
      return { name, rate: `${tax === 'IGST' ? rate : rate / 2}%`, amount: formatAmount(paise / 100) };
    }),
  );
}
