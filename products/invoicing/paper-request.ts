import { z } from 'zod';
import type { Fault } from '#products/http/problem.ts';
import type { InvoiceAnswer } from '#products/invoicing/invoice-answer.ts';
import { exampleRequest, fullSupplier, invoiceRequest, partiesExample } from '#products/invoicing/invoice-request.ts';

/** What the invoice portal answered, as it goes on the paper. */
const registration = z.strictObject({
  irn: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'An IRN has 64 digits and letters a to f.')
    .describe('Invoice Reference Number'),
  ackNumber: z.string().min(1).max(20).describe('As the portal gave it'),
  ackAt: z.string().min(1).max(40).describe('When the portal acknowledged it'),
  signedQrCode: z.string().min(1).max(2500).describe('The signed text (JWT); it is printed as a QR code'),
});

/** What a caller sends to have an invoice printed. */
export const paperRequest = invoiceRequest
  .extend({
    supplier: fullSupplier,
    paper: z
      .strictObject({
        notes: z.array(z.string().trim().min(1).max(500)).max(5).default([]).describe('Paragraphs under the amounts'),
        signatory: z.string().trim().min(1).max(100).optional().describe('Who signs; leave out for electronic issue'),
        registration: registration.optional().describe('From POST /v1/e-invoices'),
      })
      .default({ notes: [] }),
  })
  .meta({
    id: 'PaperRequest',
    examples: [{ ...exampleRequest, ...partiesExample, paper: { notes: ['Payable within 30 days.'] } }],
  });

export type PaperRequest = z.output<typeof paperRequest>;

/** From here on an invoice to a consumer carries name and address (Rule 46(e)). */
const namedConsumerRupees = 50_000;

/** What is missing on paper: the recipient's name and address, wherever Rule 46(d), (e) asks for them. */
export function paperFaults({ recipient }: PaperRequest, { supplyType, totals }: InvoiceAnswer): Fault[] {
  if (supplyType === 'B2C' && totals.total < namedConsumerRupees) return [];
  const rule = supplyType === 'B2C' ? 'from ₹50,000 on (Rule 46(e))' : 'on this invoice (Rule 46(d))';
  return (['name', 'address'] as const)
    .filter((field) => recipient[field] === undefined)
    .map((field) => ({
      in: 'body',
      pointer: `/recipient/${field}`,
      message: `The recipient's ${field} is required ${rule}.`,
    }));
}
