import type { documentCalls } from '#shared/contract/operator/documents.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { previewDocumentMail, sendDocuments } from './mail-again.ts';

export const documentHandlers: Handlers<typeof documentCalls> = {
  sendDocuments: {
    preview: ({ db }, { documents, to }) => previewDocumentMail(db, documents, to),
    perform: (operator, { documents, to }, cause) => sendDocuments(operator, documents, to, cause),
  },
};
