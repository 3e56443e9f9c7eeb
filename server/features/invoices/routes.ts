import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { correctInvoice as correctInvoiceCall } from '#shared/contract/documents.ts';
import {
  listAllHistory as listAllHistoryCall,
  listHistory as listHistoryCall,
  readInvoice,
} from '#shared/contract/invoices.ts';
import { ids } from '#shared/contract/ids.ts';
import { rupees } from '#shared/domain/money.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { type Issued, readFile, requireSigned } from '#server/features/documents/documents.ts';
import { correctInvoice } from '#server/features/refunds/refunds.ts';
import { callTurns } from '#server/http/call-turns.ts';
import { handle } from '#server/http/handle.ts';
import { sendFile, serveFile } from '#server/http/serve-file.ts';
import type { Portal } from '#server/portal.ts';
import { findInvoiceFile, invoicePath, linkToInvoice, listAllHistory, listHistory } from './invoices.ts';

const fileParams = z.object({ billingCycleId: ids.cycle });

export function invoicesRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listHistoryCall, async ({ owner, params }) => {
    await requireActivation(owner, portal.db, params.id, true);
    return listHistory(portal, owner, params.id);
  });

  handle(app, portal, listAllHistoryCall, async ({ owner }) => ({ entries: await listAllHistory(portal, owner) }));

  handle(app, portal, readInvoice, ({ owner, params }) => linkToInvoice(portal, owner, params.billingCycleId), {
    perMinute: 60,
  });

  handle(
    app,
    portal,
    correctInvoiceCall,
    async ({ owner, params }) => {
      const { creditNote, invoice, refundPaise } = await correctInvoice(portal, owner, params.documentId);
      return {
        creditNote: creditNote && named(creditNote),
        invoice: named(invoice),
        refundAmount: rupees(refundPaise),
      };
    },
    { perMinute: 10 },
  );

  // A file, not JSON: the contract's typed client does not read it.
  serveFile(app, '/billing/invoice/:billingCycleId/file', fileParams, {
    turns: callTurns(portal),
    identify: async (request, params) => {
      const { billingCycleId } = params();
      await requireSigned(portal, invoicePath(billingCycleId), request, 'readInvoice');
      return findInvoiceFile(portal.db, billingCycleId);
    },
    make: async ({ who: { documentId }, params: { billingCycleId }, reply }) => {
      const content = await readFile(portal, documentId);
      return {
        send: () => sendFile(reply, { name: `invoice-${billingCycleId}.pdf`, type: 'application/pdf', content }),
      };
    },
  });
}

function named({ id, number }: Issued) {
  return { id, number };
}
