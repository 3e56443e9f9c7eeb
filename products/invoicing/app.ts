import { type Day, dayOf } from '#domain/day.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { answers, bodyFailures } from '#products/http/api-description.ts';
import { RequestFaults } from '#products/http/problem.ts';
import { createProductServer, type ProductServer } from '#products/http/product-server.ts';
import { checkInvoice } from '#products/invoicing/check-invoice.ts';
import { computeInvoice } from '#products/invoicing/compute-invoice.ts';
import { type InvoiceAnswer, invoiceAnswer } from '#products/invoicing/invoice-answer.ts';
import { exampleRequest, type InvoiceRequest, invoiceRequest } from '#products/invoicing/invoice-request.ts';

/** Computes a request that came in on a day in India, or throws RequestFaults with everything that is wrong. */
function answer(request: InvoiceRequest, today: Day): InvoiceAnswer {
  const checked = checkInvoice(request, today);
  if (!checked.ok) throw new RequestFaults(checked.faults);
  return computeInvoice(request, checked.decision);
}

/** The GST Invoicing API. `gatewayUrl` is where callers reach it, for its reference. */
export async function createInvoicing(gatewayUrl: string, now: Clock, log: Log): Promise<ProductServer> {
  const server = await createProductServer(
    {
      title: 'GST Invoicing API',
      description:
        'Computes GST invoices: place of supply, the right taxes, every line to the paisa, HSN summary, round-off and the amount in words. It stores nothing and registers nothing.',
      gatewayUrl,
      gatewayPath: '/gst-invoicing',
    },
    log,
  );
  server.route({
    method: 'POST',
    url: '/v1/invoices/compute',
    schema: {
      operationId: 'computeInvoice',
      tags: ['Invoices'],
      summary: 'Compute an invoice',
      description:
        'Amounts are rupees with at most two decimals. Everything that is wrong comes back at once, each fault with a JSON pointer to its field; what is lawful but doubtful comes as a warning.',
      body: invoiceRequest,
      response: answers(invoiceAnswer, answer(invoiceRequest.parse(exampleRequest), exampleRequest.document.date), {
        statuses: bodyFailures,
      }),
    },
    handler: (request) => answer(request.body, dayOf(now())),
  });
  return server;
}
