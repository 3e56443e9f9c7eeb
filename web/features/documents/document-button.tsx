import { Download } from 'lucide-react';
import type { Document } from '#shared/contract/documents.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import type { DocumentDownloads } from '#web/features/documents/use-document-download.ts';
import { ActionButton } from '#web/ui/action-button.tsx';

/** Downloads a document; its number is the label. */
export function DocumentButton({ document, downloads }: { document: Document; downloads: DocumentDownloads }) {
  const running = downloads.current === `${document.id} current`;
  return (
    <ActionButton
      call="readDocument"
      isRead
      variant="subtle"
      color="gray"
      size="xs"
      running={running}
      leftSection={<Download size={16} aria-hidden />}
      aria-label={texts.download[document.kind](document.number)}
      onClick={() => downloads.download(document)}
    >
      <span className="mono">{document.number}</span>
    </ActionButton>
  );
}
