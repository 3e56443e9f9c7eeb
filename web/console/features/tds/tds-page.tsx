import { SegmentedControl } from '@mantine/core';
import type { ListedClaim } from '#shared/contract/operator/tds.ts';
import { tdsStatuses } from '#shared/domain/tds.ts';
import { readAsOperator } from '#web/console/api/operator-call.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, moneyColumn, When } from '#web/console/ui/cells.tsx';
import { FileButton } from '#web/console/ui/file-button.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';

const accept = (claimId: string) =>
  actionOf({ call: 'acceptTds', title: 'Accept a TDS claim', verb: 'Accept', input: () => ({ claimId }) });

const refuse = (claimId: string) =>
  actionOf({
    call: 'refuseTds',
    title: 'Refuse a TDS claim',
    verb: 'Refuse',
    isDangerous: true,
    about: 'The customer reads the reason, and can declare again.',
    input: () => ({ claimId }),
  });

async function certificate(claimId: string) {
  const { name, type, certificate: base64 } = await readAsOperator('readCertificate', { claimId });
  return { name, type, base64 };
}

const columns: readonly Column<ListedClaim>[] = [
  { header: 'Invoice', text: ({ invoice }) => invoice, isId: true },
  {
    header: 'Customer',
    text: ({ customer }) => customer,
    cell: ({ customerId, customer }) => <CustomerLink id={customerId} name={customer} />,
  },
  moneyColumn('TDS', ({ amount }) => amount),
  moneyColumn('Of', ({ taxableValue }) => taxableValue),
  { header: 'TAN', text: ({ tan }) => tan, isId: true },
  { header: 'Section', text: ({ section }) => section },
  { header: 'Quarter', text: ({ quarter }) => quarter },
  { header: 'Declared', text: ({ declaredOn }) => declaredOn, cell: ({ declaredOn }) => <When at={declaredOn} /> },
  {
    header: 'State',
    text: ({ status, reason }) => (reason === null ? wordOf(status) : `${wordOf(status)}: ${reason}`),
  },
  {
    header: 'Certificate',
    cell: ({ id, invoice }) => <FileButton label="Certificate" of={invoice} read={() => certificate(id)} />,
  },
  {
    header: 'Actions',
    cell: ({ id, status, invoice }) => status === 'WAITING' && <Actions list={[accept(id), refuse(id)]} of={invoice} />,
  },
];

/** Claims of customers about tax that they deducted at source. */
export function TdsPage() {
  const [status, choose] = useFilter('status', tdsStatuses);
  return (
    <Page title="Money">
      <MoneyTabs />
      <CallTable
        label="TDS claims"
        call="listTdsClaims"
        input={{ status }}
        rows={(claims) => claims}
        rowKey={({ id }) => id}
        columns={columns}
        empty={status === 'WAITING' ? 'No claim waits for a decision.' : 'No claim is in this state.'}
        filters={
          <SegmentedControl
            aria-label="State"
            size="xs"
            value={status}
            onChange={choose}
            data={tdsStatuses.map((value) => ({ value, label: wordOf(value) }))}
          />
        }
      />
    </Page>
  );
}
