import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { deadlineText } from '#shared/domain/e-invoice-deadline.ts';
import { retryEInvoice } from '#web/console/features/documents/document-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, moneyColumn } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { dayText } from '#web/ui/localized-days.ts';

type Unregistered = OperatorReply<'listUnregistered'>['documents'][number];

const states = { pending: 'Waits for the invoice portal', refused: 'Refused', overdue: 'Too late' };

const columns: readonly Column<Unregistered>[] = [
  { header: 'Number', text: ({ number }) => number, isId: true },
  { header: 'Kind', text: ({ kind }) => wordOf(kind) },
  {
    header: 'Buyer',
    text: ({ buyer }) => buyer,
    cell: ({ customerId, buyer }) => <CustomerLink id={customerId} name={buyer} />,
  },
  { header: 'GSTIN', text: ({ buyerGstin }) => buyerGstin, isId: true },
  moneyColumn('Total', ({ total }) => total),
  { header: 'Issued', text: ({ issuedOn }) => issuedOn, cell: ({ issuedOn }) => dayText(issuedOn) },
  {
    header: 'State',
    text: ({ state, refused }) => states[state] + (refused === null ? '' : `: ${refused.code}, ${refused.reason}`),
  },
  {
    header: 'Time left',
    text: ({ lastDay, daysLeft }) => (lastDay === null || daysLeft === null ? null : deadlineText(lastDay, daysLeft)),
  },
  { header: 'Ways out', text: ({ waysOut }) => waysOut.join(' ') },
  {
    header: 'Actions',
    cell: ({ number, refused }) => refused !== null && <Actions list={[retryEInvoice(number)]} of={number} />,
  },
];

/** Documents that need an IRN and have none, and why. */
export function EInvoicesPage() {
  return (
    <Page title="Money">
      <MoneyTabs />
      <CallTable
        label="Documents without an IRN"
        call="listUnregistered"
        input={{}}
        rows={({ documents }) => documents}
        rowKey={({ number }) => number}
        columns={columns}
        to={({ customerId }) => `/customers/${encodeURIComponent(customerId)}?tab=money`}
        empty="Every document that needs an IRN has one."
      />
    </Page>
  );
}
