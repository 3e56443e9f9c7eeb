import type { RecordedAction } from '#shared/contract/operator/actions.ts';
import { When } from '#web/console/ui/cells.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import classes from '#web/console/features/actions/actions.module.css';

/** Entries of the audit log. */
export const actionColumns: readonly Column<RecordedAction>[] = [
  { header: 'When', text: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
  { header: 'Who', text: ({ actor }) => actor },
  { header: 'Did', text: ({ action }) => action, isId: true },
  { header: 'To', text: ({ target }) => target, isId: true },
  { header: 'Reason', text: ({ reason }) => reason },
  {
    header: 'What changed',
    text: ({ effect }) => JSON.stringify(effect),
    cell: ({ effect }) => (
      <details className={classes.effect}>
        <summary>Show</summary>
        <pre>{JSON.stringify(effect, null, 2)}</pre>
      </details>
    ),
  },
];
