import { z } from 'zod';
import { dayOf } from '#shared/domain/day.ts';
import { contentDisposition } from '#shared/domain/file-name.ts';
import type { Renderer } from '#shared/paper/renderer.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { responsesOf, bodyFailures, failuresOf } from '#products/http/api-description.ts';
import { isTestCall, sharerOf } from '#products/http/gateway-headers.ts';
import { repeatable } from '#products/idempotency/idempotency.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import { invoiceResponse } from '#products/invoicing/invoice-response.ts';
import { printedInvoice } from '#products/invoicing/invoice-paper.ts';
import { exampleRequest, invoiceRequest } from '#products/invoicing/invoice-request.ts';
import { checkedPaperOf, checkLargePapers } from '#products/invoicing/large-papers.ts';
import { paperRequest } from '#products/invoicing/paper-request.ts';

/** Errors of a call that sends a body and may be repeated with an Idempotency-Key. */
export const repeatableFailures = [...bodyFailures, 409] as const;

/** A buffer, sent unchanged; the reference describes such a body as a binary string. */
const pdf = z.custom<Buffer>((value) => Buffer.isBuffer(value)).meta({ type: 'string', format: 'binary' });

/** Invoices, credit notes and debit notes: computed, and printed. */
export function invoiceRoutes(server: ProductServer, renderer: Renderer, now: Clock): void {
  server.route({
    method: 'POST',
    url: '/v1/invoices/compute',
    schema: {
      operationId: 'computeInvoice',
      tags: ['Invoices'],
      summary: 'Compute an invoice',
      description:
        'Amounts are rupees with at most two decimals. All errors are returned at once, each with a JSON pointer to its field; allowed but questionable input gives a warning. Stores and registers nothing.',
      headers: repeatable,
      body: invoiceRequest,
      response: responsesOf(
        invoiceResponse,
        checkAndCompute(invoiceRequest.parse(exampleRequest), exampleRequest.document.date),
        { statuses: repeatableFailures },
      ),
    },
    handler: (request) => checkAndCompute(request.body, dayOf(now())),
  });

  server.route({
    method: 'POST',
    url: '/v1/invoices/pdf',
    schema: {
      operationId: 'printInvoice',
      tags: ['Invoices'],
      summary: 'Print an invoice as PDF',
      description:
        'The same request plus names and addresses gives a tax invoice, credit note or debit note on A4 with the particulars of Rules 46 and 53; the same data gives the same bytes. `paper.registration` adds the IRN and the signed QR code. The descriptions of all items together have at most 40,000 characters. Documents of test keys are marked SPECIMEN.',
      headers: repeatable,
      body: paperRequest,
      response: {
        ...failuresOf(repeatableFailures),
        200: { description: 'The document.', content: { 'application/pdf': { schema: pdf } } },
      },
    },
    preValidation: checkLargePapers(renderer, now),
    handler: async (request, reply) => {
      const checked = checkedPaperOf(request);
      const paper = checked ? { json: checked.paper } : printedInvoice(request.body, dayOf(now()), isTestCall(request));
      const document = await renderer.render(sharerOf(request), paper);
      const number = checked?.number ?? request.body.document.number;
      void reply.type('application/pdf').header('content-disposition', contentDisposition('inline', `${number}.pdf`));
      return reply.send(document);
    },
  });
}
