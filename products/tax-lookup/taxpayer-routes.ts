import { z } from 'zod';
import { parseGstin } from '#shared/domain/gstin.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { Refusal, RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { isTestCall } from '#products/http/gateway-headers.ts';
import { type Taxpayer, taxpayer } from '#products/tax-lookup/taxpayer.ts';
import type { TaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

const example: Taxpayer = {
  gstin: '27ZZZCA0001A1Z4',
  legalName: 'ZENITH SAMPLE PRIVATE LIMITED',
  tradeName: 'ZENITH SAMPLE',
  status: 'active',
  statusText: 'Active',
  type: 'regular',
  typeText: 'Regular',
  constitution: 'Private Limited Company',
  registeredOn: '2017-07-01',
  cancelledOn: null,
  updatedOn: '2026-03-12',
  natureOfBusiness: ['Supplier of Services'],
  eInvoice: false,
  jurisdiction: {
    state: { name: 'State - Maharashtra,Zone - X,Division - Y,Charge - Z', code: 'MH001' },
    centre: { name: 'Commissionerate - SAMPLE,Division - I,Range - I', code: 'TZ0101' },
  },
  principalPlace: {
    lines: ['1, 2', 'SAMPLE HOUSE', 'MG ROAD', 'ANDHERI'],
    city: null,
    district: 'Mumbai Suburban',
    state: { code: '27', name: 'Maharashtra' },
    pin: '400053',
    nature: ['Office / Sale Office'],
  },
  additionalPlaces: [],
  fetchedAt: '2026-11-21T06:30:00.000Z',
};

/** Live search of taxpayers. `live` is undefined when the operator has no account for it; test keys need none. */
export function taxpayerRoutes(server: ProductServer, live: TaxpayerSearch | undefined, sandbox: TaxpayerSearch): void {
  server.route({
    method: 'GET',
    url: '/v1/taxpayers/:gstin',
    schema: {
      operationId: 'findTaxpayer',
      tags: ['GSTIN'],
      summary: 'Find the taxpayer of a GSTIN, live',
      description:
        'Queries the GST portal: name, status (active, cancelled, suspended), type, days and addresses. 404: no such number is registered. 502, 503 and 504 are failures of the portal, not of your request, and can be retried.',
      params: z.object({
        gstin: z
          .string()
          .max(64)
          .describe('GSTIN or UIN')
          .meta({ examples: [example.gstin] }),
      }),
      response: responsesOf(taxpayer, example, { statuses: [404] }),
    },
    handler: async (request) => {
      const parsed = parseGstin(request.params.gstin);
      if (!parsed.valid) {
        throw new RequestFaults(parsed.faults.map(({ message }) => ({ in: 'path', pointer: '/gstin', message })));
      }
      const search = isTestCall(request) ? sandbox : live;
      if (search === undefined) throw new UpstreamFault(503, 'The operator of this API has not enabled live search.');
      const found = await search(parsed.gstin);
      if (found === null) throw new Refusal(404, `The GST portal knows no taxpayer ${parsed.gstin}.`);
      return found;
    },
  });
}
