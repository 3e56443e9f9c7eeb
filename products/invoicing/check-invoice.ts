import type { Day } from '#shared/domain/day.ts';
import { type GstinKind, parseGstin } from '#shared/domain/gstin.ts';
import {
  decideTax,
  type PlaceOfSupplyRefusal,
  type Recipient,
  type TaxDecision,
} from '#shared/domain/place-of-supply.ts';
import type { Fault } from '#products/http/problem.ts';
import type { InvoiceRequest } from '#products/invoicing/invoice-request.ts';
import { mostRupees, paiseOf, paiseOfQuantity } from '#products/invoicing/wire-money.ts';

export type DecidedTax = Extract<TaxDecision, { ok: true }>;

/** The day on which GST began. */
export const firstDay: Day = '2017-07-01';

type PlaceFault = [pointer: string, message: string];

const refusals: Record<Exclude<PlaceOfSupplyRefusal, 'gstin_invalid'>, PlaceFault> = {
  state_required: [
    '/recipient/stateCode',
    'Without a GSTIN the State of the recipient is required (Rule 46(f), Circular 242/36/2024-GST).',
  ],
  state_unknown: ['/recipient/stateCode', 'This code is not a valid place of supply in India today.'],
  supplier_state_unknown: ['/supplier/gstin', 'The State of this GSTIN is not a valid place of supply today.'],
};

function at(pointer: string, message: string): Fault {
  return { in: 'body', pointer, message };
}

/**
 * Checks what a schema cannot: check characters, contradictions, dates, amounts that do not add up. Returns the tax
 * decision when there are no errors. `today` is the day in India.
 */
export function checkInvoice(
  request: InvoiceRequest,
  today: Day,
): { ok: true; decision: DecidedTax } | { ok: false; faults: Fault[] } {
  const faults = [
    ...supplierFaults(request.supplier.gstin),
    ...recipientFaults(request),
    ...placeFaults(request),
    ...originalFaults(request.document),
    ...dateFaults(request.document.date, today),
    ...amountFaults(request.items),
  ];
  const supplier = parseGstin(request.supplier.gstin);
  if (!supplier.valid || faults.length > 0) return { ok: false, faults };
  const decision = decideTax({ supplierStateCode: supplier.stateCode, recipient: recipientOf(request) });
  if (!decision.ok) return { ok: false, faults: [placeFault(decision.refusal, request)] };
  if (request.placeOfSupply === undefined) return { ok: true, decision };
  const elsewhere = { kind: 'unregistered', stateCode: request.placeOfSupply } as const;
  const moved = decideTax({ supplierStateCode: supplier.stateCode, recipient: elsewhere });
  if (moved.ok) return { ok: true, decision: { ...moved, supplyType: decision.supplyType } };
  return { ok: false, faults: [at('/placeOfSupply', 'This code is not a valid place of supply in India today.')] };
}

function gstinFaults(pointer: string, gstin: string): Fault[] {
  const parsed = parseGstin(gstin);
  return parsed.valid ? [] : parsed.faults.map((fault) => at(pointer, fault.message));
}

/** Registrations under which no tax invoice can be issued: bodies that only claim refunds (CGST Act s.25(9)), and those for tax withheld (s.51, s.52). */
const notForInvoices: Partial<Record<GstinKind, string>> = {
  un_body_or_embassy: 'A UIN of a UN body or embassy cannot issue invoices (CGST Act s.25(9)).',
  tax_deductor: 'A registration for tax deducted at source cannot issue invoices (CGST Act s.51).',
  tax_collector: 'A registration for tax collected at source cannot issue invoices (CGST Act s.52).',
};

function supplierFaults(gstin: string): Fault[] {
  const parsed = parseGstin(gstin);
  if (!parsed.valid) return gstinFaults('/supplier/gstin', gstin);
  const ofKind = notForInvoices[parsed.kind];
  if (ofKind !== undefined) return [at('/supplier/gstin', ofKind)];
  const { discontinued, name } = parsed.state;
  if (discontinued === null) return [];
  const now = discontinued.successor === null ? '' : ` Its registrations continue under ${discontinued.successor}.`;
  return [at('/supplier/gstin', `State code ${parsed.stateCode} (${name}) has ended.${now}`)];
}

function recipientFaults({ supplier, recipient }: InvoiceRequest): Fault[] {
  const { gstin, stateCode, overseas, sez } = recipient;
  const faults: Fault[] = [];
  if (gstin !== undefined) {
    faults.push(...gstinFaults('/recipient/gstin', gstin));
    const [own, other] = [parseGstin(supplier.gstin), parseGstin(gstin)];
    if (own.gstin === other.gstin) faults.push(at('/recipient/gstin', 'Supplier and recipient have the same GSTIN.'));
    if (stateCode !== undefined && other.valid && stateCode !== other.stateCode) {
      faults.push(at('/recipient/stateCode', `The GSTIN is of State ${other.stateCode}; leave stateCode out.`));
    }
    if (overseas) faults.push(at('/recipient/overseas', 'A recipient outside India has no GSTIN.'));
  }
  if (overseas && stateCode !== undefined) {
    faults.push(at('/recipient/stateCode', 'A recipient outside India has no State.'));
  }
  if (overseas && recipient.address?.country === 'IN') {
    faults.push(at('/recipient/address/country', 'A recipient outside India has an address outside India.'));
  }
  if (sez && gstin === undefined) faults.push(at('/recipient/sez', 'A Special Economic Zone unit has a GSTIN.'));
  return faults;
}

/** The place of an export, and of a supply to a zone, follows from the recipient. */
function placeFaults({ placeOfSupply, recipient }: InvoiceRequest): Fault[] {
  return placeOfSupply !== undefined && (recipient.overseas || recipient.sez)
    ? [at('/placeOfSupply', 'Exports and supplies to a Special Economic Zone cannot have another place of supply.')]
    : [];
}

/** A credit or debit note names its invoice (Rule 53(1A)); an invoice must not name one. */
function originalFaults({ type, number, date, original }: InvoiceRequest['document']): Fault[] {
  const pointer = '/document/original';
  if (type === 'INV')
    return original === undefined ? [] : [at(pointer, 'An invoice has no original. Did you mean to send a note?')];
  if (original === undefined) return [at(pointer, 'A credit or debit note must name its invoice (Rule 53(1A)).')];
  const faults: Fault[] = [];
  if (original.date > date) faults.push(at(`${pointer}/date`, 'The invoice is dated after the note.'));
  if (original.date < firstDay) faults.push(at(`${pointer}/date`, `GST began on ${firstDay}.`));
  if (original.number.toUpperCase() === number.toUpperCase()) {
    faults.push(at(`${pointer}/number`, 'The note needs its own number, different from the invoice’s.'));
  }
  return faults;
}

function dateFaults(date: Day, today: Day): Fault[] {
  if (date > today) return [at('/document/date', `The date is in the future; today in India is ${today}.`)];
  return date < firstDay ? [at('/document/date', `GST began on ${firstDay}.`)] : [];
}

function amountFaults(items: InvoiceRequest['items']): Fault[] {
  return items.flatMap(({ unitPrice, quantity, discount }, index) => {
    const grossPaise = paiseOfQuantity(unitPrice, quantity);
    if (grossPaise > paiseOf(mostRupees)) return [at(`/items/${index}`, `A line can be at most ${mostRupees} rupees.`)];
    return paiseOf(discount) > grossPaise
      ? [at(`/items/${index}/discount`, 'The discount is more than quantity times unit price.')]
      : [];
  });
}

function recipientOf({ recipient, underLut }: InvoiceRequest): Recipient {
  const { gstin, stateCode, overseas, sez } = recipient;
  if (overseas) return { kind: 'overseas', underLut };
  if (gstin !== undefined) return { kind: 'registered', gstin, sez, underLut };
  return stateCode === undefined ? { kind: 'unregistered' } : { kind: 'unregistered', stateCode };
}

function placeFault(refusal: PlaceOfSupplyRefusal, { recipient }: InvoiceRequest): Fault {
  if (refusal === 'gstin_invalid') return at('/recipient/gstin', 'This GSTIN is not valid.');
  const [pointer, message] = refusals[refusal];
  const ofGstin = refusal === 'state_unknown' && recipient.gstin !== undefined;
  return at(ofGstin ? '/recipient/gstin' : pointer, message);
}
