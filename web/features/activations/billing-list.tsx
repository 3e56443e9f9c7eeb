import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Search, SearchX } from 'lucide-react';
import type { AllHistoryEntry } from '#shared/contract/invoices.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import classes from '#web/features/activations/billing-list.module.css';
import { activationsOf, billingShows, filterRows, readBillingFilter } from '#web/features/activations/billing-rows.ts';
import { billingTexts as texts } from '#web/features/activations/texts.ts';
import { isPayable, takenBy } from '#shared/domain/cycle.ts';
import { daysOf } from '#web/ui/cycle-days.ts';
import { LastMonthButton } from '#web/features/documents/last-month-button.tsx';
import { type DocumentDownloads, useDocumentDownload } from '#web/features/documents/use-document-download.ts';
import { EntryMenu } from '#web/features/invoices/entry-menu.tsx';
import { EntryStatus } from '#web/features/invoices/entry-status.tsx';
import { InvoiceButton } from '#web/features/invoices/invoice-button.tsx';
import { useInvoiceDownload } from '#web/features/invoices/use-invoice-download.ts';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import { DisputeNotice } from '#web/features/payments/dispute-notice.tsx';
import { PaymentNotice } from '#web/features/payments/payment-notice.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { DayCell } from '#web/ui/data-table-day.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Money } from '#web/ui/money.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { useSearchWords } from '#web/ui/use-search-words.ts';

/** The entries of all activations, to be narrowed, paid and downloaded. */
export function BillingList({ rows, payment }: { rows: readonly AllHistoryEntry[]; payment: Payment }) {
  const [search, setSearch] = useSearchWords();
  const filter = readBillingFilter(search);
  const today = useToday();
  const invoices = useInvoiceDownload();
  const downloads = useDocumentDownload();
  const shown = filterRows(rows, filter);
  return (
    <>
      <DisputeNotice entries={rows} />
      <PaymentNotice payment={payment} cycles={rows.map((row) => ({ ...row, planName: row.desc }))} />
      <div className={classes.tools} data-print="hidden">
        <SegmentedControl
          aria-label={texts.filter}
          data={billingShows.map((value) => ({ value, label: texts.filters[value] }))}
          value={filter.show}
          onChange={(show) => setSearch({ show: show === 'all' ? '' : show })}
        />
        <TextInput
          className={classes.search ?? ''}
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<Search size={15} aria-hidden="true" />}
          value={filter.words}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label={texts.which}
          value={filter.activationId ?? ''}
          onChange={(event) => setSearch({ activation: event.currentTarget.value })}
          data={[
            { value: '', label: texts.allActivations },
            ...activationsOf(rows).map(({ id, service, deletedAt }) => ({
              value: id,
              label: deletedAt === null ? service : texts.deletedService(service, id),
            })),
          ]}
        />
        <LastMonthButton documents={rows.flatMap(({ documents }) => documents)} />
      </div>
      {shown.length === 0 ? (
        <StateCard>
          <EmptyState icon={<SearchX size={20} />} title={texts.noneFound}>
            {texts.noneFoundMore}
          </EmptyState>
        </StateCard>
      ) : (
        <DataTable
          label={texts.title}
          columns={columnsOf(rows, today, payment, invoices, downloads)}
          rows={shown}
          rowKey={({ id }) => id}
        />
      )}
    </>
  );
}

function columnsOf(
  rows: readonly AllHistoryEntry[],
  today: Day,
  payment: Payment,
  invoices: ReturnType<typeof useInvoiceDownload>,
  downloads: DocumentDownloads,
): DataColumn<AllHistoryEntry>[] {
  return [
    {
      key: 'date',
      header: texts.date,
      stack: 'right',
      cell: (entry) => <DayCell day={entry.date} today={today} />,
    },
    {
      key: 'plan',
      header: texts.plan,
      stack: 'top-left',
      cell: (entry) => (
        <>
          <span className="strong">{entry.desc}</span>
          <span className={`${classes.sub} num`}>
            {daysOf(
              entry,
              today,
              takenBy(
                rows.filter(({ activation }) => activation.id === entry.activation.id),
                today,
              ),
            )}{' '}
            <span className={`${classes.id} mono`}>{entry.activation.id}</span>
          </span>
          {entry.activation.deletedAt !== null && (
            <span className={classes.sub}>
              {texts.deletedOn(dayText(dayOf(Date.parse(entry.activation.deletedAt))))}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'status',
      header: texts.status,
      stack: 'left',
      cell: (entry) => <EntryStatus entry={entry} />,
    },
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
      cell: (entry) =>
        entry.invoiceId === null ? (
          isPayable(entry) ? (
            <PayButton
              payment={payment}
              purchase={{ cycleId: entry.id }}
              rupees={entry.amount}
              variant="light"
              size="xs"
            />
          ) : (
            <span className="dim">{entry.changed === null ? texts.none : texts.changed}</span>
          )
        ) : (
          <span className={classes.files}>
            <InvoiceButton cycleId={entry.id} number={entry.invoiceId} invoices={invoices} compact />
            <EntryMenu entry={entry} downloads={downloads} />
          </span>
        ),
    },
  ];
}
