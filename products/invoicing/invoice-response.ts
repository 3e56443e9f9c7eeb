import { z } from 'zod';
import { invoiceTitles } from '#products/invoicing/invoice-title.ts';

const rupees = z.number().describe('Rupees, at most two decimals');

const taxAmounts = { taxableValue: rupees, cgst: rupees, sgst: rupees, utgst: rupees, igst: rupees };

const line = z
  .object({
    serial: z.int().describe('From 1'),
    description: z.string(),
    hsn: z.string(),
    quantity: z.number(),
    unit: z.string(),
    unitPrice: z.number().describe('Rupees, at most three decimals'),
    grossValue: rupees.describe('Quantity times unit price'),
    discount: rupees,
    gstRate: z.number(),
    ...taxAmounts,
    total: rupees.describe('Taxable value and taxes, before round-off'),
  })
  .meta({ id: 'InvoiceLine' });

const warning = z.object({ pointer: z.string(), message: z.string() });

/** A computed invoice. */
export const invoiceResponse = z
  .object({
    document: z.object({
      type: z.enum(['INV', 'CRN', 'DBN']),
      number: z.string(),
      date: z.string(),
      financialYear: z.string(),
      original: z.object({ number: z.string(), date: z.string() }).optional(),
      reason: z.string().optional(),
    }),
    title: z
      .enum(invoiceTitles)
      .describe('What the law calls the document; that of exempt supplies is a bill of supply'),
    placeOfSupply: z.object({ code: z.string(), name: z.string() }),
    interState: z.boolean(),
    tax: z.enum(['CGST_SGST', 'CGST_UTGST', 'IGST', 'NONE']),
    supplyType: z
      .enum(['B2B', 'B2C', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP'])
      .describe('As in e-invoices; WP with payment of tax, WOP without'),
    lines: z.array(line),
    hsnSummary: z
      .array(z.object({ hsn: z.string(), unit: z.string(), gstRate: z.number(), quantity: z.number(), ...taxAmounts }))
      .describe('Totals by code, unit and rate, as GSTR-1 requires them'),
    totals: z.object({
      ...taxAmounts,
      tax: rupees,
      roundOff: rupees.describe('May be negative'),
      total: rupees,
      amountInWords: z.string(),
    }),
    expectedIrn: z
      .string()
      .nullable()
      .describe(
        'The Invoice Reference Number that the registration portal will assign to this document; null when none is assigned. This call registers nothing.',
      ),
    endorsements: z.array(z.string()).describe('Texts that Rule 46 requires on this invoice'),
    warnings: z.array(warning).describe('Allowed, but probably a mistake or incomplete'),
  })
  .meta({ id: 'Invoice' });

export type InvoiceResponse = z.output<typeof invoiceResponse>;
export type InvoiceLine = z.output<typeof line>;
export type InvoiceWarning = z.output<typeof warning>;
