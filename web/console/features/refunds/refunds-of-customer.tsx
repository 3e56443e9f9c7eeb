import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Refund = OperatorReply<'listRefunds'>['refunds'][number];

const columns: readonly Column<Refund>[] = [
  { header: 'Refund', text: ({ id }) => id, isId: true },
  { header: 'When', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    header: 'Amount',
    text: ({ amount }) => amount,
    cell: ({ amount, currency }) => moneyText(amount, currency),
    align: 'right',
  },
  { header: 'Currency', text: ({ currency }) => currency, isInFileAlone: true },
  {
    header: 'Status',
    text: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status.toUpperCase()} />,
  },
  {
    header: 'Not paid out: withheld tax (TDS)',
    text: ({ withheld }) => withheld,
    cell: ({ withheld, currency }) => (withheld > 0 ? moneyText(withheld, currency) : ''),
    align: 'right',
  },
  {
    header: 'Not paid out: lowered the bill',
    text: ({ offset }) => offset,
    cell: ({ offset, currency }) => (offset > 0 ? moneyText(offset, currency) : ''),
    align: 'right',
  },
  { header: 'Paid by', text: ({ payout }) => wordOf(payout) },
  { header: 'UTR', text: ({ utr }) => utr, isId: true },
  { header: 'Why', text: ({ reason }) => reason },
  { header: 'Why it is refused', text: ({ refusal }) => refusal },
];

export function RefundsOfCustomer({ customerId }: { customerId: string }) {
  const input = { customerId };
  return (
    <CallTable
      label="Refunds"
      call="listRefunds"
      input={input}
      rows={({ refunds }) => refunds}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={columns}
      to={({ paymentId }) => `/payments/${paymentId}`}
      empty="Nothing was refunded yet."
    />
  );
}
