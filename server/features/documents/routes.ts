import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  documentVersionSchema,
  listDocuments as listDocumentsCall,
  readDocument,
  readPurchaseRegister,
} from '#shared/contract/documents.ts';
import { ids } from '#shared/contract/ids.ts';
import { daySchema } from '#shared/contract/values.ts';
import { documentFileName } from '#shared/domain/document.ts';
import { callTurns } from '#server/http/call-turns.ts';
import { handle } from '#server/http/handle.ts';
import { sendFile, serveFile } from '#server/http/serve-file.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { filePath, linkToDocument, listDocuments, readFile } from './documents.ts';
import { requireSigned, signedLink } from './links.ts';
import { purchaseRegister } from './register.ts';
import { referenceTo } from './issue.ts';
import { selectDocument } from './store.ts';

const fileParams = z.object({ documentId: ids.document, version: documentVersionSchema });
const registerParams = z.object({ customerId: ids.customer, from: daySchema, to: daySchema });

export function documentsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listDocumentsCall, async ({ owner }) => ({ documents: await listDocuments(portal, owner) }));

  handle(
    app,
    portal,
    readDocument,
    ({ owner, params, query }) => linkToDocument(portal, owner, params.documentId, query.version),
    { perMinute: 60 },
  );

  handle(app, portal, readPurchaseRegister, async ({ owner, params }) => ({
    downloadUrl: signedLink(portal, registerPath(owner.customerId, params.from, params.to), owner),
  }));

  // Files, not JSON: the contract's typed client does not read them.
  serveFile(app, '/billing/documents/:documentId/file/:version', fileParams, {
    turns: callTurns(portal),
    identify: async (request, params) => {
      const { documentId, version } = params();
      await requireSigned(portal, filePath(documentId, version), request, 'readDocument');
      const document = await selectDocument(portal.db, documentId);
      if (!document) throw refuse('not_found');
      return { customerId: document.customer_id, document };
    },
    make: async ({ who: { document }, params: { documentId, version }, reply }) => {
      const content = await readFile(portal, documentId, version);
      const name = documentFileName(referenceTo(document));
      return { send: () => sendFile(reply, { name, type: 'application/pdf', content }) };
    },
  });

  serveFile(app, '/billing/register/:customerId/:from/:to/file', registerParams, {
    turns: callTurns(portal),
    identify: async (request, params) => {
      const { customerId, from, to } = params();
      await requireSigned(portal, registerPath(customerId, from, to), request, 'readPurchaseRegister');
      return { customerId };
    },
    make: async ({ who, params: { from, to }, reply }) => {
      const content = await purchaseRegister(portal, who, from, to);
      const name = `purchase-register-${from}-${to}.csv`;
      return { send: () => sendFile(reply, { name, type: 'text/csv; charset=utf-8', content }) };
    },
  });
}

function registerPath(customerId: string, from: string, to: string): string {
  return `/billing/register/${customerId}/${from}/${to}/file`;
}
