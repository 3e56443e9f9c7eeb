import { NativeSelect } from '@mantine/core';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { differenceTexts } from '#shared/contract/operator/settlements.ts';
import { moneyColumn, When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { MoneyTabs } from '#web/console/ui/money-tabs.tsx';
import { monthsUntil } from '#web/console/ui/months.ts';
import { Page } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { dayText, monthText } from '#web/ui/localized-days.ts';
import { useToday } from '#web/ui/today.ts';

type Found = OperatorReply<'listSettlements'>;
type Settlement = Found['settlements'][number];
type Difference = Found['differences'][number];

const differenceColumns: readonly Column<Difference>[] = [
  { header: 'Of', text: ({ id }) => id, isId: true },
  { header: 'What it is', text: ({ kind }) => differenceTexts[kind].what },
  { header: 'Day', text: ({ day }) => day, cell: ({ day }) => <When at={day} /> },
  moneyColumn('Expected', ({ expected }) => expected),
  moneyColumn('Found', ({ found }) => found),
  { header: 'Settlement', text: ({ settlementId }) => settlementId, isId: true },
  { header: 'What to do', text: ({ kind }) => differenceTexts[kind].remedy },
];

const settlementColumns: readonly Column<Settlement>[] = [
  { header: 'Settlement', text: ({ settlementId }) => settlementId, isId: true },
  { header: 'Day', text: ({ day }) => day, cell: ({ day }) => <When at={day} /> },
  { header: 'UTR', text: ({ utr }) => utr, isId: true },
  { header: 'Status', text: ({ status }) => wordOf(status.toUpperCase()) },
  moneyColumn('Payments', ({ payments }) => payments),
  moneyColumn('Refunds', ({ refunds }) => refunds),
  moneyColumn('Other', ({ other }) => other),
  moneyColumn('Fees', ({ fees }) => fees),
  moneyColumn('GST on fees', ({ gstOnFees }) => gstOnFees),
  moneyColumn('Settled', ({ settled }) => settled),
];

const recent = 'recent';

/** Razorpay's transfers to the bank account, and in what they differ from the books. */
export function SettlementsPage() {
  const months = monthsUntil(useToday());
  const [chosen, choose] = useFilter('month', [recent, ...months]);
  return (
    <Page
      title="Money"
      actions={
        <NativeSelect
          aria-label="Month"
          data={[
            { value: recent, label: 'Last 190 days' },
            ...months.map((value) => ({ value, label: monthText(value) })),
          ]}
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      }
    >
      <MoneyTabs />
      <LoadedCall
        call="listSettlements"
        input={chosen === recent ? {} : { month: chosen }}
        failed="The settlements could not be read"
        height={240}
      >
        {({ readUntil, settlements, differences }) => (
          <>
            <p className="caption soft">
              {readUntil === null
                ? 'Nothing was read from Razorpay yet.'
                : `Read from Razorpay once a day, last until ${dayText(readUntil)}.`}
            </p>
            <RowPart
              label="Differences"
              columns={differenceColumns}
              rows={differences}
              rowKey={({ kind, id, settlementId }) => `${kind} ${id} ${settlementId ?? ''}`}
              to={({ id }) => (id.startsWith('pay_') ? `/payments/${id}` : null)}
              empty="The settlements agree with the books."
            />
            <RowPart
              label="Settlements"
              columns={settlementColumns}
              rows={settlements.toReversed()}
              rowKey={({ settlementId }) => settlementId}
              empty="Razorpay has settled nothing in this time."
            />
          </>
        )}
      </LoadedCall>
    </Page>
  );
}
