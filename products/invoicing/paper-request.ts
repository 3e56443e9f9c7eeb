import { z } from 'zod';
import type { Fault } from '#products/http/problem.ts';
import type { InvoiceResponse } from '#products/invoicing/invoice-response.ts';
import { namedConsumerPaise } from '#products/invoicing/invoice-remarks.ts';
import { printedText } from '#products/invoicing/party-fields.ts';
import { exampleRequest, fullSupplier, invoiceRequest, partiesExample } from '#products/invoicing/invoice-request.ts';

/** The invoice portal's registration, as printed on the document. */
const registration = z.strictObject({
  irn: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'An IRN has 64 digits and letters a to f.')
    .describe('Invoice Reference Number'),
  ackNumber: printedText(1, 20).describe('As assigned by the portal'),
  ackAt: printedText(1, 40).describe('When the portal acknowledged it'),
  signedQrCode: z
    .string()
    .max(2500)
    .regex(/^[\x21-\x7e]+$/, 'A signed QR code is the text of a JWT, without spaces.')
    .describe('The signed text (JWT); it is printed as a QR code'),
});

/** The request to print an invoice. */
export const paperRequest = invoiceRequest
  .extend({
    supplier: fullSupplier,
    paper: z
      .strictObject({
        notes: z.array(printedText(1, 500)).max(5).default([]).describe('Paragraphs below the amounts'),
        signatory: printedText(1, 100)
          .optional()
          .describe('Name of the signatory; leave out for an electronically issued document'),
        registration: registration.optional().describe('From POST /v1/e-invoices'),
      })
      .default({ notes: [] }),
  })
  .meta({
    id: 'PaperRequest',
    examples: [{ ...exampleRequest, ...partiesExample, paper: { notes: ['Payable within 30 days.'] } }],
  });

export type PaperRequest = z.output<typeof paperRequest>;

/** All descriptions of a printed document: shaping words takes most of the time of a PDF; these take a second. */
const longestDescriptions = 40_000;

/** What keeps a request from being printed: more text than a PDF takes, or missing particulars of the recipient. */
export function paperFaults(request: PaperRequest, response: InvoiceResponse): Fault[] {
  return [...textFaults(request), ...recipientFaults(request, response)];
}

function textFaults({ items }: PaperRequest): Fault[] {
  const length = items.reduce((sum, { description }) => sum + description.length, 0);
  if (length <= longestDescriptions) return [];
  const most = longestDescriptions.toLocaleString('en-IN');
  const message = `The descriptions of all items together have at most ${most} characters in a PDF; these have ${length.toLocaleString('en-IN')}.`;
  return [{ in: 'body', pointer: '/items', message }];
}

/** What a printed document is missing: the recipient's name and address, wherever Rule 46 requires them, and the country of an export. */
function recipientFaults({ recipient }: PaperRequest, { supplyType, totals }: InvoiceResponse): Fault[] {
  if (supplyType === 'B2C' && totals.taxableValue * 100 < namedConsumerPaise) return [];
  const rule =
    supplyType === 'B2C' ? 'from a taxable value of ₹50,000 on (Rule 46(e))' : 'on this invoice (Rule 46(d))';
  const faults: Fault[] = (['name', 'address'] as const)
    .filter((field) => recipient[field] === undefined)
    .map((field) => ({
      in: 'body',
      pointer: `/recipient/${field}`,
      message: `The recipient's ${field} is required ${rule}.`,
    }));
  if (recipient.overseas && recipient.address !== undefined && recipient.address.country === undefined) {
    const message = 'The country of destination is required on an invoice for an export (Rule 46, third proviso).';
    faults.push({ in: 'body', pointer: '/recipient/address/country', message });
  }
  return faults;
}
