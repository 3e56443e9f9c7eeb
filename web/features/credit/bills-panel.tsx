import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { Suspense } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { readCredit } from '#shared/contract/credit.ts';
import { useCall } from '#web/api/use-call.ts';
import { billTexts as texts } from '#web/features/credit/texts.ts';
import { usePayBill } from '#web/features/credit/use-pay-bill.ts';
import { PayLinkOffer } from '#web/features/pay-links/pay-link-offer.tsx';
import { NeedsNetwork } from '#web/features/payments/needs-network.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
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
export function BillsPanel() {
  const { data: credit } = useCall(readCredit, {});
  if (!credit || (credit.terms === null && credit.bills.length === 0)) return null;
  return <Bills credit={credit} />;
}

function Bills({ credit }: { credit: Credit }) {
  const { terms, bills } = credit;
  const bill = usePayBill();
  const isStopped = bills.some(({ state }) => state === 'STOPPED');
  return (
    <>
      <Section title={texts.title}>
        {terms !== null && (
          <p className="soft num">{texts.terms(moneyText(terms.limit), terms.days, moneyText(terms.left))}</p>
        )}
        {isStopped && <Alert color="red" icon={<CircleAlert size={18} />} title={texts.stopped} mb={16} />}
        {!isStopped && terms?.why === 'OVERDUE' && (
          <Alert color="yellow" icon={<CircleAlert size={18} />} title={texts.overdue} mb={16} />
        )}
        {bills.length === 0 ? (
          <p className="soft">{texts.none}</p>
        ) : (
          <DataTable
            label={texts.title}
            columns={columnsOf(bill)}
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

const columnsOf = ({ pay, current }: ReturnType<typeof usePayBill>): DataColumn<Bill>[] => [
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
        <NeedsNetwork>
          <ActionButton
            call="createOrder"
            size="xs"
            className="num"
            running={current === id}
            disabled={current !== null}
            onClick={() => pay(id)}
          >
            {texts.pay(moneyText(due + writtenOff))}
          </ActionButton>
          <PayLinkOffer activationId={activationId} purchase={{ cycleId: id }} />
        </NeedsNetwork>
      ),
  },
];
