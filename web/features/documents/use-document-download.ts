import { type Document, readDocument } from '#contract/documents.ts';
import { type Downloads, useDownload } from '#web/api/use-download.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';

type Named = Pick<Document, 'id' | 'kind' | 'number'>;

export type DocumentDownloads = Downloads<Named>;

/** Downloads any document of the customer. */
export function useDocumentDownload(): DocumentDownloads {
  return useDownload(readDocument, {
    id: ({ id }: Named) => id,
    input: ({ id }) => ({ params: { documentId: id } }),
    fileName: ({ number }) => `${number.replaceAll('/', '-')}.pdf`,
    done: ({ kind, number }) => texts.downloaded(texts.kinds[kind], number),
    failed: () => texts.downloadFailed,
  });
}
