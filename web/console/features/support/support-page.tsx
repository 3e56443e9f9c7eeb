import { SegmentedControl } from '@mantine/core';
import { supportStatuses } from '#shared/domain/support-thread.ts';
import { ThreadTable } from '#web/console/features/support/thread-table.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';

const states = [...supportStatuses, 'ALL'] as const;

/** The inbox: threads by state and age. */
export function SupportPage() {
  const [status, choose] = useFilter('status', states);
  return (
    <Page title="Support">
      <ThreadTable
        input={status === 'ALL' ? {} : { status }}
        empty={status === 'OPEN' ? 'Nobody waits for a reply.' : 'No thread is in this state.'}
        filters={
          <SegmentedControl
            aria-label="State"
            size="xs"
            value={status}
            onChange={choose}
            data={states.map((value) => ({ value, label: wordOf(value) }))}
          />
        }
      />
    </Page>
  );
}
