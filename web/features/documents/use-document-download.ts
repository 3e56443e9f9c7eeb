import { useState } from 'react';
import { type Document, readDocument } from '#contract/documents.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { notifyDone, notifyFailure } from '#web/ui/notify.tsx';

type Named = Pick<Document, 'id' | 'kind' | 'number'>;

export interface DocumentDownload {
  download: (document: Named) => void;
  /** The id of the document that is asked for. */
  current: string | null;
}

/** Downloads any document of the customer. */
export function useDocumentDownload(): DocumentDownload {
  const [current, setCurrent] = useState<string | null>(null);
  const action = useAction(readDocument, {
    onFailed: (failure) => notifyFailure(texts.downloadFailed, failure.message),
  });

  async function download({ id, kind, number }: Named): Promise<void> {
    if (current !== null) return;
    setCurrent(id);
    const reply = await action.run({ params: { documentId: id } });
    setCurrent(null);
    if (reply === null) return;
    startDownload(reply.downloadUrl, `${number.replaceAll('/', '-')}.pdf`);
    notifyDone(texts.downloaded(texts.kinds[kind], number));
  }

  return { download: (document) => void download(document), current };
}
