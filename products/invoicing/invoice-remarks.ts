import type { Day } from '#shared/domain/day.ts';
import { lastCreditNoteDay } from '#shared/domain/document.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { statesOfPin } from '#shared/domain/pin-states.ts';
import type { DecidedTax } from '#products/invoicing/check-invoice.ts';
import { isMixed, isOfExempt } from '#products/invoicing/invoice-title.ts';
import type { InvoiceWarning } from '#products/invoicing/invoice-response.ts';
import type { InvoiceItem, InvoiceRequest } from '#products/invoicing/invoice-request.ts';

const endorsements: Partial<Record<DecidedTax['supplyType'], string>> = {
  EXPWP: 'SUPPLY MEANT FOR EXPORT ON PAYMENT OF INTEGRATED TAX',
  EXPWOP: 'SUPPLY MEANT FOR EXPORT UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX',
  SEZWP: 'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX',
  SEZWOP:
    'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX',
};

/** The text that the third proviso of Rule 46 requires on invoices for exports and for Special Economic Zones. */
export function endorsementsFor({ supplyType }: DecidedTax, request: InvoiceRequest): string[] {
  const text = endorsements[supplyType];
  if (text === undefined) return [];
  // Without a letter of undertaking, which an exempt supply doesn't need.
  return [isOfExempt(request) && !request.underLut ? text.replace('UNDER BOND OR LETTER OF UNDERTAKING ', '') : text];
}

/** From this taxable value on, an invoice to a consumer needs name and address (Rule 46(e): the value of the taxable supply, so without tax). */
export const namedConsumerPaise = 5_000_000;

/** On 22 September 2025 rates were reduced to 5, 18 and 40 %; 28 % remained for tobacco until 31 January 2026. */
const newRatesFrom: Day = '2025-09-22';
const tobaccoRatesFrom: Day = '2026-02-01';

/** Warnings: allowed, but probably a mistake or incomplete. */
export function warningsFor(request: InvoiceRequest, decision: DecidedTax, taxablePaise: number): InvoiceWarning[] {
  const { document, items } = request;
  const warnings = items.flatMap((item, index) => itemWarnings(item, index, document.date, decision));
  if (decision.supplyType === 'B2C' && taxablePaise >= namedConsumerPaise) {
    const message = `From a taxable value of ${formatRupees(namedConsumerPaise)} on, the invoice must carry the recipient's name and address (Rule 46(e)).`;
    warnings.push({ pointer: '/recipient', message });
  }
  if (decision.supplyType !== 'B2C' && document.type === 'INV' && isMixed(request)) {
    const message =
      'A registered recipient gets a bill of supply for nil-rated and exempt items, apart from the tax invoice (Rules 46A and 49).';
    warnings.push({ pointer: `/items/${items.findIndex(({ gstRate }) => gstRate === 0)}/gstRate`, message });
  }
  if (decision.supplyType !== 'B2C' && document.number.startsWith('0')) {
    const message = 'The invoice registration portal rejects numbers that begin with 0.';
    warnings.push({ pointer: '/document/number', message });
  }
  if (request.underLut && decision.tax !== 'NONE') {
    const message = 'A letter of undertaking has no effect on a supply inside India.';
    warnings.push({ pointer: '/underLut', message });
  }
  if (
    document.type === 'CRN' &&
    document.original &&
    document.date > lastCreditNoteDay(document.original.date, '10-31')
  ) {
    const last = lastCreditNoteDay(document.original.date, '10-31');
    const message = `After ${last} a credit note no longer lowers your tax: the return that names it must be furnished by 30 November (CGST Act s.34(2)).`;
    warnings.push({ pointer: '/document/date', message });
  }
  return [...warnings, ...pinWarnings(request)];
}

/** Warns about a PIN in another State than the GSTIN's; an unknown PIN proves nothing. */
function pinWarnings({ supplier, recipient }: InvoiceRequest): InvoiceWarning[] {
  const parties = [
    { name: 'supplier', gstin: supplier.gstin, pin: supplier.address?.pin, stateCode: undefined },
    { name: 'recipient', gstin: recipient.gstin, pin: recipient.address?.pin, stateCode: recipient.stateCode },
  ];
  return parties.flatMap(({ name, gstin, pin = '', stateCode }) => {
    const parsed = parseGstin(gstin ?? '');
    const code = parsed.valid ? parsed.stateCode : stateCode;
    const states = statesOfPin(pin);
    if (code === undefined || states.length === 0 || states.some((state) => state.code === code)) return [];
    const message = `This PIN is in ${states.map((state) => state.name).join(' or ')}, not in State ${code}.`;
    return [{ pointer: `/${name}/address/pin`, message }];
  });
}

function itemWarnings({ hsn, gstRate }: InvoiceItem, index: number, date: Day, decision: DecidedTax): InvoiceWarning[] {
  const warnings: InvoiceWarning[] = [];
  if (hsn.length === 4 && decision.supplyType !== 'B2C') {
    const message = '4 digits are allowed only up to ₹5 crore of turnover; e-invoices require 6.';
    warnings.push({ pointer: `/items/${index}/hsn`, message });
  }
  const rate = rateWarning(gstRate, date);
  if (rate !== null) warnings.push({ pointer: `/items/${index}/gstRate`, message: rate });
  return warnings;
}

function rateWarning(gstRate: number, date: Day): string | null {
  if (gstRate === 40 && date < newRatesFrom) return `40 % began on ${newRatesFrom}.`;
  if (gstRate === 28 && date >= tobaccoRatesFrom) return `28 % ended before ${tobaccoRatesFrom}.`;
  if (gstRate === 28 && date >= newRatesFrom)
    return `Since ${newRatesFrom} 28 % applied only to tobacco and pan masala.`;
  return gstRate === 12 && date >= newRatesFrom
    ? `Since ${newRatesFrom} 12 % applies only to bricks and roofing tiles.`
    : null;
}
