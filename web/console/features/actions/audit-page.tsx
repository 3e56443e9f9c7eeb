import { TextInput } from '@mantine/core';
import { actionColumns } from '#web/console/features/actions/action-columns.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import { Page } from '#web/console/ui/page.tsx';
import { useTextFilter } from '#web/console/ui/use-filter.ts';

const columns = [
  ...actionColumns,
  {
    header: 'Customer',
    text: ({ customerId }: { customerId: string | null }) => customerId,
    cell: ({ customerId }: { customerId: string | null }) => customerId !== null && <CustomerLink id={customerId} />,
  },
];

export function AuditPage() {
  const [actor, field] = useTextFilter('by');
  const input = actor === '' ? {} : { actor };
  return (
    <Page
      title="Audit log"
      lead="What operators did, newest first. Each entry holds the hash of the one before, so that none can be changed or taken out."
    >
      <CallTable
        label="Entries"
        call="listActions"
        input={input}
        next={nextPage(input)}
        rows={({ actions }) => actions}
        rowKey={({ position }) => String(position)}
        columns={columns}
        empty={actor === '' ? 'Nothing was done yet.' : 'Nobody of this name did anything.'}
        filters={<TextInput size="xs" aria-label="Who did it" placeholder="Who: the whole address" {...field} />}
      />
    </Page>
  );
}
