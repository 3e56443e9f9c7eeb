import { partiesExample } from '#products/invoicing/invoice-request.ts';

/** A request to the invoicing API; different numbers give different documents. */
export function invoiceOf(lines: number, number: number) {
  return {
    ...partiesExample,
    document: { number: `B${number}`, date: '2026-11-02' },
    items: Array.from({ length: lines }, (_, index) => ({
      description: `API access ${number}/${index}`,
      hsn: '998319',
      unitPrice: 1000 + index,
      gstRate: 18,
    })),
  };
}
