import { Link } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { recordTransfer } from '#web/console/features/payments/payment-actions.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { moneyColumn, When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import type { Column } from '#web/console/ui/row-table.tsx';
import { moneyText } from '#web/ui/money-text.ts';

type Bills = OperatorReply<'listBills'>;
type Bill = Bills['bills'][number];

const owedOf = ({ due, writtenOff }: Bill): number => due + writtenOff;

const writeOff = ({ billingCycleId: cycleId, invoice }: Bill): Action =>
  actionOf({
    call: 'writeOffBill',
    title: `Write off ${invoice}`,
    verb: 'Write off',
    isDangerous: true,
    about:
      'A bill that will not be paid becomes a bad debt: nothing is due of it any more. It can still be paid, and its tax stays paid.',
    input: () => ({ cycleId }),
  });

const columns: readonly Column<Bill>[] = [
  { header: 'Invoice', text: ({ invoice }) => invoice, isId: true },
  { header: 'Plan', text: ({ planName }) => planName },
  moneyColumn('Owed', owedOf),
  { header: 'Due on', text: ({ dueOn }) => dueOn, cell: ({ dueOn }) => <When at={dueOn} /> },
  { header: 'State', text: ({ state }) => wordOf(state) },
  {
    header: 'Actions',
    cell: (bill) => (
      <Actions
        // Before its plan has stopped nothing is written off.
        list={[
          recordTransfer(bill.billingCycleId, owedOf(bill)),
          ...(bill.state === 'STOPPED' ? [writeOff(bill)] : []),
        ]}
        of={bill.invoice}
      />
    ),
  },
];

const termsText = ({ limit, days, stopAfterDays }: NonNullable<Bills['terms']>): string =>
  limit === 0
    ? 'Nothing more is sold on terms.'
    : `Up to ${moneyText(limit)} at once, within ${days} days. Plans that are not paid stop ${stopAfterDays} days after that.`;

/** The terms on which a customer pays later, and what it owes. */
export function BillsOfCustomer({ customerId }: { customerId: string }) {
  return (
    <CallTable
      label="Bills to pay later"
      call="listBills"
      input={{ customerId }}
      rows={({ bills }) => bills}
      notes={({ terms }) => (terms === null ? [] : [termsText(terms)])}
      filters={
        <Link className="link" to={`/customers/${encodeURIComponent(customerId)}/statement`}>
          Statement of account
        </Link>
      }
      rowKey={({ billingCycleId }) => billingCycleId}
      columns={columns}
      to={({ billingCycleId }) => `/payments/${billingCycleId}`}
      empty="Nothing is owed."
    />
  );
}
