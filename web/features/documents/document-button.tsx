import { Button, Loader } from '@mantine/core';
import { Download } from 'lucide-react';
import type { Document } from '#contract/documents.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import type { DocumentDownload } from '#web/features/documents/use-document-download.ts';

/** Downloads a document; its number is the label. */
export function DocumentButton({ document, downloads }: { document: Document; downloads: DocumentDownload }) {
  const running = downloads.current === document.id;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      mr={-10}
      leftSection={running ? <Loader size={14} color="currentColor" /> : <Download size={16} aria-hidden />}
      disabled={running}
      aria-label={texts.download[document.kind](document.number)}
      onClick={() => downloads.download(document)}
    >
      <span className="mono">{document.number}</span>
    </Button>
  );
}
