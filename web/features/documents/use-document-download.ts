import { type Document, type DocumentVersion, readDocument } from '#shared/contract/documents.ts';
import { type Downloads, useDownload } from '#web/api/use-download.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';

/** `version`: of an amended document, the first one instead of the valid one. */
type Named = Pick<Document, 'id' | 'kind' | 'number'> & { version?: DocumentVersion };

export type DocumentDownloads = Downloads<Named>;

/** Downloads any document of the customer. */
export function useDocumentDownload(): DocumentDownloads {
  return useDownload(readDocument, {
    id: ({ id, version = 'current' }: Named) => `${id} ${version}`,
    input: ({ id, version = 'current' }) => ({ params: { documentId: id }, query: { version } }),
    fileName: ({ number, version }) =>
      `${number.replaceAll('/', '-')}${version === 'original' ? '-first-version' : ''}.pdf`,
    done: ({ kind, number }) => texts.downloaded(texts.kinds[kind], number),
    failed: () => texts.downloadFailed,
  });
}
