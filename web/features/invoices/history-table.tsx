import { Text } from '@mantine/core';
import type { HistoryEntry } from '#shared/contract/invoices.ts';
import type { Day } from '#shared/domain/day.ts';
import { isPayable, takenBy } from '#shared/domain/cycle.ts';
import { type DocumentDownloads, useDocumentDownload } from '#web/features/documents/use-document-download.ts';
import { EntryMenu } from '#web/features/invoices/entry-menu.tsx';
import { EntryStatus } from '#web/features/invoices/entry-status.tsx';
import classes from '#web/features/invoices/history-panel.module.css';
import { InvoiceButton } from '#web/features/invoices/invoice-button.tsx';
import { invoiceTexts as texts } from '#web/features/invoices/texts.ts';
import { daysOf } from '#web/ui/cycle-days.ts';
import { useInvoiceDownload } from '#web/features/invoices/use-invoice-download.ts';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { DayCell } from '#web/ui/data-table-day.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Money } from '#web/ui/money.tsx';
import { useToday } from '#web/ui/today.ts';

/** One row per billing cycle, newest first. */
export function HistoryTable({ entries, payment }: { entries: readonly HistoryEntry[]; payment: Payment }) {
  const today = useToday();
  const invoices = useInvoiceDownload();
  const downloads = useDocumentDownload();
  return (
    <DataTable
      label={texts.historyTitle}
      columns={historyColumns(entries, today, payment, invoices, downloads)}
      rows={entries}
      rowKey={(entry) => entry.id}
    />
  );
}

function historyColumns(
  entries: readonly HistoryEntry[],
  today: Day,
  payment: Payment,
  invoices: ReturnType<typeof useInvoiceDownload>,
  downloads: DocumentDownloads,
): DataColumn<HistoryEntry>[] {
  return [
    { key: 'date', header: texts.date, stack: 'right', cell: (entry) => <DayCell day={entry.date} today={today} /> },
    {
      key: 'plan',
      header: texts.plan,
      stack: 'top-left',
      cell: (entry) => (
        <>
          <span className="strong">{entry.planName}</span>
          <span className={`${classes.sub} num`}>{daysOf(entry, today, takenBy(entries, today))}</span>
        </>
      ),
    },
    {
      key: 'status',
      header: texts.status,
      stack: 'left',
      cell: (entry) => <EntryStatus entry={entry} />,
    },
    { key: 'payment', header: texts.payment, stack: 'bottom-2', cell: (entry) => <Payments entry={entry} /> },
    {
      key: 'amount',
      header: texts.amount,
      align: 'right',
      stack: 'top-right',
      cell: (entry) => <Money rupees={entry.amount} price />,
    },
    {
      key: 'invoice',
      header: texts.invoice,
      align: 'right',
      stack: 'foot',
      cell: (entry) => (
        <span className={classes.files}>
          <InvoiceCell entry={entry} payment={payment} invoices={invoices} />
          <EntryMenu entry={entry} downloads={downloads} />
        </span>
      ),
    },
  ];
}

/** The receipts: each payment's id, to name to support, and its state while there is no money in it. */
function Payments({ entry }: { entry: HistoryEntry }) {
  if (entry.payments.length === 0) {
    return (
      <Text span inherit c="dimmed" className={classes.nothing ?? ''}>
        {entry.changed === null ? texts.none : texts.changed}
      </Text>
    );
  }
  return (
    <span className={classes.payments}>
      {entry.payments.map((each) => (
        <span key={each.id} className={classes.payment}>
          <span className="mono">{each.id}</span>
          {(each.status === 'pending' || each.status === 'failed') && (
            <span className="dim">{texts.paymentStatus[each.status]}</span>
          )}
          <CopyIcon value={each.id} />
        </span>
      ))}
    </span>
  );
}

function InvoiceCell({
  entry,
  payment,
  invoices,
}: {
  entry: HistoryEntry;
  payment: Payment;
  invoices: ReturnType<typeof useInvoiceDownload>;
}) {
  if (entry.invoiceId !== null) {
    return <InvoiceButton cycleId={entry.id} number={entry.invoiceId} invoices={invoices} compact />;
  }
  if (!isPayable(entry)) {
    return (
      <Text span inherit c="dimmed" mx={{ base: 10, sm: 0 }}>
        {texts.none}
      </Text>
    );
  }
  return (
    <PayButton
      payment={payment}
      purchase={{ cycleId: entry.id }}
      rupees={entry.amount}
      variant="light"
      size="xs"
      mx={{ base: 10, sm: 0 }}
    />
  );
}
