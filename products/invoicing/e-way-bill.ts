import { z } from 'zod';
import { portalDay } from '#shared/domain/e-invoice.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { rupees } from '#shared/domain/money.ts';
import { type EWayBillRequest, isGoods } from '#products/invoicing/e-way-bill-request.ts';
import type { InvoiceResponse, InvoiceLine } from '#products/invoicing/invoice-response.ts';
import { paiseOf } from '#products/invoicing/wire-money.ts';

export const eWayBillResponse = z
  .object({
    required: z
      .boolean()
      .describe(
        'The consignment is worth more than ₹50,000 (Rule 138(1)): its goods with tax, without exempt ones, of which only de-oiled cake needs an e-way bill (Rule 138(14)(e)); States may set other limits',
      ),
    validForDays: z
      .int()
      .nullable()
      .describe(
        'From the entry of the vehicle: one day per 200 km, per 20 km for over-dimensional cargo and by ship. Null with a distance of 0, which the portal computes',
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

/** Oil-cake, the one kind of exempt goods that needs an e-way bill (Rule 138(14)(e)). */
const deOiledCake = /^230[456]/;

/** What counts towards the limit: beside taxable goods no exempt ones (Rule 138(1), explanation 2), and alone only de-oiled cake. */
function consignmentRupees(invoice: InvoiceResponse): number {
  const goods = invoice.lines.filter(isGoods);
  const taxable = goods.filter(({ gstRate }) => gstRate > 0);
  const counted = taxable.length > 0 ? taxable : goods.filter(({ hsn }) => deOiledCake.test(hsn));
  return counted.length === goods.length ? totalsOfGoods(invoice).total : rupeesOf(counted, 'total');
}

/** The portal's code for a buyer abroad. It wants a Special Economic Zone billed there too (its error 641), and the goods to travel to the zone's State. */
const otherCountries = '99';

/** The e-way bill's request in the portal's own field names. Call it when `eWayBillFaults` found nothing. */
export function eWayBillOf(request: EWayBillRequest, invoice: InvoiceResponse): z.output<typeof eWayBillResponse> {
  const { supplier, recipient, shipTo, document, transport } = request;
  const { lines } = invoice;
  const totals = totalsOfGoods(invoice);
  const seller = parseGstin(supplier.gstin);
  const buyer = parseGstin(recipient.gstin ?? '');
  const to = shipTo?.address ?? recipient.address;
  const buyerState = buyer.valid ? buyer.stateCode : (recipient.stateCode ?? otherCountries);
  // By ship the portal has the terms of over-dimensional cargo (Rule 138(10)), and wants its vehicle type (its error 726).
  const isOverDimensional = transport.overDimensional || transport.mode === 'ship';
  const kmPerDay = isOverDimensional ? 20 : 200;
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
      toStateCode: Number(recipient.sez ? otherCountries : buyerState),
      // 1 regular, 2 billed to one place and shipped to another.
      transactionType: shipTo === undefined ? 1 : 2,
      ...(shipTo && {
        shipToGSTIN: shipTo.gstin === undefined ? 'URP' : parseGstin(shipTo.gstin).gstin,
        shipToTradeName: shipTo.name ?? recipient.name ?? '',
      }),
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
      vehicleType: isOverDimensional ? 'O' : 'R',
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
