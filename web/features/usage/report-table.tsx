import { formatNumber } from '#shared/domain/number-text.ts';
import type { ReportFilter } from '#web/features/usage/report-filter.ts';
import { isInUnits, type ReportLine, type ReportView } from '#web/features/usage/report-series.ts';
import { reportTexts as texts } from '#web/features/usage/report-texts.ts';
import classes from '#web/features/usage/report.module.css';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { quotaShare } from '#web/ui/quota-meter-level.ts';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';

/** A row per product or key: its calls, and its busiest day against the quota. */
export function ReportTable({ view, by }: { view: ReportView; by: ReportFilter['by'] }) {
  return (
    <DataTable
      label={texts.table[by]}
      columns={columnsOf(by, view.days, isInUnits(view))}
      rows={view.lines}
      rowKey={({ id }) => id}
    />
  );
}

/** Where calls cost other than one unit of quota. */
const unitsColumn: DataColumn<ReportLine> = {
  key: 'units',
  header: texts.units,
  align: 'right',
  stack: 'right',
  labelled: true,
  cell: ({ units }) => formatNumber(units),
};

function columnsOf(by: ReportFilter['by'], days: number, inUnits: boolean): DataColumn<ReportLine>[] {
  return [
    {
      key: 'line',
      header: by === 'key' ? texts.key : texts.service,
      stack: 'top-left',
      cell: ({ keyName, service, activationId }) => (
        <>
          <span className={keyName === null ? 'strong' : 'strong mono'}>{keyName ?? service}</span>
          <span className={`${classes.sub} ${keyName === null ? 'mono' : ''}`}>
            {keyName === null ? activationId : service}
          </span>
        </>
      ),
    },
    {
      key: 'requests',
      header: texts.requests,
      align: 'right',
      stack: 'top-right',
      cell: ({ counted }) => formatNumber(counted),
    },
    ...(inUnits ? [unitsColumn] : []),
    {
      key: 'average',
      header: inUnits ? texts.averageUnits : texts.average,
      align: 'right',
      stack: 'left',
      labelled: true,
      cell: ({ units }) => formatNumber(Math.round(units / days)),
    },
    {
      key: 'free',
      header: texts.notCounted,
      align: 'right',
      stack: 'right',
      labelled: true,
      cell: ({ free }) => formatNumber(free),
    },
    {
      key: 'quota',
      header: texts.quota,
      width: '32%',
      stack: 'bottom',
      cell: (line) => <Highest line={line} />,
    },
  ];
}

function Highest({ line: { highest, dailyQuota } }: { line: ReportLine }) {
  if (dailyQuota === null) {
    return (
      <>
        {formatNumber(highest)} <span className="dim">{texts.noPlan}</span>
      </>
    );
  }
  return (
    <>
      <div className={classes.use}>
        <span>
          <b className="strong">{formatNumber(highest)}</b> <span className="dim">/ {formatNumber(dailyQuota)}</span>
        </span>
        <span className="dim">{quotaShare(highest, dailyQuota)}</span>
      </div>
      <QuotaMeter used={highest} limit={dailyQuota} label={texts.quota} small />
    </>
  );
}
