import { Alert } from '@mantine/core';
import { Ban } from 'lucide-react';
import { useParams, useSearchParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { actionColumns } from '#web/console/features/actions/action-columns.tsx';
import { CallPanel } from '#web/console/features/request-log/call-panel.tsx';
import { BillsOfCustomer } from '#web/console/features/credit/bills-of-customer.tsx';
import { actionsOfCustomer, actionsOfActivation } from '#web/console/features/customers/customer-actions.ts';
import { MembersOfCustomer } from '#web/console/features/customers/members-of-customer.tsx';
import { KeysOfCustomer } from '#web/console/features/customers/keys-of-customer.tsx';
import { CyclesOfCustomer } from '#web/console/features/cycles/cycles-of-customer.tsx';
import { TimeLine } from '#web/console/features/cycles/time-line.tsx';
import { DocumentsOfCustomer } from '#web/console/features/documents/documents-of-customer.tsx';
import { MailsOfCustomer } from '#web/console/features/mail/mails-of-customer.tsx';
import { MandatesOfCustomer } from '#web/console/features/mandates/mandates-of-customer.tsx';
import { PaymentTable } from '#web/console/features/payments/payment-table.tsx';
import { RefundsOfCustomer } from '#web/console/features/refunds/refunds-of-customer.tsx';
import { RequestsOfActivation } from '#web/console/features/request-log/requests-of-activation.tsx';
import { NotesOfCustomer } from '#web/console/features/support/notes.tsx';
import { ThreadTable } from '#web/console/features/support/thread-table.tsx';
import { TaxClaims } from '#web/console/features/tax-claims/tax-claims.tsx';
import { WebhooksOfCustomer } from '#web/console/features/webhooks/webhooks-of-customer.tsx';
import { Actions } from '#web/console/ui/actions.tsx';
import { productColumn, When } from '#web/console/ui/cells.tsx';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Tabs } from '#web/console/ui/tabs.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { Page } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { CopyIcon } from '#web/ui/copy-button.tsx';
import { dayOfInstant, dayText, instantText } from '#web/ui/localized-days.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Customer = OperatorReply<'readCustomer'>;
type Activation = Customer['activations'][number];

const activationColumnsOf = (customer: Customer): readonly Column<Activation>[] => [
  productColumn(({ productId }) => productId),
  { header: 'Plan', text: ({ plan }) => plan?.name ?? 'None runs' },
  {
    header: 'Status',
    text: ({ plan }) => plan?.status ?? null,
    cell: ({ plan }) => plan && <StatusBadge status={plan.status} granted={plan.granted ? '' : null} />,
  },
  {
    header: 'From',
    text: ({ plan }) => plan?.fromDate ?? null,
    cell: ({ plan }) => plan && <When at={plan.fromDate} />,
  },
  {
    header: 'Ends before',
    text: ({ plan }) => plan?.toDate ?? null,
    cell: ({ plan }) => plan && <When at={plan.toDate} />,
  },
  { header: 'Keys', text: ({ keysInUse }) => keysInUse, align: 'right' },
  { header: 'Activation', text: ({ id }) => id, isId: true },
  {
    header: 'Actions',
    cell: (activation) => (
      <Actions list={actionsOfActivation(customer, activation)} of={activation.plan?.name ?? activation.id} shown={0} />
    ),
  },
];

const tabs = ['overview', 'money', 'calls', 'members', 'support', 'mails', 'log'] as const;
const tabNames = {
  overview: 'Plans and keys',
  money: 'Money',
  calls: 'Calls and webhooks',
  members: 'Members',
  support: 'Support',
  mails: 'Mails',
  log: 'What operators did',
};

export function CustomerPage() {
  const { customerId = '' } = useParams();
  return (
    <LoadedCall call="readCustomer" input={{ customerId }} failed="This customer could not be read" height={360}>
      {(reply) => <Content key={reply.id} customer={reply} />}
    </LoadedCall>
  );
}

function Content({ customer }: { customer: Customer }) {
  const { id, name, email, legalName, gstin, phone, createdAt, blockedAt, blockedReason, erasedAt } = customer;
  const [search] = useSearchParams();
  const call = search.get('call');
  const [tab] = useFilter('tab', tabs);
  return (
    <Page
      title={name}
      lead={
        <>
          {[email, legalName, gstin, phone].map((each) => each !== null && <span key={each}>{each}</span>)}
          <span className="dim">Customer since {dayText(dayOfInstant(createdAt))}</span>
          <span className="mono">
            {id} <CopyIcon value={id} />
          </span>
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
      <Tabs
        label="Parts of the customer"
        tabs={tabs.map((each) => ({ to: `?tab=${each}`, label: tabNames[each], isCurrent: each === tab }))}
      />
      {call === null ? null : <CallPanel requestId={call} />}
      <Shown tab={tab} customer={customer} markedKey={search.get('key')} />
    </Page>
  );
}

function Shown({
  tab,
  customer,
  markedKey,
}: {
  tab: (typeof tabs)[number];
  customer: Customer;
  markedKey: string | null;
}) {
  const { id: customerId, activations, actions, terms } = customer;
  switch (tab) {
    case 'overview':
      return (
        <>
          <RowPart
            label="Products"
            columns={activationColumnsOf(customer)}
            rows={activations}
            rowKey={(activation) => activation.id}
            isOff={({ deletedAt }) => deletedAt !== null}
            empty="No product is activated."
          />
          <TimeLine customer={customer} />
          <CyclesOfCustomer customerId={customerId} />
          <KeysOfCustomer customerId={customerId} marked={markedKey} />
        </>
      );
    case 'money':
      return (
        <>
          {terms === null ? null : <BillsOfCustomer customerId={customerId} />}
          <PaymentTable input={{ customerId }} empty="Nothing was paid yet." />
          <MandatesOfCustomer customerId={customerId} />
          <RefundsOfCustomer customerId={customerId} />
          <DocumentsOfCustomer customerId={customerId} />
          <TaxClaims customerId={customerId} />
        </>
      );
    case 'calls':
      return (
        <>
          {activations.map(({ id, productId }) => (
            <RequestsOfActivation key={id} activationId={id} productId={productId} />
          ))}
          <WebhooksOfCustomer customerId={customerId} />
        </>
      );
    case 'members':
      return <MembersOfCustomer customerId={customerId} />;
    case 'support':
      return (
        <>
          <ThreadTable input={{ customerId }} empty="The customer has not written yet." />
          <NotesOfCustomer customerId={customerId} />
        </>
      );
    case 'mails':
      return <MailsOfCustomer customerId={customerId} />;
    default:
      return (
        <RowPart
          label="What operators did"
          columns={actionColumns}
          rows={actions}
          rowKey={({ position }) => String(position)}
          empty="Nothing yet."
        />
      );
  }
}
