import { NativeSelect } from '@mantine/core';
import { useParams } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { financialYearOf, firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';
import { CallTable } from '#web/console/ui/call-table.tsx';
import { CustomerLink, moneyColumn, When } from '#web/console/ui/cells.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { Page } from '#web/console/ui/page.tsx';
import type { Column } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

type Line = OperatorReply<'readStatementOf'>['lines'][number];

const columns: readonly Column<Line>[] = [
  { header: 'Day', text: ({ on }) => on, cell: ({ on }) => <When at={on} /> },
  { header: 'What', text: ({ kind }) => wordOf(kind) },
  { header: 'Reference', text: ({ reference }) => reference, isId: true },
  moneyColumn('Amount', ({ amount }) => amount),
  moneyColumn('Balance', ({ balance }) => balance),
];

/** The first days of this financial year and the two before it. */
function yearsUntil(today: Day): [Day, Day, Day] {
  const current = firstDayOfFinancialYear(today);
  const before = firstDayOfFinancialYear(addDays(current, -1));
  return [current, before, firstDayOfFinancialYear(addDays(before, -1))];
}

/** What a customer pays later, as the ledger has it, in a financial year. */
export function StatementPage() {
  const { customerId = '' } = useParams();
  const today = useToday();
  const years = yearsUntil(today);
  const [from, choose] = useFilter('from', years);
  const next = years[years.indexOf(from) - 1];
  const to = next === undefined ? today : addDays(next, -1);
  return (
    <Page title="Statement of account" lead={<CustomerLink id={customerId} />}>
      <CallTable
        label={`Financial year ${financialYearOf(from)}`}
        call="readStatementOf"
        input={{ customerId, from, to }}
        rows={({ lines }) => lines}
        notes={({ opening, closing }) => [
          `Opening balance ${moneyText(opening)}, closing balance ${moneyText(closing)}`,
        ]}
        filters={
          <NativeSelect
            aria-label="Financial year"
            size="xs"
            data={years.map((value) => ({ value, label: financialYearOf(value) }))}
            value={from}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        }
        rowKey={(line) => JSON.stringify(line)}
        columns={columns}
        empty="Nothing in this year."
      />
    </Page>
  );
}
