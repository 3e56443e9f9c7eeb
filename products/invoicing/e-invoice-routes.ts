import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { responsesOf } from '#products/http/api-description.ts';
import { smallBodyBytes } from '#products/http/body-bounds.ts';
import { callerOf, customerOf, isTestCall } from '#products/http/gateway-headers.ts';
import { repeatable } from '#products/idempotency/idempotency.ts';
import { storeOrRefuse, type Store } from '#products/store/store.ts';
import { RequestFaults } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import { eInvoiceFaults, type EInvoiceRequest, eInvoiceRequest, inv01, inv01Of } from '#products/invoicing/inv01.ts';
import { repeatableFailures } from '#products/invoicing/invoice-routes.ts';
import { exampleRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { createSandboxRegistrar } from '#products/invoicing/sandbox-registrar.ts';
import type { PortalLogin, Registrar } from '#products/invoicing/registrar.ts';

const login = {
  'irp-username': z
    .string()
    .min(1)
    .max(100)
    .describe("The supplier's API user at the invoice portal; never stored")
    .meta({ examples: ['api_user'] }),
  'irp-password': z
    .string()
    .min(1)
    .max(100)
    .describe('Its password; never stored')
    .meta({ examples: ['api_password'] }),
};
const gstin = z.string().max(64).describe('GSTIN of the supplier, who signs in');
const irn = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'An IRN has 64 digits and letters a to f.')
  .describe('Invoice Reference Number of the registration');

const prepared = z
  .object({
    irn: z.string().describe('The IRN that the portal will assign'),
    inv01,
    warnings: z.array(z.object({ pointer: z.string(), message: z.string() })),
  })
  .meta({ id: 'PreparedEInvoice' });

const registration = z.object({
  irn: z.string(),
  ackNumber: z.string(),
  ackAt: z.string().describe('When the portal acknowledged it (ISO 8601)'),
  status: z.enum(['active', 'cancelled']),
  signedInvoice: z.string().nullable().describe('JWT; null when the portal no longer returns it (after two days)'),
  signedQrCode: z.string().nullable().describe('JWT, to be printed as a QR code'),
});
const registrationResponse = registration.meta({ id: 'Registration' });
const registerResponse = registration
  .extend({ duplicate: z.boolean().describe('It was already registered; this is the existing registration') })
  .meta({ id: 'NewRegistration' });
const cancelResponse = z.object({ irn: z.string(), cancelledAt: z.string() }).meta({ id: 'CancelledRegistration' });

/** Computes and checks a request and builds the document for the portal, or throws RequestFaults. */
function prepare(request: EInvoiceRequest, today: Day) {
  const invoice = checkAndCompute(request, today);
  const faults = eInvoiceFaults(request, invoice);
  if (faults.length > 0 || invoice.expectedIrn === null) throw new RequestFaults(faults);
  return { irn: invoice.expectedIrn, inv01: inv01Of(request, invoice), warnings: invoice.warnings };
}

const example = prepare(eInvoiceRequest.parse({ ...exampleRequest, ...partiesExample }), exampleRequest.document.date);
const exampleIrn = example.irn;

const exampleRegistration = {
  irn: exampleIrn,
  ackNumber: '112610000000001',
  ackAt: '2026-11-21T06:30:00.000Z',
  status: 'active' as const,
  signedInvoice: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
  signedQrCode: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
};

type LoginHeaders = IncomingHttpHeaders & Record<keyof typeof login, string>;

function loginOf(headers: LoginHeaders, gstinText: string, part: 'body' | 'query'): PortalLogin {
  const parsed = parseGstin(gstinText);
  if (!parsed.valid) throw new RequestFaults([{ in: part, pointer: '/gstin', message: 'This GSTIN is not valid.' }]);
  return { gstin: parsed.gstin, username: headers['irp-username'], password: headers['irp-password'] };
}

/**
 * E-invoices: prepared, registered, looked up and cancelled. `registrar` is undefined when the operator has no account;
 * test keys need none.
 */
export function eInvoiceRoutes(
  server: ProductServer,
  registrar: Registrar | undefined,
  store: Store | undefined,
  now: Clock,
): void {
  const registrarFor = (request: FastifyRequest): Registrar => {
    if (isTestCall(request)) {
      const registrant = { caller: callerOf(request), customer: customerOf(request) };
      return createSandboxRegistrar(storeOrRefuse(store), now)(registrant);
    }
    if (registrar !== undefined) return registrar;
    throw new UpstreamFault(503, 'The operator of this API has not enabled registration.');
  };
  server.route({
    method: 'POST',
    url: '/v1/e-invoices/prepare',
    schema: {
      operationId: 'prepareEInvoice',
      tags: ['E-invoices'],
      summary: 'Prepare an invoice for the registration portal',
      description: 'The document in schema INV-01 version 1.1 and the IRN it will get. Registers nothing.',
      headers: repeatable,
      body: eInvoiceRequest,
      response: responsesOf(prepared, example, { statuses: repeatableFailures }),
    },
    handler: (request) => prepare(request.body, dayOf(now())),
  });

  server.route({
    method: 'POST',
    url: '/v1/e-invoices',
    schema: {
      operationId: 'registerEInvoice',
      tags: ['E-invoices'],
      summary: 'Register an invoice',
      description:
        'Sends the document to the invoice registration portal. For a document that is already registered, the response is its registration with `duplicate: true`; a different document under the same number is a 409. A document that the portal rejects is a 422 with the portal’s `code`.',
      headers: repeatable.extend(login),
      body: eInvoiceRequest,
      response: responsesOf(
        registerResponse,
        { ...exampleRegistration, duplicate: false },
        {
          statuses: [...repeatableFailures, 404],
        },
      ),
    },
    handler: (request) => {
      const { irn, inv01 } = prepare(request.body, dayOf(now()));
      return registrarFor(request).register(loginOf(request.headers, request.body.supplier.gstin, 'body'), inv01, irn);
    },
  });

  server.route({
    method: 'GET',
    url: '/v1/e-invoices/:irn',
    schema: {
      operationId: 'findEInvoice',
      tags: ['E-invoices'],
      summary: 'Find a registration',
      description: 'The portal returns a registration for two days (2283 later).',
      headers: z.looseObject(login),
      params: z.object({ irn: irn.meta({ examples: [exampleIrn] }) }),
      querystring: z.strictObject({ gstin: gstin.meta({ examples: [partiesExample.supplier.gstin] }) }),
      response: responsesOf(registrationResponse, exampleRegistration, { statuses: [404] }),
    },
    handler: (request) =>
      registrarFor(request).find(loginOf(request.headers, request.query.gstin, 'query'), request.params.irn),
  });

  server.route({
    method: 'POST',
    url: '/v1/e-invoices/:irn/cancel',
    bodyLimit: smallBodyBytes,
    schema: {
      operationId: 'cancelEInvoice',
      tags: ['E-invoices'],
      summary: 'Cancel a registration',
      description:
        'Within 24 hours of the registration; after that, only a credit note is possible. The number of a cancelled document cannot be reused.',
      headers: repeatable.extend(login),
      params: z.object({ irn: irn.meta({ examples: [exampleIrn] }) }),
      body: z
        .strictObject({
          gstin,
          reason: z
            .enum(['duplicate', 'data-entry-mistake', 'order-cancelled', 'other'])
            .describe('As the portal lists them'),
          remark: z.string().trim().min(1).max(100).describe('The reason as text'),
        })
        .meta({
          id: 'CancelRequest',
          examples: [{ gstin: partiesExample.supplier.gstin, reason: 'data-entry-mistake', remark: 'Wrong recipient' }],
        }),
      response: responsesOf(
        cancelResponse,
        { irn: exampleIrn, cancelledAt: '2026-11-21T07:30:00.000Z' },
        { statuses: [...repeatableFailures, 404] },
      ),
    },
    handler: async (request) => {
      const { gstin, reason, remark } = request.body;
      const { irn } = request.params;
      return {
        irn,
        cancelledAt: await registrarFor(request).cancel(loginOf(request.headers, gstin, 'body'), irn, reason, remark),
      };
    },
  });
}
