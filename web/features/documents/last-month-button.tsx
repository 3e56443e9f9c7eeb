import { FolderArchive } from 'lucide-react';
import { addDays } from '#domain/day.ts';
import { firstDayOf, monthOf } from '#domain/month.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { useMonthPack } from '#web/features/documents/use-month-pack.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { monthText } from '#web/ui/day-text.ts';
import { useToday } from '#web/ui/today.ts';

/** The papers that a bookkeeper asks for first: those of the month before this one. */
export function LastMonthButton() {
  const pack = useMonthPack();
  const month = monthOf(addDays(firstDayOf(monthOf(useToday())), -1));
  return (
    <ActionButton
      variant="default"
      running={pack.running}
      leftSection={<FolderArchive size={16} aria-hidden />}
      onClick={() => pack.download(month)}
    >
      {texts.packOf(monthText(month))}
    </ActionButton>
  );
}
