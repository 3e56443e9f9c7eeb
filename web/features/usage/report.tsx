import { Button, Skeleton } from '@mantine/core';
import { ChartColumn } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { type UsageReport, readUsageReport } from '#shared/contract/usage.ts';
import { useCall } from '#web/api/use-call.ts';
import { reportCsv } from '#web/features/usage/report-csv.ts';
import {
  type ReportFilter,
  isReportSpan,
  readReportFilter,
  writeReportFilter,
} from '#web/features/usage/report-filter.ts';
import { ReportFigures } from '#web/features/usage/report-figures.tsx';
import { viewOf } from '#web/features/usage/report-series.ts';
import { reportTexts as texts } from '#web/features/usage/report-texts.ts';
import { ReportTools } from '#web/features/usage/report-tools.tsx';
import { spanText } from '#web/ui/localized-days.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { saveText } from '#web/ui/save-file.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';

const everyMs = 10_000;

interface ReportProps {
  /** The page is of one activation: only its calls are shown, key by key at first. */
  activation?: { id: string; name: string };
}

/** Calls over time, with the report's settings (product §2.21). */
export function Report({ activation }: ReportProps) {
  const today = useToday();
  const [search, setSearch] = useSearchParams();
  const usual = { by: activation === undefined ? ('product' as const) : ('key' as const) };
  const asked = readReportFilter(search, today, usual);
  const filter = activation === undefined ? asked : { ...asked, activationId: activation.id };
  const isSound = isReportSpan(filter);
  const answer = useCall(
    readUsageReport,
    { query: { from: filter.from, to: filter.to } },
    { enabled: isSound, refetchIntervalMs: everyMs, keepPrevious: true },
  );
  const report = answer.data;
  const choices =
    activation === undefined ? (report?.activations ?? []).filter((each) => isWorthChoosing(each, report)) : [];
  const change = (part: Partial<ReportFilter>) =>
    setSearch(writeReportFilter({ ...asked, ...part }, usual), { replace: true, preventScrollReset: true });
  const download =
    report === undefined || answer.isPlaceholderData
      ? undefined
      : () => saveText(reportCsv(report, filter), texts.file(report.from, report.to), 'text/csv');
  const which = choices.find(({ activationId }) => activationId === filter.activationId)?.serviceName;
  return (
    <>
      <PageHead
        title={texts.title}
        lead={
          activation === undefined ? (
            texts.lead(spanText(filter.from, filter.to), which ?? texts.allActivations)
          ) : (
            <>
              {texts.lead(spanText(filter.from, filter.to), activation.name)}{' '}
              <span className="mono dim">{activation.id}</span>
            </>
          )
        }
      />
      {report?.activations.length === 0 ? (
        <NoActivations />
      ) : (
        <>
          <ReportTools filter={filter} activations={choices} today={today} onChange={change} onDownload={download} />
          {isSound && (
            <Loaded of={answer} word={texts.loading} failed={texts.failed} shape={<ReportShape />}>
              {(reply) => <Shown report={reply} filter={filter} />}
            </Loaded>
          )}
        </>
      )}
    </>
  );
}

function NoActivations() {
  return (
    <StateCard>
      <EmptyState
        icon={<ChartColumn size={20} />}
        title={texts.noActivations}
        action={
          <Button component={Link} to="/marketplace" variant="default">
            {texts.openMarketplace}
          </Button>
        }
      >
        {texts.noActivationsMore}
      </EmptyState>
    </StateCard>
  );
}

function Shown({ report, filter }: { report: UsageReport; filter: ReportFilter }) {
  const view = viewOf(report, filter);
  if (view.counted + view.free === 0) {
    return (
      <StateCard>
        <EmptyState icon={<ChartColumn size={20} />} title={texts.noCalls}>
          {texts.noCallsMore}
        </EmptyState>
      </StateCard>
    );
  }
  return <ReportFigures report={report} view={view} filter={filter} />;
}

/** A deleted activation is offered while the span has calls of it. */
function isWorthChoosing(
  { activationId, deleted }: UsageReport['activations'][number],
  report: UsageReport | undefined,
): boolean {
  return !deleted || report?.rows.some((row) => row.activationId === activationId) === true;
}

export function ReportShape() {
  return (
    <>
      <Skeleton width="60%" height={52} />
      <Skeleton height={380} mt={28} radius="lg" />
    </>
  );
}
