import { financialYearOf } from '#shared/domain/financial-year.ts';
import { irnOf, isIrnDocumentNumber } from '#shared/domain/irn.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { rupees } from '#shared/domain/money.ts';
import { rupeesInWords } from '#shared/domain/rupee-words.ts';
import { splitExclusive, splitInclusive, type TaxKind, type TaxSplit } from '#shared/domain/tax-split.ts';
import type { DecidedTax } from '#products/invoicing/check-invoice.ts';
import type { InvoiceResponse, InvoiceLine } from '#products/invoicing/invoice-response.ts';
import type { InvoiceItem, InvoiceRequest } from '#products/invoicing/invoice-request.ts';
import { isOfExempt, titleOf } from '#products/invoicing/invoice-title.ts';
import { endorsementsFor, warningsFor } from '#products/invoicing/invoice-remarks.ts';
import { paiseOf, paiseOfQuantity } from '#products/invoicing/wire-money.ts';

type ComputedLine = { item: InvoiceItem; grossPaise: number; split: TaxSplit };

/**
 * Computes a checked request: line by line in whole paise, each tax rounded half up, totals as sums of rounded amounts.
 * With `priceIncludesTax` the total is exactly the sum of the prices, and the round-off line takes the difference.
 */
export function computeInvoice(request: InvoiceRequest, decided: DecidedTax): InvoiceResponse {
  const title = titleOf(request, decided);
  const decision = isOfExempt(request) ? withoutPayment(decided) : decided;
  const lines = request.items.map((item) => computeLine(item, request.priceIncludesTax, decision.tax));
  const sums = sumOf(lines.map((line) => line.split));
  const totalPaise = request.roundToRupee ? Math.floor((sums.totalPaise + 50) / 100) * 100 : sums.totalPaise;
  const { document } = request;
  const totals = {
    ...taxAmounts(sums),
    tax: rupees(sums.taxPaise),
    roundOff: rupees(totalPaise - sums.taxablePaise - sums.taxPaise),
    total: rupees(totalPaise),
    amountInWords: rupeesInWords(totalPaise),
  };
  return {
    document: { ...document, financialYear: financialYearOf(document.date) },
    title,
    placeOfSupply: { code: decision.placeOfSupply, name: decision.placeOfSupplyName },
    interState: decision.interState,
    tax: decision.tax,
    supplyType: decision.supplyType,
    lines: lines.map(lineResponse),
    hsnSummary: hsnSummary(lines),
    totals,
    expectedIrn: expectedIrn(request, decision),
    endorsements: endorsementsFor(decision, request),
    warnings: warningsFor(request, decision, sums.taxablePaise),
  };
}

function computeLine(item: InvoiceItem, priceIncludesTax: boolean, tax: TaxKind): ComputedLine {
  const grossPaise = paiseOfQuantity(item.unitPrice, item.quantity);
  const split = priceIncludesTax ? splitInclusive : splitExclusive;
  const rateBasisPoints = Math.round(item.gstRate * 100);
  return { item, grossPaise, split: split(grossPaise - paiseOf(item.discount), rateBasisPoints, tax) };
}

function sumOf(splits: readonly TaxSplit[]): TaxSplit {
  const sum = (part: (split: TaxSplit) => number) => splits.reduce((total, split) => total + part(split), 0);
  return {
    taxablePaise: sum((split) => split.taxablePaise),
    cgstPaise: sum((split) => split.cgstPaise),
    sgstPaise: sum((split) => split.sgstPaise),
    utgstPaise: sum((split) => split.utgstPaise),
    igstPaise: sum((split) => split.igstPaise),
    taxPaise: sum((split) => split.taxPaise),
    roundOffPaise: sum((split) => split.roundOffPaise),
    totalPaise: sum((split) => split.totalPaise),
  };
}

function taxAmounts(split: TaxSplit) {
  return {
    taxableValue: rupees(split.taxablePaise),
    cgst: rupees(split.cgstPaise),
    sgst: rupees(split.sgstPaise),
    utgst: rupees(split.utgstPaise),
    igst: rupees(split.igstPaise),
  };
}

function lineResponse({ item, grossPaise, split }: ComputedLine, index: number): InvoiceLine {
  return {
    serial: index + 1,
    ...item,
    grossValue: rupees(grossPaise),
    ...taxAmounts(split),
    total: rupees(split.taxablePaise + split.taxPaise),
  };
}

function hsnSummary(lines: readonly ComputedLine[]): InvoiceResponse['hsnSummary'] {
  const groups = new Map<string, ComputedLine[]>();
  for (const line of lines) {
    const key = `${line.item.hsn} ${line.item.unit} ${line.item.gstRate}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { hsn, unit, gstRate } = first.item;
    const thousandths = group.reduce((total, { item }) => total + Math.round(item.quantity * 1000), 0);
    return [
      { hsn, unit, gstRate, quantity: thousandths / 1000, ...taxAmounts(sumOf(group.map((line) => line.split))) },
    ];
  });
}

/** An exempt supply to a zone or abroad is without payment of tax, also without a letter of undertaking (Circular 45/19/2018-GST, paragraph 4). */
function withoutPayment(decision: DecidedTax): DecidedTax {
  const { supplyType } = decision;
  if (supplyType === 'EXPWP') return { ...decision, supplyType: 'EXPWOP' };
  return supplyType === 'SEZWP' ? { ...decision, supplyType: 'SEZWOP' } : decision;
}

/** Invoices to consumers are not registered (Rule 48(4)), nor are bills of supply, nor numbers that begin with 0. */
function expectedIrn(request: InvoiceRequest, decision: DecidedTax): string | null {
  const { supplier, document } = request;
  if (decision.supplyType === 'B2C' || isOfExempt(request) || !isIrnDocumentNumber(document.number)) return null;
  return irnOf({
    supplierGstin: parseGstin(supplier.gstin).gstin,
    financialYear: financialYearOf(document.date),
    documentType: document.type,
    documentNumber: document.number,
  });
}
