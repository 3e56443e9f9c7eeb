import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, moneyColumn, When } from '#web/console/ui/cells.tsx';
import { labelOf, wordOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';

type Approval = OperatorReply<'listApprovals'>['approvals'][number];

const decisionsOf = ({ id, requestedBy, reason }: Approval): Action[] => [
  actionOf({
    call: 'approve',
    title: 'Approve and do it',
    verb: 'Approve',
    about: `${requestedBy} asks for it: ${reason}`,
    input: () => ({ approvalId: id }),
  }),
  actionOf({
    call: 'decline',
    title: 'Decline',
    verb: 'Decline',
    about: `${requestedBy} asks for it: ${reason}`,
    input: () => ({ approvalId: id }),
  }),
];

const columns: readonly Column<Approval>[] = [
  { header: 'Action', text: ({ call }) => labelOf(call) },
  moneyColumn('Amount', ({ amount }) => amount),
  {
    header: 'Customer',
    text: ({ customer }) => customer,
    cell: ({ customerId, customer }) => <CustomerLink id={customerId} name={customer} />,
  },
  { header: 'Reason', text: ({ reason }) => reason },
  { header: 'Asked by', text: ({ requestedBy }) => requestedBy },
  { header: 'Asked', text: ({ requestedAt }) => requestedAt, cell: ({ requestedAt }) => <When at={requestedAt} /> },
  {
    header: 'State',
    text: ({ state, decidedBy }) => (decidedBy === null ? wordOf(state) : `${wordOf(state)}, ${decidedBy}`),
  },
  {
    header: 'Actions',
    cell: (approval) => approval.state === 'WAITING' && <Actions list={decisionsOf(approval)} of={approval.id} />,
  },
];

/** Money above what one person may decide. */
export const Approvals = () => (
  <CallTable
    label="Asked of a second person"
    call="listApprovals"
    input={{}}
    rows={({ approvals }) => approvals}
    rowKey={({ id }) => id}
    columns={columns}
    empty="Nothing: no action was above what one person may decide."
  />
);
