import type { ReactNode } from 'react';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { actionsOfPayment } from '#web/console/features/payments/payment-actions.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, When } from '#web/console/ui/cells.tsx';
import { nextPage } from '#web/console/ui/next-page.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

type Payment = OperatorReply<'listPayments'>['payments'][number];

/** Neither what is held nor a promise to pay later is money that paid. */
function stateOf({ use, due }: Pick<Payment, 'use' | 'due'>): { status: string; text: string } | undefined {
  if (use === 'HELD') return { status: 'PENDING', text: 'HELD' };
  return due === null ? undefined : { status: due === 0 ? 'PAID' : 'PENDING', text: 'PAY LATER' };
}

const which: readonly Column<Payment>[] = [
  { header: 'Payment', text: ({ id }) => id, isId: true },
  { header: 'When', text: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <When at={createdAt} /> },
];

const what: readonly Column<Payment>[] = [
  { header: 'Plan', text: ({ planName }) => planName },
  {
    header: 'Amount',
    text: ({ amount }) => amount,
    cell: ({ amount, currency }) => moneyText(amount, currency),
    align: 'right',
  },
  { header: 'Currency', text: ({ currency }) => currency, isInFileAlone: true },
  {
    header: 'Status',
    text: ({ status, ...payment }) => stateOf(payment)?.text ?? status,
    cell: ({ status, ...payment }) => <StatusBadge status={status} {...stateOf(payment)} />,
  },
  { header: 'Method', text: ({ method }) => method },
  {
    header: 'Refunded',
    text: ({ refunded }) => refunded,
    cell: ({ refunded, currency }) => (refunded === 0 ? null : moneyText(refunded, currency)),
    align: 'right',
  },
  {
    header: 'Note',
    text: ({ fault, due, disputes, currency }) =>
      [
        fault,
        due === null ? null : `${moneyText(due, currency)} due`,
        ...disputes.map(({ amount, status }) => `dispute of ${moneyText(amount, currency)}: ${status}`),
      ]
        .filter((note) => note !== null)
        .join('; '),
  },
  {
    header: 'Actions',
    cell: (payment) => <Actions list={actionsOfPayment(payment)} of={payment.id} />,
  },
];

const customerColumn: Column<Payment> = {
  header: 'Customer',
  text: ({ customer }) => customer,
  cell: ({ customerId, customer }) => <CustomerLink id={customerId} name={customer} />,
};

interface PaymentTableProps {
  input: Omit<OperatorInput<'listPayments'>, 'after' | 'limit'>;
  empty: string;
  filters?: ReactNode;
}

/** Payments of one customer or of all. */
export function PaymentTable({ input, ...table }: PaymentTableProps) {
  return (
    <CallTable
      label="Payments"
      call="listPayments"
      input={input}
      rows={({ payments }) => payments}
      next={nextPage(input)}
      rowKey={({ id }) => id}
      columns={[...which, ...(input.customerId === undefined ? [customerColumn] : []), ...what]}
      to={({ id }) => `/payments/${id}`}
      {...table}
    />
  );
}
