import { z } from 'zod';
import { daysBetween, type Day, isDay } from '#domain/day.ts';
import { portalDay } from '#domain/e-invoice.ts';
import { parseGstin } from '#domain/gstin.ts';
import { rupees } from '#domain/money.ts';
import { isPin } from '#domain/pin-states.ts';
import { currentPlaceOfSupply, otherCountriesCode } from '#domain/states.ts';
import type { Fault } from '#products/http/problem.ts';
import type { InvoiceResponse, InvoiceLine } from '#products/invoicing/invoice-response.ts';
import { exampleRequest, fullSupplier, invoiceRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { anyAddress } from '#products/invoicing/party-fields.ts';
import { paiseOf } from '#products/invoicing/wire-money.ts';

const transport = z.strictObject({
  mode: z.enum(['road', 'rail', 'air', 'ship']),
  distanceKm: z.int().min(0).max(4000).describe('0 lets the portal compute it from the PINs'),
  vehicleNumber: z
    .string()
    .regex(/^[A-Z0-9]{7,15}$/, 'A vehicle number has 7 to 15 capital letters and digits.')
    .optional(),
  overDimensional: z.boolean().default(false),
  transporterId: z
    .string()
    .regex(/^[0-9]{2}[A-Z0-9]{13}$/, 'Enter the GSTIN or TRANSIN: 15 characters, the first two of them digits.')
    .optional()
    .describe('GSTIN or TRANSIN of the transporter'),
  transporterName: z.string().min(3).max(100).optional().describe('Name of the transporter'),
  documentNumber: z.string().min(1).max(15).optional().describe('For rail, air or ship'),
  documentDate: z.string().refine(isDay, 'Enter a day as yyyy-mm-dd.').meta({ format: 'date' }).optional(),
});

/** The example of the reference. */
export const eWayBillExample = {
  ...exampleRequest,
  ...partiesExample,
  items: [{ description: 'Cotton T-shirts', hsn: '61091000', quantity: 400, unit: 'PCS', unitPrice: 250, gstRate: 5 }],
  transport: { mode: 'road', distanceKm: 980, vehicleNumber: 'MH01AB1234' },
};

/** The request for an e-way bill: the invoice, the transport details, and the destination if it differs. */
export const eWayBillRequest = invoiceRequest
  .extend({
    supplier: fullSupplier,
    transport,
    shipTo: z
      .strictObject({ stateCode: z.string().length(2), address: anyAddress })
      .optional()
      .describe('The destination of the goods, if it is not the recipient’s address'),
  })
  .meta({
    id: 'EWayBillRequest',
    examples: [eWayBillExample],
  });

export type EWayBillRequest = z.output<typeof eWayBillRequest>;

export const eWayBillResponse = z
  .object({
    required: z
      .boolean()
      .describe(
        'The consignment is worth more than ₹50,000 (Rule 138(1)): its goods with tax, without exempt goods on a mixed invoice; States may set other limits',
      ),
    validForDays: z
      .int()
      .nullable()
      .describe(
        'From the entry of the vehicle: one day per 200 km, per 20 km for over-dimensional cargo. Null with a distance of 0, which the portal computes',
      ),
    action: z.literal('GENEWAYBILL'),
    eWayBill: z
      .record(z.string(), z.unknown())
      .describe("The request in the portal's own field names; send it unchanged"),
    warnings: z.array(z.object({ pointer: z.string(), message: z.string() })),
  })
  .meta({ id: 'EWayBillResponse' });

const modes = { road: '1', rail: '2', air: '3', ship: '4' };
const thresholdRupees = 50_000;
/** The maximum age of a document (advisory of 17 December 2024, from 1 January 2025). */
const oldestDays = 180;

const isGoods = ({ hsn }: { hsn: string }) => !hsn.startsWith('99');

const isDestination = (stateCode: string) =>
  stateCode !== otherCountriesCode && currentPlaceOfSupply(stateCode)?.code === stateCode;

/** What the portal would reject, by field of our own request. `today` is the day in India. */
export function eWayBillFaults(request: EWayBillRequest, today: Day): Fault[] {
  const { document, items, recipient, shipTo, transport } = request;
  const faults: Fault[] = [];
  const add = (pointer: string, message: string) => faults.push({ in: 'body', pointer, message });
  if (!items.some(isGoods)) add('/items', 'Services need no e-way bill; none of the items is goods.');
  if (document.type !== 'INV') add('/document/type', 'E-way bills are for invoices; a note has none.');
  if (daysBetween(document.date, today) > oldestDays) {
    add('/document/date', `The portal rejects documents older than ${oldestDays} days.`);
  }
  const to = shipTo?.address ?? recipient.address;
  const pointer = shipTo === undefined ? '/recipient/address' : '/shipTo/address';
  if (to === undefined) add(pointer, 'The portal requires the destination of the goods.');
  else if (!isPin(to.pin ?? ''))
    add(`${pointer}/pin`, 'The destination must be a PIN in India; for an export, that of the port.');
  if (shipTo !== undefined && !isDestination(shipTo.stateCode)) {
    add('/shipTo/stateCode', 'This is not the code of a State in India today.');
  }
  const { mode, vehicleNumber, transporterId, documentNumber, documentDate } = transport;
  if (mode === 'road' && vehicleNumber === undefined && transporterId === undefined) {
    add('/transport/vehicleNumber', 'By road, enter the vehicle, or the transporter who will add it.');
  }
  if (mode !== 'road' && (documentNumber === undefined || documentDate === undefined)) {
    const missing = documentNumber === undefined ? 'documentNumber' : 'documentDate';
    add(`/transport/${missing}`, 'By rail, air or ship, enter number and date of the transport document.');
  }
  // The portal's error 362.
  if (documentDate !== undefined && documentDate < document.date) {
    add('/transport/documentDate', 'The transport document cannot be older than the invoice.');
  }
  return faults;
}

type Amount = 'taxableValue' | 'cgst' | 'sgst' | 'utgst' | 'igst' | 'total';

/** What is on the way: services of the same invoice have no part in its value. */
function totalsOfGoods({ lines, totals }: InvoiceResponse) {
  const goods = lines.filter(isGoods);
  if (goods.length === lines.length) return totals;
  const sum = (part: Amount) => rupeesOf(goods, part);
  return {
    taxableValue: sum('taxableValue'),
    cgst: sum('cgst'),
    sgst: sum('sgst'),
    utgst: sum('utgst'),
    igst: sum('igst'),
    roundOff: 0,
    total: sum('total'),
  };
}

function rupeesOf(lines: readonly InvoiceLine[], part: Amount): number {
  return rupees(lines.reduce((paise, line) => paise + paiseOf(line[part]), 0));
}

/** An invoice of both exempt and taxable goods counts with the taxable ones (Rule 138(1), explanation 2). */
function consignmentRupees(invoice: InvoiceResponse): number {
  const taxable = invoice.lines.filter((line) => isGoods(line) && line.gstRate > 0);
  const exempt = invoice.lines.some((line) => isGoods(line) && line.gstRate === 0);
  return taxable.length > 0 && exempt ? rupeesOf(taxable, 'total') : totalsOfGoods(invoice).total;
}

/** The e-way bill's request in the portal's own field names. Call it when `eWayBillFaults` found nothing. */
export function eWayBillOf(request: EWayBillRequest, invoice: InvoiceResponse): z.output<typeof eWayBillResponse> {
  const { supplier, recipient, shipTo, document, transport } = request;
  const { lines } = invoice;
  const totals = totalsOfGoods(invoice);
  const seller = parseGstin(supplier.gstin);
  const buyer = parseGstin(recipient.gstin ?? '');
  const to = shipTo?.address ?? recipient.address;
  const buyerState = buyer.valid ? buyer.stateCode : (recipient.stateCode ?? '99');
  const kmPerDay = transport.overDimensional ? 20 : 200;
  return {
    required: consignmentRupees(invoice) > thresholdRupees,
    validForDays: transport.distanceKm === 0 ? null : Math.ceil(transport.distanceKm / kmPerDay),
    action: 'GENEWAYBILL',
    warnings: invoice.warnings,
    eWayBill: {
      userGstin: seller.gstin,
      supplyType: 'O',
      subSupplyType: recipient.overseas ? '3' : '1',
      subSupplyDesc: '',
      docType: invoice.title === 'Bill of supply' ? 'BIL' : 'INV',
      docNo: document.number,
      docDate: portalDay(document.date),
      fromGstin: seller.gstin,
      fromTrdName: supplier.name,
      fromAddr1: supplier.address.line1,
      fromAddr2: supplier.address.line2 ?? '',
      fromPlace: supplier.address.city,
      fromPincode: Number(supplier.address.pin),
      actFromStateCode: seller.valid ? Number(seller.stateCode) : 0,
      fromStateCode: seller.valid ? Number(seller.stateCode) : 0,
      toGstin: buyer.valid ? buyer.gstin : 'URP',
      toTrdName: recipient.name ?? '',
      toAddr1: to?.line1 ?? '',
      toAddr2: to?.line2 ?? '',
      toPlace: to?.city ?? '',
      toPincode: Number(to?.pin),
      actToStateCode: Number(shipTo?.stateCode ?? buyerState),
      toStateCode: Number(buyerState),
      // 1 regular, 2 billed to one place and shipped to another.
      transactionType: shipTo === undefined ? 1 : 2,
      totalValue: totals.taxableValue,
      cgstValue: totals.cgst,
      sgstValue: totals.sgst + totals.utgst,
      igstValue: totals.igst,
      cessValue: 0,
      cessNonAdvolValue: 0,
      otherValue: totals.roundOff,
      totInvValue: totals.total,
      transMode: modes[transport.mode],
      transDistance: String(transport.distanceKm),
      transporterId: transport.transporterId ?? '',
      transporterName: transport.transporterName ?? '',
      transDocNo: transport.documentNumber ?? '',
      transDocDate: transport.documentDate === undefined ? '' : portalDay(transport.documentDate),
      vehicleNo: transport.vehicleNumber ?? '',
      vehicleType: transport.overDimensional ? 'O' : 'R',
      itemList: lines.filter(isGoods).map((line) => itemOf(line, invoice)),
    },
  };
}

function itemOf(line: InvoiceLine, { tax }: InvoiceResponse) {
  const half = tax === 'CGST_SGST' || tax === 'CGST_UTGST' ? line.gstRate / 2 : 0;
  return {
    productName: line.description,
    productDesc: line.description,
    hsnCode: Number(line.hsn),
    quantity: line.quantity,
    qtyUnit: line.unit,
    cgstRate: half,
    sgstRate: half,
    igstRate: tax === 'IGST' ? line.gstRate : 0,
    cessRate: 0,
    taxableAmount: line.taxableValue,
  };
}
