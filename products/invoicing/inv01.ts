import { z } from 'zod';
import { portalDay } from '#shared/domain/e-invoice.ts';
import { isIrnDocumentNumber } from '#shared/domain/irn.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { isPin } from '#shared/domain/pin-states.ts';
import type { Fault } from '#products/http/problem.ts';
import type { InvoiceResponse, InvoiceLine } from '#products/invoicing/invoice-response.ts';
import { exampleRequest, fullSupplier, invoiceRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { isOfExempt } from '#products/invoicing/invoice-title.ts';
import type { AnyAddress, IndianAddress } from '#products/invoicing/party-fields.ts';

/** The request to register an invoice. */
export const eInvoiceRequest = invoiceRequest
  .extend({ supplier: fullSupplier })
  .meta({ id: 'EInvoiceRequest', examples: [{ ...exampleRequest, ...partiesExample }] });

export type EInvoiceRequest = z.output<typeof eInvoiceRequest>;

/** The portal's own field names, from schema INV-01 version 1.1; amounts are rupees. */
export const inv01 = z.record(z.string(), z.unknown()).meta({ id: 'Inv01', description: 'Schema INV-01, version 1.1' });
export type Inv01 = ReturnType<typeof inv01Of>;

/** PIN and State code of every party outside India. */
const abroadPin = 999_999;
const abroadState = '96';

/** What the portal would reject, by field of our own request. */
export function eInvoiceFaults(request: EInvoiceRequest, { supplyType }: InvoiceResponse): Fault[] {
  const { recipient, document, items } = request;
  const faults: Fault[] = [];
  const add = (pointer: string, message: string) => faults.push({ in: 'body', pointer, message });
  if (supplyType === 'B2C') add('/recipient', 'Supplies to consumers are not registered (Rule 48(4)).');
  if (isOfExempt(request))
    add('/items', 'Nil-rated and exempt supplies have a bill of supply, which is not registered.');
  if (!isIrnDocumentNumber(document.number)) add('/document/number', 'The portal rejects numbers that begin with 0.');
  if (recipient.name === undefined) add('/recipient/name', 'The portal requires the name of the recipient.');
  const { address, overseas } = recipient;
  if (address === undefined) add('/recipient/address', 'The portal requires the address of the recipient.');
  else if (overseas && address.country === undefined)
    add('/recipient/address/country', 'The portal requires the country of the recipient.');
  else if (!overseas && !isPin(address.pin ?? '')) add('/recipient/address/pin', 'An address in India needs a PIN.');
  for (const [index, { hsn, description }] of items.entries()) {
    if (hsn.length < 6) add(`/items/${index}/hsn`, 'The portal requires at least 6 digits (2176).');
    if (description.length < 3) add(`/items/${index}/description`, 'The portal requires at least 3 letters.');
  }
  return faults;
}

/** The document in the invoice portal's format. Call it when `eInvoiceFaults` found nothing. */
export function inv01Of(
  { supplier, recipient, document, priceIncludesTax }: EInvoiceRequest,
  invoice: InvoiceResponse,
) {
  const { totals, lines, supplyType } = invoice;
  const { original } = document;
  return {
    Version: '1.1',
    TranDtls: { TaxSch: 'GST', SupTyp: supplyType, RegRev: 'N', IgstOnIntra: 'N' },
    DocDtls: { Typ: document.type, No: document.number, Dt: portalDay(document.date) },
    SellerDtls: {
      Gstin: parseGstin(supplier.gstin).gstin,
      LglNm: supplier.name,
      ...placeOf(supplier.address),
      Pin: Number(supplier.address.pin),
      Stcd: stateOf(supplier.gstin),
    },
    BuyerDtls: {
      Gstin: recipient.overseas ? 'URP' : parseGstin(recipient.gstin ?? '').gstin,
      LglNm: recipient.name ?? '',
      Pos: invoice.placeOfSupply.code,
      ...(recipient.address === undefined ? {} : placeOf(recipient.address)),
      Pin: recipient.overseas ? abroadPin : Number(recipient.address?.pin),
      Stcd: recipient.overseas ? abroadState : stateOf(recipient.gstin ?? ''),
    },
    ItemList: lines.map((line) => itemOf(line, priceIncludesTax, invoice)),
    ValDtls: {
      AssVal: totals.taxableValue,
      IgstVal: totals.igst,
      CgstVal: totals.cgst,
      // The schema has one field for State and Union territory tax.
      SgstVal: plus(totals.sgst, totals.utgst),
      CesVal: 0,
      RndOffAmt: totals.roundOff,
      TotInvVal: totals.total,
    },
    ...(original ? { RefDtls: { PrecDocDtls: [{ InvNo: original.number, InvDt: portalDay(original.date) }] } } : {}),
    ...(recipient.overseas ? { ExpDtls: { CntCode: recipient.address?.country ?? '' } } : {}),
  };
}

function placeOf({ line1, line2, city }: IndianAddress | AnyAddress) {
  return { Addr1: line1, ...(line2 === undefined ? {} : { Addr2: line2 }), Loc: city };
}

function stateOf(gstin: string): string {
  const parsed = parseGstin(gstin);
  return parsed.valid ? parsed.stateCode : '';
}

/** The schema has no tax-inclusive prices: such a line is reported by its taxable value. */
function itemOf(line: InvoiceLine, priceIncludesTax: boolean, { tax }: InvoiceResponse) {
  const price = priceIncludesTax
    ? {
        UnitPrice: Math.round((line.taxableValue / line.quantity) * 1000) / 1000,
        TotAmt: line.taxableValue,
        Discount: 0,
      }
    : { UnitPrice: line.unitPrice, TotAmt: line.grossValue, Discount: line.discount };
  return {
    SlNo: String(line.serial),
    PrdDesc: line.description,
    IsServc: line.hsn.startsWith('99') ? 'Y' : 'N',
    HsnCd: line.hsn,
    Qty: line.quantity,
    Unit: line.unit,
    ...price,
    AssAmt: line.taxableValue,
    GstRt: tax === 'NONE' ? 0 : line.gstRate,
    IgstAmt: line.igst,
    CgstAmt: line.cgst,
    SgstAmt: plus(line.sgst, line.utgst),
    CesRt: 0,
    CesAmt: 0,
    TotItemVal: line.total,
  };
}

/** One of the two is always 0, so nothing is rounded. */
function plus(one: number, other: number): number {
  return one === 0 ? other : one;
}
