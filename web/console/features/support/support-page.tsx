import { SegmentedControl } from '@mantine/core';
import type { ProviderThread } from '#shared/contract/operator/support.ts';
import { supportStatuses } from '#shared/domain/support-thread.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { ageText } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
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
  { header: 'Waits for', text: ({ changedAt }) => ageText(changedAt), align: 'right' },
];

/** A new message shows up this soon. */
const refetchIntervalMs = 20_000;

/** The inbox: threads by state, those that wait longest first. */
export function SupportPage() {
  const [status, choose] = useFilter('status', [...supportStatuses, 'ALL']);
  const input = status === 'ALL' ? {} : { status };
  return (
    <Page title="Support">
      <CallTable
        label="Threads"
        call="listThreads"
        input={input}
        next={({ next }) => (next === null ? undefined : { ...input, after: next })}
        rows={({ threads }) => threads}
        rowKey={({ id }) => id}
        columns={columns}
        to={({ id }) => `/support/${id}`}
        isOff={(thread) => thread.status === 'CLOSED'}
        empty={status === 'OPEN' ? 'Nobody waits for a reply.' : 'No thread is in this state.'}
        refetchIntervalMs={refetchIntervalMs}
        filters={
          <SegmentedControl
            aria-label="State"
            size="xs"
            value={status}
            onChange={choose}
            data={[...supportStatuses, 'ALL'].map((value) => ({ value, label: wordOf(value) }))}
          />
        }
      />
    </Page>
  );
}
