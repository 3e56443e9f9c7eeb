import type { ReactNode } from 'react';
import type { OperatorInput } from '#shared/contract/operator/calls.ts';
import type { ProviderThread } from '#shared/contract/operator/support.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { ageText } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const columns: readonly Column<ProviderThread>[] = [
  { header: 'Subject', text: ({ subject }) => subject },
  { header: 'Customer', text: ({ customerName }) => customerName },
  { header: 'E-mail', text: ({ customerEmail }) => customerEmail },
  {
    header: 'State',
    text: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} text={wordOf(status)} />,
  },
  { header: 'Assigned to', text: ({ assignedTo }) => assignedTo },
  { header: 'Since', text: ({ changedAt }) => ageText(changedAt), align: 'right' },
];

/** A new message shows up this soon. */
const refetchIntervalMs = 20_000;

/** Threads, those that wait longest first. */
export function ThreadTable({
  input,
  empty,
  filters,
}: {
  input: OperatorInput<'listThreads'>;
  empty: string;
  filters?: ReactNode;
}) {
  return (
    <CallTable
      label="Threads"
      call="listThreads"
      input={input}
      rows={({ threads }) => threads}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={columns}
      to={({ id }) => `/support/${id}`}
      isOff={(thread) => thread.status === 'CLOSED'}
      empty={empty}
      refetchIntervalMs={refetchIntervalMs}
      filters={filters}
    />
  );
}
