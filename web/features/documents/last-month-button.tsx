import { FolderArchive } from 'lucide-react';
import type { Document } from '#shared/contract/documents.ts';
import { monthBefore, monthOf } from '#shared/domain/month.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { useMonthPack } from '#web/features/documents/use-month-pack.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { monthText } from '#web/ui/localized-days.ts';
import { useToday } from '#web/ui/today.ts';

/** The papers that a bookkeeper asks for first: those of the month before this one; nothing where it has none. */
export function LastMonthButton({ documents }: { documents: readonly Pick<Document, 'date'>[] }) {
  const pack = useMonthPack();
  const month = monthBefore(monthOf(useToday()));
  if (!documents.some(({ date }) => monthOf(date) === month)) return null;
  return (
    <ActionButton
      call="readMonthPack"
      isRead
      variant="default"
      running={pack.running}
      leftSection={<FolderArchive size={16} aria-hidden />}
      onClick={() => pack.download(month)}
    >
      {texts.packOf(monthText(month))}
    </ActionButton>
  );
}
