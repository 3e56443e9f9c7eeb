import { z } from 'zod';
import { isDay } from '#shared/domain/day.ts';
import { isDocumentNumber } from '#shared/domain/document-number.ts';
import { anyAddress, indianAddress, nameField, printedText } from '#products/invoicing/party-fields.ts';
import { quantityField, rupeesField, unitPriceField } from '#products/invoicing/wire-money.ts';

/** Unique Quantity Codes of GST returns. */
const unitCodes =
  'BAG BAL BDL BKL BOU BOX BTL BUN CAN CBM CCM CMS CTN DOZ DRM GGK GMS GRS GYD KGS KLR KME LTR MLT MTR MTS NOS OTH PAC PCS PRS QTL ROL SET SQF SQM SQY TBS TGM THD TON TUB UGS UNT YDS'.split(
    ' ',
  );

/** Rates allowed on an e-invoice, in per cent. */
const gstRates = [0, 0.1, 0.25, 0.5, 1, 1.5, 3, 5, 6, 7.5, 12, 18, 28, 40];

const gstinField = z.string().max(64).describe('GSTIN of the supplier');

const item = z.strictObject({
  description: printedText(1, 300).describe('Description as shown on the invoice'),
  hsn: z
    .string()
    .regex(/^(?:\d{4}|\d{6}|\d{8})$/, 'An HSN or SAC code on an invoice has 4, 6 or 8 digits.')
    .describe('HSN or SAC code'),
  quantity: quantityField
    .refine((value) => value > 0, 'The quantity must be more than 0.')
    .default(1)
    .describe('Number of units'),
  unit: z
    .enum(unitCodes, 'Use a Unique Quantity Code of GST, such as NOS, PCS, KGS or OTH.')
    .default('OTH')
    .describe('Unique Quantity Code'),
  unitPrice: unitPriceField.describe('Rupees, at most three decimals'),
  discount: rupeesField.default(0).describe('Discount in rupees on the whole line'),
  gstRate: z.literal(gstRates, `A GST rate must be one of ${gstRates.join(', ')}.`).describe('Per cent'),
});

/** The first example of the reference. */
export const exampleRequest = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { gstin: '29ZZZCA0001A1Z0' },
  document: { number: 'TPX/26-27/000001', date: '2026-11-02' },
  items: [
    { description: 'API access, Growth plan', hsn: '998319', quantity: 1, unit: 'OTH', unitPrice: 1499, gstRate: 18 },
    { description: 'Onboarding workshop', hsn: '998313', quantity: 2.5, unitPrice: 4000, discount: 500, gstRate: 18 },
  ],
};

const inclusiveExample = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { stateCode: '27' },
  document: { number: 'TPX/26-27/000002', date: '2026-11-02' },
  priceIncludesTax: true,
  items: [{ description: 'API access, Starter plan', hsn: '998319', unitPrice: 999, gstRate: 18 }],
};

const exportExample = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { overseas: true },
  underLut: true,
  document: { number: 'TPX/26-27/000003', date: '2026-11-02' },
  items: [{ description: 'API access, Scale plan', hsn: '998319', unitPrice: 4999, gstRate: 18 }],
};

const creditNoteExample = {
  supplier: { gstin: '27ZZZCA0001A1Z4' },
  recipient: { gstin: '29ZZZCA0001A1Z0' },
  document: {
    type: 'CRN',
    number: 'TPX/26-27/C0001',
    date: '2026-11-10',
    original: { number: 'TPX/26-27/000001', date: '2026-11-02' },
    reason: 'Half of the workshop did not take place',
  },
  items: [{ description: 'Onboarding workshop', hsn: '998313', unitPrice: 4750, gstRate: 18 }],
};

/** Parties with everything that a printed document and an e-invoice need. */
export const partiesExample = {
  supplier: {
    gstin: '27ZZZCA0001A1Z4',
    name: 'Zenith Sample Private Limited',
    address: { line1: '2, Sample House, MG Road', city: 'Mumbai', pin: '400053' },
  },
  recipient: {
    gstin: '29ZZZCA0001A1Z0',
    name: 'Kaveri Sample Traders',
    address: { line1: '14 Residency Road', city: 'Bengaluru', pin: '560025' },
  },
};

const day = z.string().refine(isDay, 'Enter a day as yyyy-mm-dd.').meta({ format: 'date' });
const documentNumber = z
  .string()
  .refine(isDocumentNumber, "1 to 16 letters, digits, '-' or '/', beginning with a letter or digit (Rule 46(b)).")
  .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9/-]{0,15}$' });

/** A supplier with everything that a printed document needs. */
export const fullSupplier = z.strictObject({ gstin: gstinField, name: nameField, address: indianAddress });

/** The request to compute an invoice. */
export const invoiceRequest = z
  .strictObject({
    supplier: fullSupplier
      .partial({ name: true, address: true })
      .describe('The supplier; name and address are needed for PDFs only'),
    recipient: z
      .strictObject({
        gstin: gstinField.optional().describe('GSTIN of a registered recipient'),
        stateCode: z.string().max(2).optional().describe('State code of a recipient without GSTIN, who needs one'),
        overseas: z.boolean().default(false).describe('The recipient is outside India'),
        sez: z.boolean().default(false).describe('The GSTIN is of a unit or developer of a Special Economic Zone'),
        name: nameField.optional(),
        address: anyAddress.optional(),
      })
      .describe('Exactly one of gstin, stateCode or overseas identifies the recipient’s location'),
    placeOfSupply: z
      .string()
      .max(2)
      .optional()
      .describe(
        'State code, if the place of supply is not that of the recipient: goods delivered elsewhere (IGST Act s.10), land, events (s.12(3) to (7))',
      ),
    underLut: z
      .boolean()
      .default(false)
      .describe('The supplier has a letter of undertaking: no tax on exports and SEZ supplies'),
    document: z.strictObject({
      type: z.enum(['INV', 'CRN', 'DBN']).default('INV').describe('Invoice, credit note or debit note'),
      number: documentNumber.describe("1 to 16 letters, digits, '-' or '/'; unique in the financial year"),
      date: day.describe('yyyy-mm-dd, not in the future'),
      original: z
        .strictObject({ number: documentNumber.describe('Its number'), date: day.describe('Its day') })
        .optional()
        .describe('The invoice that a credit or debit note refers to; required for notes (Rule 53(1A))'),
      reason: printedText(3, 200).optional().describe('Reason for a credit or debit note'),
    }),
    priceIncludesTax: z.boolean().default(false).describe('Unit prices and discounts include GST'),
    roundToRupee: z.boolean().default(false).describe('Round the total to the whole rupee with a round-off line'),
    items: z.array(item).min(1).max(500).describe('The lines of the document'),
  })
  .meta({ id: 'InvoiceRequest', examples: [exampleRequest, inclusiveExample, exportExample, creditNoteExample] });

export type InvoiceRequest = z.output<typeof invoiceRequest>;
export type InvoiceItem = InvoiceRequest['items'][number];
