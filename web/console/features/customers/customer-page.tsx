import { Alert, Skeleton } from '@mantine/core';
import { Ban } from 'lucide-react';
import { useParams, useSearchParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { useOperatorCall } from '#web/console/api/use-operator-call.ts';
import { actionColumns } from '#web/console/features/actions/action-columns.tsx';
import { CallPanel } from '#web/console/features/customers/call-panel.tsx';
import { actionsOfCustomer, actionsOfActivation } from '#web/console/features/customers/customer-actions.ts';
import { KeysOfCustomer } from '#web/console/features/customers/keys-of-customer.tsx';
import { refund } from '#web/console/features/payments/payment-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { type Column, RowTable } from '#web/console/ui/row-table.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { Loaded } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Customer = OperatorReply<'readCustomer'>;
type Activation = Customer['activations'][number];
type Payment = Customer['payments'][number];

const activationColumns: readonly Column<Activation>[] = [
  { header: 'Product', text: ({ productId }) => productId },
  { header: 'Plan', text: ({ plan }) => plan?.name ?? 'None runs' },
  {
    header: 'Status',
    text: ({ plan }) => plan?.status ?? null,
    cell: ({ plan }) => plan && <StatusBadge status={plan.status} granted={plan.granted ? '' : null} />,
  },
  { header: 'From', text: ({ plan }) => plan && dayText(plan.fromDate) },
  { header: 'Ends before', text: ({ plan }) => plan && dayText(plan.toDate) },
  { header: 'Keys', text: ({ keysInUse }) => keysInUse, align: 'right' },
  { header: 'Activation', text: ({ id }) => id, isId: true },
  {
    header: 'Actions',
    cell: (activation) => (
      <Actions list={actionsOfActivation(activation)} of={activation.plan?.name ?? activation.id} shown={0} />
    ),
  },
];

const paymentColumns: readonly Column<Payment>[] = [
  { header: 'Payment', text: ({ id }) => id, isId: true },
  { header: 'Amount', text: ({ amount }) => amount, cell: ({ amount }) => moneyText(amount), align: 'right' },
  { header: 'Status', text: ({ status }) => status, cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Taken for', text: ({ use }) => use },
  { header: 'Plan', text: ({ cycleId }) => cycleId, isId: true },
  { header: 'When', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'Actions',
    cell: ({ id, status }) => status === 'captured' && <Actions list={[refund(id)]} of={id} />,
  },
];

export function CustomerPage() {
  const { customerId = '' } = useParams();
  const customer = useOperatorCall('readCustomer', { customerId });
  return (
    <Loaded
      of={customer}
      word="Loading"
      failed="This customer could not be read"
      shape={<Skeleton height={360} radius="lg" />}
    >
      {(reply) => <Content key={reply.id} customer={reply} />}
    </Loaded>
  );
}

function Content({ customer }: { customer: Customer }) {
  const { id, name, email, legalName, gstin, phone, createdAt, blockedAt, blockedReason, erasedAt } = customer;
  const [search] = useSearchParams();
  const call = search.get('call');
  return (
    <Page
      title={name}
      lead={
        <>
          {[email, legalName, gstin, phone].map((each) => each !== null && <span key={each}>{each}</span>)}
          <span className="dim">customer since {instantText(createdAt)}</span>
          <span className="mono">{id}</span>
          <CopyIcon value={id} />
        </>
      }
      actions={<Actions list={actionsOfCustomer(customer)} />}
    >
      {blockedAt === null ? null : (
        <Alert color="red" icon={<Ban size={18} />} title={`Blocked since ${instantText(blockedAt)}`}>
          {blockedReason}
        </Alert>
      )}
      {erasedAt === null ? null : (
        <Alert color="gray">Erased on {instantText(erasedAt)}: nothing names this customer any more.</Alert>
      )}
      {call === null ? null : <CallPanel requestId={call} />}
      <Part title="Plans">
        <RowTable
          label="Plans"
          columns={activationColumns}
          rows={customer.activations}
          rowKey={(activation) => activation.id}
          isOff={({ deletedAt }) => deletedAt !== null}
          empty="No product is activated."
        />
      </Part>
      <Part title="Payments">
        <RowTable
          label="Payments"
          columns={paymentColumns}
          rows={customer.payments}
          rowKey={(payment) => payment.id}
          to={(payment) => `/payments/${payment.id}`}
          empty="Nothing was paid yet."
        />
      </Part>
      <KeysOfCustomer customerId={id} marked={search.get('key')} />
      <Part title="What operators did">
        <RowTable
          label="What operators did"
          columns={actionColumns}
          rows={customer.actions}
          rowKey={({ position }) => String(position)}
          empty="Nothing yet."
        />
      </Part>
    </Page>
  );
}
