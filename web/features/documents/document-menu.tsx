import { Menu } from '@mantine/core';
import { Download, UserPen } from 'lucide-react';
import { useRef } from 'react';
import type { Document } from '#shared/contract/documents.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import type { DocumentDownloads } from '#web/features/documents/use-document-download.ts';
import { MoreMenu } from '#web/ui/more-menu.tsx';
import { useMay } from '#web/roles/use-role.ts';

interface DocumentMenuProps {
  document: Document;
  downloads: DocumentDownloads;
  onCorrect: (document: Document) => void;
}

/** The rarer actions on a document; nothing where there are none. */
export function DocumentMenu({ document, downloads, onCorrect }: DocumentMenuProps) {
  const opener = useRef<HTMLButtonElement>(null);
  const { number, revisedOn, correctable } = document;
  const mayCorrect = useMay()('correctInvoice') && correctable;
  if (revisedOn === null && !mayCorrect) return null;
  const correct = () => {
    opener.current?.focus();
    onCorrect(document);
  };
  return (
    <MoreMenu label={texts.moreOf(number)} opener={opener}>
      {revisedOn !== null && (
        <Menu.Item
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => downloads.download({ ...document, version: 'original' })}
        >
          {texts.firstVersion}
        </Menu.Item>
      )}
      {mayCorrect && (
        <Menu.Item leftSection={<UserPen size={16} aria-hidden />} onClick={correct}>
          {texts.correct}
        </Menu.Item>
      )}
    </MoreMenu>
  );
}
