import type { RecordedAction } from '#shared/contract/operator/actions.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { When } from '#web/console/ui/cells.tsx';
import { labelOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import classes from '#web/console/features/actions/actions.module.css';

/** The call of each action by the noun and verb of its entries. */
const callsByAction = new Map<string, string>(
  Object.values(operatorCalls).flatMap((call) => ('action' in call ? [[call.action, call.name] as const] : [])),
);

/** What the terminal alone does has no call, and stays as it is written. */
function didText(action: string): string {
  const call = callsByAction.get(action);
  return call === undefined ? action : labelOf(call);
}

/** Entries of the audit log. */
export const actionColumns: readonly Column<RecordedAction>[] = [
  { header: 'When', text: ({ at }) => at, cell: ({ at }) => <When at={at} /> },
  { header: 'Who', text: ({ actor }) => actor },
  { header: 'Did', text: ({ action }) => action, cell: ({ action }) => <span title={action}>{didText(action)}</span> },
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
