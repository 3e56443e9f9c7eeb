import type { ActivationReport } from '#web/features/activations/reporting-days.ts';
import classes from '#web/features/activations/report.module.css';
import { reportingTexts as texts } from '#web/features/activations/texts.ts';
import { chartFacts } from '#web/features/usage/chart-scale.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { quotaPercent } from '#web/ui/quota-meter-level.ts';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';

const count = new Intl.NumberFormat('en-IN');

const columns: DataColumn<ActivationReport>[] = [
  {
    key: 'service',
    header: texts.service,
    stack: 'top-left',
    cell: ({ activation: { id, service } }) => (
      <>
        <span className="strong">{service.name}</span>
        <span className={`${classes.sub} mono`}>{id}</span>
      </>
    ),
  },
  { key: 'plan', header: texts.plan, stack: 'top-right', cell: ({ insights }) => insights.plan ?? texts.noPlan },
  {
    key: 'requests',
    header: texts.requests,
    align: 'right',
    stack: 'left',
    labelled: true,
    cell: ({ insights }) => count.format(chartFacts(insights.graph).total),
  },
  {
    key: 'average',
    header: texts.average,
    align: 'right',
    stack: 'hidden',
    cell: ({ insights }) => count.format(chartFacts(insights.graph).average),
  },
  {
    key: 'highest',
    header: texts.highest,
    align: 'right',
    stack: 'right',
    labelled: true,
    cell: ({ insights }) => count.format(chartFacts(insights.graph).highest?.y ?? 0),
  },
  {
    key: 'cycle',
    header: texts.thisCycle,
    width: '26%',
    stack: 'bottom',
    cell: ({ insights: { plan, monthlyUse } }) => (plan === null ? texts.noPlan : <Cycle {...monthlyUse} />),
  },
];

/** A row per activation: its days, and how much of the running cycle is used. */
export function ReportTable({ reports }: { reports: readonly ActivationReport[] }) {
  return (
    <DataTable label={texts.byActivation} columns={columns} rows={reports} rowKey={({ activation }) => activation.id} />
  );
}

function Cycle({ quotaUsed, quotaLimit }: { quotaUsed: number; quotaLimit: number }) {
  return (
    <>
      <div className={classes.use}>
        <span>
          <b className="strong">{count.format(quotaUsed)}</b> <span className="dim">/ {count.format(quotaLimit)}</span>
        </span>
        <span className="dim">{Math.floor(quotaPercent(quotaUsed, quotaLimit))}%</span>
      </div>
      <QuotaMeter used={quotaUsed} limit={quotaLimit} label={texts.thisCycle} small />
    </>
  );
}
