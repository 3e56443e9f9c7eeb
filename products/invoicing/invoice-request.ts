import { z } from 'zod';
import { isDay } from '#domain/day.ts';
import { isDocumentNumber } from '#domain/document-number.ts';
import { quantityField, rupeesField } from '#products/invoicing/wire-money.ts';

/** Unique Quantity Codes of GST returns. */
const unitCodes =
  'BAG BAL BDL BKL BOU BOX BTL BUN CAN CBM CCM CMS CTN DOZ DRM GGK GMS GRS GYD KGS KLR KME LTR MLT MTR MTS NOS OTH PAC PCS PRS QTL ROL SET SQF SQM SQY TBS TGM THD TON TUB UGS UNT YDS'.split(
    ' ',
  );

/** Rates an e-invoice may carry, in per cent. */
const gstRates = [0, 0.1, 0.25, 0.5, 1, 1.5, 3, 5, 6, 7.5, 12, 18, 28, 40];

const gstinField = z.string().max(64);

const item = z.strictObject({
  description: z.string().trim().min(1).max(300),
  hsn: z
    .string()
    .regex(/^(?:\d{4}|\d{6}|\d{8})$/, 'An HSN or SAC code on an invoice has 4, 6 or 8 digits.')
    .describe('HSN or SAC code'),
  quantity: quantityField.refine((value) => value > 0, 'The quantity must be more than 0.').default(1),
  unit: z
    .enum(unitCodes, 'Use a Unique Quantity Code of GST, such as NOS, PCS, KGS or OTH.')
    .default('OTH')
    .describe('Unique Quantity Code'),
  unitPrice: rupeesField.describe('Rupees'),
  discount: rupeesField.default(0).describe('Rupees off the whole line'),
  gstRate: z.literal(gstRates, `A GST rate is one of ${gstRates.join(', ')}.`).describe('Per cent'),
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

/** What a caller sends to have an invoice computed. */
export const invoiceRequest = z
  .strictObject({
    supplier: z.strictObject({ gstin: gstinField }),
    recipient: z
      .strictObject({
        gstin: gstinField.optional().describe('Of a registered recipient'),
        stateCode: z.string().max(2).optional().describe('Of a recipient without GSTIN; required then'),
        overseas: z.boolean().default(false).describe('The recipient is outside India'),
        sez: z.boolean().default(false).describe('The GSTIN is of a unit or developer of a Special Economic Zone'),
      })
      .describe('One of gstin, stateCode or overseas says who and where the recipient is'),
    underLut: z
      .boolean()
      .default(false)
      .describe('The supplier has a letter of undertaking: exports and SEZ supplies bear no tax'),
    document: z.strictObject({
      type: z.enum(['INV', 'CRN', 'DBN']).default('INV').describe('Invoice, credit note or debit note'),
      number: z
        .string()
        .refine(isDocumentNumber, "1 to 16 letters, digits, '-' or '/', beginning with a letter or digit (Rule 46(b)).")
        .describe("1 to 16 letters, digits, '-' or '/'; unique in the financial year"),
      date: z.string().refine(isDay, 'Give a day as yyyy-mm-dd.').describe('yyyy-mm-dd, not in the future'),
    }),
    priceIncludesTax: z.boolean().default(false).describe('Unit prices and discounts include GST'),
    roundToRupee: z.boolean().default(false).describe('Round the total to the whole rupee with a round-off line'),
    items: z.array(item).min(1).max(500),
  })
  .meta({ id: 'InvoiceRequest', examples: [exampleRequest, inclusiveExample, exportExample] });

export type InvoiceRequest = z.output<typeof invoiceRequest>;
export type InvoiceItem = InvoiceRequest['items'][number];
