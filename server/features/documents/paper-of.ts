import type { Day } from '#shared/domain/day.ts';
import { longDay, momentText, periodText } from '#shared/domain/day-text.ts';
import {
  type DocumentContent,
  type DocumentKind,
  type DocumentReference,
  isExempt,
  type IssuedDocument,
  titleOf,
} from '#shared/domain/document.ts';
import { formatAmount } from '#shared/domain/number-text.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { rupeesInWords } from '#shared/domain/rupee-words.ts';
import type { DocumentPaper } from '#shared/paper/document-paper.ts';

/** The data of an e-invoice registration that the PDF shows. */
export interface PaperRegistration {
  irn: string;
  ack_number: string;
  ack_at: Date;
  signed_qr: string;
}

/** Who signs the PDF, in words and with which certificate (undefined: it has no digital signature). */
export interface PaperSignature {
  signatory: string;
  certificate: { holder: string; issuer: string } | undefined;
}

/** The PDF's content: each kind of document with the particulars that its rule requires. */
export function paperOf(
  document: IssuedDocument,
  registration: PaperRegistration | undefined,
  signature: PaperSignature,
  amendedOn?: Day,
): DocumentPaper {
  const { kind, number, issuedOn, content } = document;
  const { supplier, recipient, item, split } = content;
  return {
    title: printedTitle(document, amendedOn !== undefined),
    number,
    date: issuedOn,
    copy: copyOf(kind, content),
    facts: [
      ...factsOf(document, issuedOn),
      ...(amendedOn === undefined ? [] : [{ name: 'Revised on', value: longDay(amendedOn) }]),
    ],
    supplier: { ...supplier, contact: contactOf(content) },
    recipientLabel: kind === 'INVOICE' ? 'Billed to' : 'Recipient',
    recipient: { name: recipient.name, lines: recipientLines(content), gstin: recipient.gstin },
    item: { description: item.description, period: periodText(item), sac: item.sac },
    ...amountsOf(content),
    totalLabel: totalLabels[kind],
    total: amount(split.totalPaise),
    totalInWords: rupeesInWords(split.totalPaise),
    notes: [...(amendedOn === undefined ? [] : [amendmentNote]), ...notesOf(document)],
    signatory: kind === 'INVOICE' && !signature.certificate ? null : signature.signatory,
    closing: closingOf(document, signature),
    registration: registration
      ? {
          irn: registration.irn,
          ackNumber: registration.ack_number,
          ackAt: momentText(registration.ack_at),
          signedQrCode: registration.signed_qr,
        }
      : null,
  };
}

const amendmentNote =
  'This revised version replaces the first one with the same number and date: the buyer’s details were corrected, and no amount has changed (CGST Act, section 37(3)).';

/** A corrected document says so prominently, as Rule 53(1)(a) asks of a revised invoice. */
function printedTitle({ kind, content }: IssuedDocument, isRevised: boolean): string {
  const plain = content.withoutTax === true ? 'Commercial credit note' : titleOf({ kind, exempt: isExempt(content) });
  return isRevised ? `Revised ${plain.toLowerCase()}` : plain;
}

/** The Udyam number stands where it tells the buyer of the 45 days within which a small enterprise is paid (MSMED Act 2006, s. 15). */
export function contactOf({
  supplier: { cin, udyam, email, phone },
  dueOn,
}: Pick<DocumentContent, 'supplier' | 'dueOn'>): string[] {
  const reached = [email, phone].filter((each) => each !== undefined).join(' · ');
  return [
    ...(cin === undefined ? [] : [`CIN ${cin}`]),
    ...(udyam === undefined || dueOn === undefined ? [] : [`Udyam ${udyam}`]),
    ...(reached === '' ? [] : [reached]),
  ];
}

/**
 * Every document needs a signature or digital signature (Rules 46(q), 50(k), 51(k), 53(1A)). The law exempts electronic invoices alone (Rule
 * 46, fifth proviso, Notification 74/2018-Central Tax); that the exemption extends to the other documents is an opinion, and named as one.
 */
function closingOf({ kind, content }: IssuedDocument, { certificate }: PaperSignature): string {
  if (certificate) {
    const { holder, issuer } = certificate;
    const by = issuer === holder ? holder : `${holder} (certificate issued by ${issuer})`;
    return `Digitally signed by ${by}. A PDF reader shows whether the signature is valid.`;
  }
  if (kind === 'INVOICE' && isExempt(content))
    return 'This is an electronic bill of supply issued under the Information Technology Act, 2000; it needs no signature (CGST Rule 49, third proviso).';
  if (kind === 'INVOICE')
    return 'This is an electronic invoice issued under the Information Technology Act, 2000; it needs no signature (CGST Rule 46, fifth proviso).';
  if (content.withoutTax === true) return 'This document was issued electronically.';
  return `Issued electronically without a signature, in the opinion that the exemption of electronic invoices (CGST Rule 46, fifth proviso; Information Technology Act, 2000) extends to this ${lower({ kind })}.`;
}

/** A commercial credit note is no credit note under section 34, so Rule 53 does not apply to it. */
function copyOf(kind: DocumentKind, content: DocumentContent): string {
  const { withoutTax } = content;
  if (kind === 'INVOICE')
    return isExempt(content) ? 'Nil-rated or exempt supply (CGST Rule 49)' : 'Original for recipient';
  if (kind === 'CREDIT_NOTE' && isExempt(content)) return 'For a bill of supply';
  return withoutTax === true ? 'Outside section 34 of the CGST Act' : kindOfPaper[kind];
}

const kindOfPaper = {
  RECEIPT_VOUCHER: 'For an advance payment (CGST Rule 50)',
  REFUND_VOUCHER: 'For the refund of an advance (CGST Rule 51)',
  CREDIT_NOTE: 'For a tax invoice (CGST Rule 53)',
};

const totalLabels = {
  INVOICE: 'Total',
  RECEIPT_VOUCHER: 'Advance received',
  REFUND_VOUCHER: 'Amount refunded',
  CREDIT_NOTE: 'Amount credited',
};

const numberLabels = {
  INVOICE: 'Invoice number',
  RECEIPT_VOUCHER: 'Voucher number',
  REFUND_VOUCHER: 'Voucher number',
  CREDIT_NOTE: 'Credit note number',
};

function factsOf({ kind, number, content }: IssuedDocument, issuedOn: string): DocumentPaper['facts'] {
  const { refersTo } = content;
  return [
    { name: kind === 'INVOICE' && isExempt(content) ? 'Bill of supply number' : numberLabels[kind], value: number },
    { name: 'Date of issue', value: longDay(issuedOn) },
    { name: 'Place of supply', value: `${content.placeOfSupply} ${content.placeOfSupplyName}` },
    ...(refersTo
      ? [
          { name: `${refersTo.kind === kind ? 'Replaces' : 'To'} ${lower(refersTo)}`, value: refersTo.number },
          {
            name: `Date of that ${shortName(refersTo)}`,
            value: longDay(refersTo.issuedOn),
          },
        ]
      : []),
    ...(content.purchaseOrder ? [{ name: 'Purchase order', value: orderText(content.purchaseOrder) }] : []),
    { name: 'Reverse charge', value: 'No' },
    { name: 'Activation', value: content.activationId },
    content.dueOn === undefined
      ? { name: 'Payment', value: content.paymentId }
      : { name: 'Due on', value: longDay(content.dueOn) },
    ...(content.utr === undefined ? [] : [{ name: 'Bank transfer (UTR)', value: content.utr }]),
    ...(content.withheldPaise === undefined
      ? []
      : [{ name: 'Deducted as tax (TDS)', value: `₹${amount(content.withheldPaise)}` }]),
    ...(content.taxPaidBeforePaise === undefined
      ? []
      : [{ name: 'Refunded before as tax (TDS)', value: `₹${amount(content.taxPaidBeforePaise)}` }]),
  ];
}

function orderText({ number, date }: PurchaseOrder): string {
  return date === null ? number : `${number} of ${longDay(date)}`;
}

export function recipientLines({
  recipient,
  supplyType,
}: Pick<DocumentContent, 'recipient'> & Partial<Pick<DocumentContent, 'supplyType'>>): string[] {
  const { address, city, pin, stateCode, stateName, country } = recipient;
  return [
    address,
    country === 'IN' ? `${city} ${pin}, ${stateName} (${stateCode})` : `${city} ${pin}, ${countryName(country)}`,
    ...(supplyType?.startsWith('SEZ') === true ? ['Unit or developer in a Special Economic Zone'] : []),
  ];
}

/** Each tax with its own rate, and the totals, as formatted texts. */
function amountsOf(content: DocumentContent) {
  const { split, tax, withoutTax, gstRateBasisPoints: rate } = content;
  const half = percent(rate / 2);
  const lines = {
    CGST_SGST: [
      { name: 'CGST', rate: half, amount: amount(split.cgstPaise) },
      { name: 'SGST', rate: half, amount: amount(split.sgstPaise) },
    ],
    CGST_UTGST: [
      { name: 'CGST', rate: half, amount: amount(split.cgstPaise) },
      { name: 'UTGST', rate: half, amount: amount(split.utgstPaise) },
    ],
    IGST: [{ name: 'IGST', rate: percent(rate), amount: amount(split.igstPaise) }],
    NONE: [{ name: 'IGST', rate: '0%', amount: amount(0) }],
  };
  return {
    ...(withoutTax === true && { valueLabel: 'Amount without tax' }),
    ...(isExempt(content) && { valueLabel: 'Value of supply' }),
    taxableValue: amount(split.taxablePaise),
    taxes: withoutTax === true || isExempt(content) ? [] : lines[tax],
    roundOff: split.roundOffPaise === 0 ? null : amount(split.roundOffPaise),
  };
}

function notesOf({ kind, content }: IssuedDocument): string[] {
  return [...paymentNotes(kind, content), ...endorsements(content)];
}

function paymentNotes(kind: IssuedDocument['kind'], content: DocumentContent): string[] {
  const { refersTo, reason, split } = content;
  const paid = `₹${amount(split.totalPaise)}`;
  const original = refersTo && `${lower(refersTo)} ${refersTo.number} of ${longDay(refersTo.issuedOn)}`;
  if (kind === 'RECEIPT_VOUCHER') {
    return [
      // Which of them depends on the rate of that day.
      `Received in advance. The tax invoice, or the bill of supply if it is not taxed then, follows when the service starts, on ${longDay(content.item.fromDate)}.`,
    ];
  }
  if (kind === 'REFUND_VOUCHER' || kind === 'CREDIT_NOTE') return [`${reason ?? ''} (${original ?? ''}).`];
  if (refersTo?.kind === 'RECEIPT_VOUCHER') {
    return [`Paid in full: ${paid} was received in advance (${original}). Nothing is left to pay.`];
  }
  if (refersTo && content.dueOn !== undefined)
    return [
      `${reason ?? ''}. This ${shortName(refersTo)} replaces ${original}. What was paid or credited for that one counts for this one.`,
    ];
  if (refersTo)
    return [
      `${reason ?? ''}. This ${shortName(refersTo)} replaces ${original}, and the payment for that ${shortName(refersTo)} counts for this one. Nothing is left to pay.`,
    ];
  if (content.dueOn !== undefined) return [`Please pay ${paid} by ${longDay(content.dueOn)}.`];
  return ['Paid in full.'];
}

/** The endorsement that Rule 46, third proviso, requires on an invoice for an export or an SEZ. */
function endorsements(content: DocumentContent): string[] {
  const { supplyType, tax, lut, withoutTax } = content;
  if (withoutTax === true) {
    return [
      'Commercial credit note: the tax stays as it was invoiced, because the time for reducing it has passed (CGST Act, section 34(2)).',
    ];
  }
  if (supplyType === 'B2B' || supplyType === 'B2C') return [];
  const what = supplyType.startsWith('SEZ')
    ? 'Supply to SEZ unit or SEZ developer for authorised operations'
    : 'Supply meant for export';
  if (isExempt(content) && lut === null) return [`${what} without payment of integrated tax.`];
  return tax === 'NONE'
    ? [`${what} under letter of undertaking ${lut ?? ''} without payment of integrated tax.`]
    : [`${what} on payment of integrated tax.`];
}

const lower = (document: Pick<DocumentReference, 'kind' | 'exempt'>): string => titleOf(document).toLowerCase();

function shortName({ kind, exempt }: DocumentReference): string {
  if (kind.endsWith('VOUCHER')) return 'voucher';
  return exempt === true ? 'bill' : 'invoice';
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const countryName = (code: string): string => countryNames.of(code) ?? code;
const amount = (paise: number): string => formatAmount(paise / 100);
const percent = (basisPoints: number): string => `${basisPoints / 100}%`;
