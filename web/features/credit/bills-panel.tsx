import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { Suspense } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { readCredit } from '#shared/contract/credit.ts';
import { useCall } from '#web/api/use-call.ts';
import { billTexts as texts } from '#web/features/credit/texts.ts';
import { BankTransfer } from '#web/features/bank-transfers/bank-transfer.tsx';
import classes from '#web/features/credit/bills-panel.module.css';
import { PayLinkOffer } from '#web/features/pay-links/pay-link-offer.tsx';
import { PayButton } from '#web/features/payments/pay-button.tsx';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { IfMay } from '#web/roles/if-may.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { Money } from '#web/ui/money.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { Section } from '#web/ui/section.tsx';

const Statement = lazyComponent(async () => (await import('#web/features/credit/statement.tsx')).Statement);

type Credit = CallReply<typeof readCredit>;
type Bill = Credit['bills'][number];

/** What is paid later, and the statement of account (decision 081); nothing for whoever pays at once. */
export function BillsPanel({ payment }: { payment: Payment }) {
  const { data: credit } = useCall(readCredit, {});
  if (!credit || (credit.terms === null && credit.bills.length === 0)) return null;
  return <Bills credit={credit} payment={payment} />;
}

function Bills({ credit, payment }: { credit: Credit; payment: Payment }) {
  const { terms, bills } = credit;
  const isStopped = bills.some(({ state }) => state === 'STOPPED');
  return (
    <>
      <Section title={texts.title}>
        {terms !== null && (
          <p className="soft num">{texts.terms(moneyText(terms.limit), terms.days, moneyText(terms.left))}</p>
        )}
        {isStopped && <Alert color="red" icon={<CircleAlert size={18} />} title={texts.stopped} mb={16} />}
        {!isStopped && (terms?.why === 'OVERDUE' || terms?.why === 'WRITTEN_OFF') && (
          <Alert color="yellow" icon={<CircleAlert size={18} />} title={texts.noMore[terms.why]} mb={16} />
        )}
        {bills.length === 0 ? (
          <p className="soft">{texts.none}</p>
        ) : (
          <DataTable
            label={texts.title}
            columns={columnsOf(payment)}
            rows={bills}
            rowKey={({ billingCycleId }) => billingCycleId}
            isOff={({ state }) => state === 'PAID'}
          />
        )}
      </Section>
      {bills.length > 0 && (
        <Section title={texts.statement}>
          <Suspense>
            <Statement />
          </Suspense>
        </Section>
      )}
    </>
  );
}

const columnsOf = (payment: Payment): DataColumn<Bill>[] => [
  {
    key: 'invoice',
    header: texts.invoice,
    stack: 'top-left',
    cell: ({ invoice }) => <span className="mono">{invoice}</span>,
  },
  { key: 'plan', header: texts.plan, stack: 'left', cell: (bill) => `${bill.productName}, ${bill.planName}` },
  { key: 'dueOn', header: texts.dueOn, stack: 'bottom', labelled: true, cell: ({ dueOn }) => dayText(dueOn) },
  { key: 'state', header: texts.state, stack: 'right', cell: ({ state }) => texts.states[state] },
  {
    key: 'due',
    header: texts.due,
    align: 'right',
    stack: 'top-right',
    cell: ({ due, writtenOff, amount, state }) => <Money rupees={state === 'PAID' ? amount : due + writtenOff} />,
  },
  {
    key: 'action',
    header: texts.action,
    quiet: true,
    align: 'right',
    stack: 'foot',
    cell: ({ billingCycleId: id, activationId, due, writtenOff, state }) =>
      state === 'PAID' ? null : (
        <IfMay call="createOrder">
          <div className={classes.ways}>
            <PayButton payment={payment} purchase={{ cycleId: id }} rupees={due + writtenOff} size="xs" />
            <BankTransfer activationId={activationId} purchase={{ cycleId: id }} payment={payment} />
            <PayLinkOffer activationId={activationId} purchase={{ cycleId: id }} />
          </div>
        </IfMay>
      ),
  },
];
