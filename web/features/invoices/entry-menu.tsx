import { Menu } from '@mantine/core';
import { ChartColumn, Download, ReceiptText } from 'lucide-react';
import { useRef, useState } from 'react';
import type { HistoryEntry } from '#shared/contract/invoices.ts';
import { readCycleUsage } from '#shared/contract/usage.ts';
import { useAction } from '#web/api/use-call.ts';
import { documentTexts } from '#web/features/documents/texts.ts';
import type { DocumentDownloads } from '#web/features/documents/use-document-download.ts';
import { cycleUsageCsv, mayHaveUsage } from '#web/features/invoices/cycle-usage-csv.ts';
import classes from '#web/features/invoices/history-panel.module.css';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { TdsDialog } from '#web/features/tds/tds-dialog.tsx';
import { tdsTexts } from '#web/features/tds/texts.ts';
import { periodText } from '#web/ui/localized-days.ts';
import { MoreMenu } from '#web/ui/more-menu.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveText } from '#web/ui/save-file.ts';
import { useToday } from '#web/ui/today.ts';
import { useMay } from '#web/roles/use-role.ts';

/** What else there is of a subscription: its other documents by kind, the usage behind its invoice, and TDS. */
export function EntryMenu({ entry, downloads }: { entry: HistoryEntry; downloads: DocumentDownloads }) {
  const { id, invoiceId, tds } = entry;
  const today = useToday();
  const mayDeclare = useMay()('declareTds');
  const opener = useRef<HTMLButtonElement>(null);
  const [isTdsOpened, setTdsOpened] = useState(false);
  const usage = useAction(readCycleUsage, {
    onDone: (read) => saveText(cycleUsageCsv(read), `usage-${id}.csv`, 'text/csv'),
    onFailed: (failure) => notifyFailure(texts.usageFailed, failure.message),
  });
  const others = entry.documents.filter(({ number }) => number !== invoiceId);
  const hasUsage = mayHaveUsage(entry, today);
  const hasTds = tds !== null && invoiceId !== null && ((tds.mayDeclare && mayDeclare) || tds.claim !== null);
  if (others.length === 0 && !hasUsage && !hasTds) return null;
  const openTds = () => {
    opener.current?.focus();
    setTdsOpened(true);
  };
  return (
    <>
      <MoreMenu label={texts.moreOf(invoiceId ?? periodText(entry))} opener={opener}>
        {others.map((document) => (
          <Menu.Item
            key={document.id}
            leftSection={<Download size={16} aria-hidden />}
            onClick={() => downloads.download(document)}
          >
            {documentTexts.kinds[document.kind]} <span className={`${classes.number} mono`}>{document.number}</span>
          </Menu.Item>
        ))}
        {hasUsage && (
          <Menu.Item
            leftSection={<ChartColumn size={16} aria-hidden />}
            onClick={() => void usage.run({ params: { billingCycleId: id } })}
          >
            {texts.usage}
          </Menu.Item>
        )}
        {hasTds && (
          <Menu.Item leftSection={<ReceiptText size={16} aria-hidden />} onClick={openTds}>
            {tds.claim === null ? tdsTexts.declare : tdsTexts.open}
          </Menu.Item>
        )}
      </MoreMenu>
      {hasTds && (
        <TdsDialog
          cycleId={id}
          invoice={invoiceId}
          tds={tds}
          opened={isTdsOpened}
          onClose={() => setTdsOpened(false)}
        />
      )}
    </>
  );
}
