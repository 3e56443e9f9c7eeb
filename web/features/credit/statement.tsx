import '@mantine/core/styles/Group.layer.css';
import { Button, Group, Skeleton } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { readStatement, readStatementPaper } from '#shared/contract/credit.ts';
import { isDay } from '#shared/domain/day.ts';
import { firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { statementCsv } from '#web/features/credit/statement-csv.ts';
import { billTexts as texts } from '#web/features/credit/texts.ts';
import { DayInput } from '#web/forms/day-input.tsx';
import { ActionButton } from '#web/ui/action-button.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { dayText } from '#web/ui/localized-days.ts';
import { Money } from '#web/ui/money.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveText } from '#web/ui/save-file.ts';
import { Loaded } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

type Shown = CallReply<typeof readStatement>;
type Line = Shown['lines'][number];

/** The statement of account for some days: the figures of the ledger. */
export function Statement() {
  const today = useToday();
  const [typed, setTyped] = useState({ from: firstDayOfFinancialYear(today), to: today });
  const isSpan = isDay(typed.from) && isDay(typed.to) && typed.from <= typed.to;
  const [asked, setAsked] = useState(typed);
  const statement = useCall(readStatement, { query: asked });
  const change = (part: 'from' | 'to') => (day: string) => {
    const next = { ...typed, [part]: day };
    setTyped(next);
    if (isDay(next.from) && isDay(next.to) && next.from <= next.to) setAsked(next);
  };
  const input = (part: 'from' | 'to') => (
    <DayInput label={texts[part]} value={typed[part]} error={!isSpan} onChange={change(part)} />
  );
  return (
    <>
      <Group align="end" mb={16}>
        {input('from')}
        {input('to')}
        {isSpan && statement.data && (
          <>
            <PdfButton statement={statement.data} />
            <CsvButton statement={statement.data} />
          </>
        )}
      </Group>
      {isSpan ? (
        <Loaded of={statement} word={texts.loading} failed={texts.failed} shape={<Skeleton h={200} radius="lg" />}>
          {(shown) => <Lines statement={shown} />}
        </Loaded>
      ) : (
        <p role="alert">{texts.noSpan}</p>
      )}
    </>
  );
}

function PdfButton({ statement: { from, to } }: { statement: Shown }) {
  const paper = useAction(readStatementPaper, {
    onDone: ({ downloadUrl }) => startDownload(downloadUrl, texts.pdfFile(from, to)),
    onFailed: (failure) => notifyFailure(texts.pdfFailed, failure.message),
  });
  return (
    <ActionButton
      call="readStatementPaper"
      isRead
      variant="default"
      running={paper.running}
      leftSection={<Download size={16} aria-hidden />}
      onClick={() => void paper.run({ params: { from, to } })}
    >
      {texts.pdf}
    </ActionButton>
  );
}

function CsvButton({ statement }: { statement: Shown }) {
  const save = () => saveText(statementCsv(statement), `statement-${statement.from}-${statement.to}.csv`, 'text/csv');
  return (
    <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={save}>
      {texts.csv}
    </Button>
  );
}

const columns: DataColumn<Line & { key: string }>[] = [
  { key: 'on', header: texts.on, stack: 'left', cell: ({ on }) => dayText(on) },
  { key: 'what', header: texts.what, stack: 'top-left', cell: ({ kind }) => texts.kinds[kind] },
  {
    key: 'reference',
    header: texts.reference,
    stack: 'bottom',
    cell: ({ reference }) => <span className="mono">{reference}</span>,
  },
  {
    key: 'amount',
    header: texts.amount,
    align: 'right',
    stack: 'top-right',
    cell: ({ amount }) => <Money rupees={amount} />,
  },
  {
    key: 'balance',
    header: texts.balance,
    align: 'right',
    stack: 'right',
    labelled: true,
    cell: ({ balance }) => <Money rupees={balance} />,
  },
];

function Lines({ statement }: { statement: Shown }) {
  const aged = statement.ageing.filter(({ amount }) => amount > 0);
  return (
    <>
      <Facts
        look="figures"
        facts={[
          { key: 'opening', label: texts.opening, value: moneyText(statement.opening) },
          { key: 'closing', label: texts.closing, value: moneyText(statement.closing) },
          ...(statement.writtenOff > 0
            ? [{ key: 'writtenOff', label: texts.writtenOff, value: moneyText(statement.writtenOff) }]
            : []),
          ...aged.map(({ band, amount }) => ({ key: band, label: texts.ages[band], value: moneyText(amount) })),
        ]}
      />
      {statement.lines.length > 0 && (
        <DataTable
          label={texts.statement}
          columns={columns}
          rows={statement.lines.map((line, at) => ({ ...line, key: String(at) }))}
          rowKey={({ key }) => key}
        />
      )}
    </>
  );
}
