import { SegmentedControl } from '@mantine/core';
import type { ListedExport } from '#shared/contract/operator/documents.ts';
import { remittanceKinds } from '#shared/domain/remittance.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { moneyColumn } from '#web/console/ui/cells.tsx';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { dayText } from '#web/ui/localized-days.ts';

const record = ({ paymentId, number }: ListedExport) =>
  actionOf({
    call: 'recordRemittance',
    title: `Record the proof of ${number}`,
    verb: 'Record proof',
    fields: [
      {
        name: 'kind',
        label: 'Paper',
        kind: 'choice',
        choices: remittanceKinds.map((kind) => ({ value: kind, label: kind })),
        initial: 'FIRC',
      },
      { name: 'reference', label: 'Its number' },
      { name: 'receivedOn', label: 'Day of the money', kind: 'day' },
      { name: 'amount', label: 'Amount', kind: 'number', hint: 'In the currency, such as 17.90' },
      { name: 'currency', label: 'Currency', initial: 'USD' },
    ],
    input: (value) => ({
      paymentId,
      kind: remittanceKinds.find((kind) => kind === value('kind')) ?? 'OTHER',
      reference: value('reference').trim(),
      receivedOn: value('receivedOn'),
      amount: value('amount').trim(),
      currency: value('currency').trim().toUpperCase(),
    }),
  });

const columns: readonly Column<ListedExport>[] = [
  { header: 'Invoice', text: ({ number }) => number, isId: true },
  { header: 'Buyer', text: ({ buyer }) => buyer },
  { header: 'Country', text: ({ country }) => country },
  moneyColumn('Total', ({ total }) => total),
  { header: 'Invoiced', text: ({ issuedOn }) => issuedOn, cell: ({ issuedOn }) => dayText(issuedOn) },
  { header: 'Proof', text: ({ proof, state }) => (proof === null ? state : `${proof.kind} ${proof.reference}`) },
  { header: 'Due', text: ({ dueOn }) => dueOn, cell: ({ dueOn, daysLeft }) => `${dayText(dueOn)} (${daysLeft} days)` },
  { header: 'Actions', cell: (row) => <Actions list={[record(row)]} of={row.number} /> },
];

/** Exports, and the proofs that they were paid for from abroad. */
export function RemittancesPage() {
  const [which, choose] = useFilter('which', ['missing', 'all']);
  return (
    <Page title="Money">
      <MoneyTabs />
      <CallTable
        label="Payments from abroad"
        call="listRemittances"
        input={{ all: which === 'all' }}
        rows={(rows) => rows}
        rowKey={({ paymentId }) => paymentId}
        columns={columns}
        to={({ paymentId }) => `/payments/${paymentId}`}
        empty={which === 'missing' ? 'Every export has its proof.' : 'Nothing was sold abroad yet.'}
        filters={
          <SegmentedControl
            aria-label="Which"
            size="xs"
            value={which}
            onChange={choose}
            data={[
              { value: 'missing', label: 'Without proof' },
              { value: 'all', label: 'All' },
            ]}
          />
        }
      />
    </Page>
  );
}
