import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { type MonthEndStep, type StepOfMonthEnd, stepsBeforeLock } from '#shared/contract/operator/month-end.ts';
import type { Month } from '#shared/domain/month.ts';
import { type Action, actionOf } from '#web/console/ui/action.ts';
import { Actions } from '#web/console/ui/actions.tsx';
import { When } from '#web/console/ui/cells.tsx';
import { DownloadButton } from '#web/console/ui/download-button.tsx';
import { wordOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { monthsUntil } from '#web/console/ui/months.ts';
import { Page } from '#web/console/ui/page.tsx';
import { type Column, RowPart } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { monthText } from '#web/ui/localized-days.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

type Steps = OperatorReply<'readMonthEnd'>['steps'];

/** Where each step is done, if that is another page. */
const places: Partial<Record<MonthEndStep, (month: Month) => string>> = {
  SETTLEMENT_CHECK: (month) => `/money/settlements?month=${month}`,
  MISSING_IRNS: () => '/money/e-invoices',
  HELD_TRANSFERS: () => '/?kind=HELD_TRANSFER',
  WAITING_TDS_CLAIMS: () => '/money/tds',
  OVERDUE_BILLS: () => '/?kind=OVERDUE_BILL',
  UNPAID_REFUNDS: () => '/money/refunds',
  MISSING_PROOFS: () => '/money/remittances',
};

function lockOf(month: Month, steps: Steps): Action {
  const undone = stepsBeforeLock.flatMap((each) =>
    steps.filter(({ step, state }) => step === each && state !== 'DONE'),
  );
  return actionOf({
    call: 'lockMonth',
    title: `Lock ${monthText(month)}`,
    verb: 'Lock',
    about:
      'No document is dated into it any more, and no e-invoice of it cancelled. Lock it once its returns are filed.',
    fields: undone.map(({ step, about }) => ({
      name: step,
      kind: 'tick',
      label: `Lock it although this is not done: ${wordOf(step)}`,
      hint: about,
    })),
    input: (value) => {
      const despite = stepsBeforeLock.filter((step) => value(step) === 'yes');
      return { month, ...(despite.length > 0 && { despite }) };
    },
  });
}

const unlockOf = (month: Month): Action =>
  actionOf({
    call: 'unlockMonth',
    title: `Open ${monthText(month)} again`,
    verb: 'Open again',
    isDangerous: true,
    about: 'For the time that a correction takes: what was filed may then no longer be what the books say.',
    input: () => ({ month }),
  });

/** What is done about a step here. */
function remedyOf(month: Month, steps: Steps, { step, state }: StepOfMonthEnd): ReactNode {
  const of = wordOf(step);
  if (step === 'GSTR1') return <DownloadButton call="exportGstr1" input={{ month }} of={of} />;
  if (step === 'GSTR3B') return <DownloadButton call="exportGstr3b" input={{ month }} of={of} />;
  if (step === 'BOOKS_FILES') return <DownloadButton call="exportBooks" input={{ period: month }} of={of} />;
  if (step === 'MONTH_PACK') return <DownloadButton call="exportMonthPack" input={{ month }} of={of} />;
  if (step === 'LOCK')
    return <Actions list={[state === 'DONE' ? unlockOf(month) : lockOf(month, steps)]} of={monthText(month)} />;
  return null;
}

const columnsOf = (month: Month, steps: Steps): readonly Column<StepOfMonthEnd>[] => [
  { header: 'Step', text: ({ step }) => wordOf(step) },
  {
    header: 'State',
    text: ({ state }) => wordOf(state),
    cell: ({ state }) => <StatusBadge status={state} text={wordOf(state)} />,
  },
  { header: 'Why', text: ({ about }) => about },
  { header: 'Since', text: ({ since }) => since, cell: ({ since }) => since !== null && <When at={since} /> },
  { header: 'By', text: ({ by }) => by },
  { header: 'Actions', cell: (row) => remedyOf(month, steps, row) },
];

interface Finding {
  step: MonthEndStep;
  finding: string;
}

const findingColumns: readonly Column<Finding>[] = [
  { header: 'Step', text: ({ step }) => wordOf(step) },
  { header: 'What was found', text: ({ finding }) => finding },
];

/** What closes a month, in the order in which it is done. Each state follows from the books, the audit log and the locks. */
export function MonthEndPage() {
  const months = monthsUntil(useToday());
  const [month, choose] = useFilter('month', months);
  return (
    <Page
      title="Month end"
      lead="From the settlements to the lock. What is done is seen in the books themselves."
      actions={
        <NativeSelect
          aria-label="Month"
          data={months.map((value) => ({ value, label: monthText(value) }))}
          value={month}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      }
    >
      <LoadedCall call="readMonthEnd" input={{ month }} failed="The month could not be read" height={420}>
        {({ steps }) => (
          <>
            <RowPart
              title={`Steps of ${monthText(month)}`}
              label="Steps"
              columns={columnsOf(month, steps)}
              rows={steps}
              rowKey={({ step }) => step}
              to={({ step }) => places[step]?.(month) ?? null}
              empty=""
            />
            <Findings steps={steps} />
          </>
        )}
      </LoadedCall>
      <p className="caption soft">
        Also{' '}
        <Link className="link" to={`/money/settlements?month=${month}`}>
          Razorpay’s settlements of {monthText(month)}
        </Link>
        , and in the{' '}
        <Link className="link" to="/audit">
          audit log
        </Link>{' '}
        who asked for and locked what.
      </p>
    </Page>
  );
}

function Findings({ steps }: { steps: Steps }) {
  const findings = steps.flatMap(({ step, findings: found }) => found.map((finding) => ({ step, finding })));
  if (findings.length === 0) return null;
  return (
    <RowPart
      label="What was found"
      columns={findingColumns}
      rows={findings}
      rowKey={({ step, finding }) => `${step} ${finding}`}
      empty=""
    />
  );
}
