import type { documentCalls } from '#shared/contract/operator/documents.ts';
import { rupees } from '#shared/domain/money.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { listDocumentsOf } from './list-for-operator.ts';
import { readThirtyDays } from '#server/document-settings.ts';
import { previewDocumentMail, sendDocuments } from './mail-again.ts';
import { readExports, recordProof, requireExport } from './remittances.ts';
import { printAgain, requireUnprinted } from './unprinted.ts';
import { requireRefused, retryRefused } from './waiting.ts';
import { readWorkList } from './work-list.ts';

export const documentHandlers: Handlers<typeof documentCalls> = {
  sendDocuments: {
    preview: ({ db }, { documents, to }) => previewDocumentMail(db, documents, to),
    perform: (operator, { documents, to }, cause) => sendDocuments(operator, documents, to, cause),
  },
  listDocuments: {
    read: async ({ db, clock }, { customerId, ...page }) => {
      await requireCustomer(db, customerId);
      return listDocumentsOf(db, customerId, clock(), page);
    },
  },
  listRemittances: {
    read: async ({ db, clock }, { all }) =>
      (await readExports(db, clock(), { which: all ? 'all' : 'unproved' })).map(({ totalPaise, ...item }) => ({
        ...item,
        total: rupees(totalPaise),
      })),
  },
  recordRemittance: {
    needs: 'database',
    preview: async ({ db, clock }, proof) => ({ ...proof, customerId: await requireExport(db, clock(), proof) }),
    perform: async ({ db, clock }, proof, cause) => ({
      ...proof,
      customerId: await recordProof(db, clock(), proof, cause),
    }),
  },
  listUnregistered: {
    read: async ({ db, clock }) => ({
      documents: (await readWorkList(db, clock(), await readThirtyDays(db))).map(({ totalPaise, ...item }) => ({
        ...item,
        total: rupees(totalPaise),
      })),
    }),
  },
  retryEInvoice: {
    preview: (operator, { number }) => requireRefused(operator, number),
    perform: (operator, { number }, cause) => retryRefused(operator, number, cause),
  },
  printDocument: {
    preview: async ({ db }, { number }) => (await requireUnprinted(db, number)).facts,
    perform: (operator, { number }, cause) => printAgain(operator, number, cause),
  },
};
