import { ChartColumn } from 'lucide-react';
import type { HistoryEntry } from '#contract/invoices.ts';
import { readCycleUsage } from '#contract/usage.ts';
import { useAction } from '#web/api/use-call.ts';
import { cycleUsageCsv } from '#web/features/invoices/cycle-usage-csv.ts';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { periodText } from '#web/ui/day-text.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveText } from '#web/ui/save-file.ts';

/** Downloads the usage of a billing cycle, the evidence for its invoice. */
export function CycleUsageButton({ entry }: { entry: HistoryEntry }) {
  const action = useAction(readCycleUsage, {
    onDone: (usage) => saveText(cycleUsageCsv(usage), `usage-${entry.id}.csv`, 'text/csv'),
    onFailed: (failure) => notifyFailure(texts.usageFailed, failure.message),
  });
  return (
    <ActionButton
      variant="subtle"
      color="gray"
      size="xs"
      mr={-10}
      running={action.running}
      leftSection={<ChartColumn size={16} aria-hidden />}
      aria-label={texts.usageOf(periodText(entry))}
      onClick={() => void action.run({ params: { billingCycleId: entry.id } })}
    >
      {texts.usage}
    </ActionButton>
  );
}
