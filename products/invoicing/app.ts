import type { Renderer } from '#shared/paper/renderer.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Log } from '#shared/platform/log.ts';
import type { Closing } from '#shared/platform/close-server.ts';
import type { MeasureResponses } from '#shared/platform/measure-responses.ts';
import { honourIdempotency } from '#products/idempotency/idempotency.ts';
import { spreadLargeBodies } from '#products/http/large-bodies.ts';
import { createProductServer, type ProductServer } from '#products/http/product-server.ts';
import { eInvoiceRoutes } from '#products/invoicing/e-invoice-routes.ts';
import { eWayBillRoutes } from '#products/invoicing/e-way-bill-routes.ts';
import { invoiceRoutes } from '#products/invoicing/invoice-routes.ts';
import { numberRoutes } from '#products/invoicing/number-routes.ts';
import type { Registrar } from '#products/invoicing/registrar.ts';
import type { StorageLimits } from '#products/idempotency/stored-responses.ts';
import type { Store } from '#products/store/store.ts';

export interface InvoicingParts {
  /** Its public address, for its reference. */
  gatewayUrl: string;
  /** Undefined when registration is switched off. */
  registrar: Registrar | undefined;
  /** Undefined when the operator has no database for the products. */
  store: Store | undefined;
  /** Limits of the responses stored for one customer's retries; the store's own limits by default. */
  storageLimits?: StorageLimits;
  renderer: Renderer;
  now: Clock;
  log: Log;
  /** Called before its routes are added. */
  measure?: MeasureResponses | undefined;
  closing?: Closing | undefined;
}

/** The GST Invoicing API. */
export async function createInvoicing({
  gatewayUrl,
  registrar,
  store,
  storageLimits,
  renderer,
  now,
  log,
  measure,
  closing,
}: InvoicingParts): Promise<ProductServer> {
  const server = await createProductServer(
    {
      title: 'GST Invoicing API',
      description:
        'GST invoices, credit notes and debit notes: the right taxes to the paisa, PDF, e-invoices (INV-01, IRN), e-way bills and consecutive numbers. It stores none of your documents: only the numbers it assigned and, where you send an Idempotency-Key, the response for a day.',
      gatewayUrl,
      gatewayPath: '/gst-invoicing',
      tags: [
        { name: 'Invoices', description: 'Compute the taxes of an invoice or note, and print it.' },
        { name: 'E-invoices', description: 'Prepare, register, read and cancel e-invoices (IRN).' },
        { name: 'E-way bills', description: 'Prepare e-way bills for upload.' },
        { name: 'Numbers', description: 'Consecutive document numbers without gaps.' },
      ],
    },
    log,
    { measure, closing },
  );
  spreadLargeBodies(server);
  honourIdempotency(server, store, now, storageLimits);
  invoiceRoutes(server, renderer, now);
  eInvoiceRoutes(server, registrar, store, now);
  eWayBillRoutes(server, now);
  numberRoutes(server, store, now);
  return server;
}
