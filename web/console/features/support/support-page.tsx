import { Button, SegmentedControl } from '@mantine/core';
import { Link } from 'react-router';
import { supportStatuses } from '#shared/domain/support-thread.ts';
import { useOperatorSession } from '#web/console/api/use-operator.ts';
import { ThreadTable } from '#web/console/features/support/thread-table.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';

const states = [...supportStatuses, 'ALL'] as const;
const assignments = ['anybody', 'mine', 'unassigned'] as const;

/** The inbox: threads by state, by who looks after them, and by age. */
export function SupportPage() {
  const [status, choose] = useFilter('status', states);
  const [assigned, chooseAssigned] = useFilter('assigned', assignments);
  const me = useOperatorSession().data?.operator.email ?? '';
  const isNarrowed = status !== 'OPEN' || assigned !== 'anybody';
  return (
    <Page
      title="Support"
      actions={
        <Button component={Link} to="/support/answers" variant="default" size="sm">
          Canned answers
        </Button>
      }
    >
      <ThreadTable
        input={{
          ...(status !== 'ALL' && { status }),
          ...(assigned !== 'anybody' && { assignedTo: assigned === 'mine' ? me : null }),
        }}
        empty={isNarrowed ? 'No thread is like this.' : 'Nobody waits for a reply.'}
        filters={
          <>
            <SegmentedControl
              aria-label="State"
              size="xs"
              value={status}
              onChange={choose}
              data={states.map((value) => ({ value, label: wordOf(value) }))}
            />
            <SegmentedControl
              aria-label="Assigned to"
              size="xs"
              value={assigned}
              onChange={chooseAssigned}
              data={[
                { value: 'anybody', label: 'Anybody' },
                { value: 'mine', label: 'Mine' },
                { value: 'unassigned', label: 'Unassigned' },
              ]}
            />
          </>
        }
      />
    </Page>
  );
}
