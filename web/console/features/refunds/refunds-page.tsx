import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { recheck } from '#web/console/features/payments/payment-actions.ts';
import { actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, moneyColumn, When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';

type Refund = OperatorReply<'listUnpaidRefunds'>[number];

const recordTransfer = ({ id }: Refund) =>
  actionOf({
    call: 'recordTransfer',
    title: 'Record the bank transfer of a refund',
    verb: 'Record transfer',
    fields: [
      { name: 'utr', label: 'UTR', hint: 'The number of the transfer' },
      { name: 'on', label: 'Day of the transfer', kind: 'day' },
    ],
    input: (value) => ({ refundId: id, utr: value('utr').trim(), on: value('on') }),
  });

const turn = ({ id }: Refund) =>
  actionOf({
    call: 'turnRefund',
    title: 'Transfer it yourself',
    verb: 'Transfer it',
    about: 'Razorpay does not try it again. The customer is asked for a bank account by mail.',
    input: () => ({ refundId: id }),
  });

/** Only Razorpay can say what became of a late one: it may still be paid. */
const remedyOf = (refund: Refund) =>
  refund.payout === 'TRANSFER' ? recordTransfer(refund) : refund.isLate ? recheck(refund.paymentId) : turn(refund);

const columns: readonly Column<Refund>[] = [
  { header: 'Refund', text: ({ id }) => id, isId: true },
  {
    header: 'Customer',
    text: ({ customerName }) => customerName,
    cell: ({ customerId, customerName }) => <CustomerLink id={customerId} name={customerName} />,
  },
  moneyColumn('Amount', ({ amount }) => amount),
  moneyColumn('Not paid out: withheld tax (TDS)', ({ withheld }) => withheld),
  { header: 'Paid by', text: ({ payout }) => wordOf(payout) },
  {
    header: 'Why it waits',
    text: ({ refusal, returns, waitsForDispute, isLate, reason }) =>
      waitsForDispute
        ? 'Its payment is disputed'
        : isLate
          ? 'Razorpay has not paid it for a week'
          : (refusal ??
            (returns > 0 ? (returns === 1 ? 'A bank returned it' : `A bank returned it ${returns} times`) : reason)),
  },
  { header: 'Since', text: ({ startedAt }) => startedAt, cell: ({ startedAt }) => <When at={startedAt} /> },
  {
    header: 'Actions',
    cell: (refund) => !refund.waitsForDispute && <Actions list={[remedyOf(refund)]} of={refund.id} />,
  },
];

export function RefundsPage() {
  return (
    <Page title="Money">
      <MoneyTabs />
      <CallTable
        label="Refunds to pay"
        call="listUnpaidRefunds"
        input={{}}
        rows={(refunds) => refunds}
        rowKey={({ id }) => id}
        columns={columns}
        to={({ paymentId }) => `/payments/${paymentId}`}
        empty="No refund needs you: Razorpay pays them by itself."
      />
    </Page>
  );
}
