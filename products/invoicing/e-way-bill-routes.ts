import { dayOf } from '#shared/domain/day.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { repeatable } from '#products/idempotency/idempotency.ts';
import { RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import { eWayBillOf, eWayBillResponse } from '#products/invoicing/e-way-bill.ts';
import { eWayBillExample, type EWayBillRequest, eWayBillRequest } from '#products/invoicing/e-way-bill-request.ts';
import { eWayBillFaults, eWayBillRefusals } from '#products/invoicing/e-way-bill-rules.ts';
import { repeatableFailures } from '#products/invoicing/invoice-routes.ts';

function prepare(request: EWayBillRequest, today: string) {
  const invoice = checkAndCompute(request, today);
  const faults = eWayBillFaults(request, today);
  if (faults.length > 0) throw new RequestFaults(faults);
  return eWayBillOf(request, invoice);
}

/** E-way bills for the transport of goods. */
export function eWayBillRoutes(server: ProductServer, now: Clock): void {
  server.route({
    method: 'POST',
    url: '/v1/e-way-bills/prepare',
    schema: {
      operationId: 'prepareEWayBill',
      tags: ['E-way bills'],
      summary: 'Prepare an e-way bill for the portal',
      description: `The request GENEWAYBILL of the e-way bill system, from an invoice and its transport details. Generates nothing there. A Special Economic Zone is billed as another country (State 99), and the goods travel to its State.

What that system would refuse is refused here, with its error code:

${eWayBillRefusals}`,
      headers: repeatable,
      body: eWayBillRequest,
      response: responsesOf(
        eWayBillResponse,
        prepare(eWayBillRequest.parse(eWayBillExample), eWayBillExample.document.date),
        { statuses: repeatableFailures },
      ),
    },
    handler: (request) => prepare(request.body, dayOf(now())),
  });
}
