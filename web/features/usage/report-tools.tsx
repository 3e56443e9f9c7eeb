import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { Download } from 'lucide-react';
import type { UsageReport } from '#shared/contract/usage.ts';
import type { Day } from '#shared/domain/day.ts';
import { type ReportFilter, isReportSpan, reportSpans } from '#web/features/usage/report-filter.ts';
import { reportTexts as texts } from '#web/features/usage/report-texts.ts';
import classes from '#web/features/usage/report.module.css';
import { DayInput } from '#web/forms/day-input.tsx';

const pers = ['day', 'month'] as const;
const bys = ['product', 'key'] as const;

interface ReportToolsProps {
  filter: ReportFilter;
  /** The activations to choose from; none on the page of one. */
  activations: UsageReport['activations'];
  today: Day;
  onChange: (part: Partial<ReportFilter>) => void;
  /** Undefined: there is nothing to download yet. */
  onDownload: (() => void) | undefined;
}

/** Settings of the report; all of them are in the URL. */
export function ReportTools({ filter, activations, today, onChange, onDownload }: ReportToolsProps) {
  const isSound = isReportSpan(filter);
  return (
    <fieldset className={classes.tools} data-print="hidden" aria-label={texts.tools}>
      <NativeSelect
        aria-label={texts.span}
        value={filter.span}
        data={reportSpans.map((value) => ({ value, label: texts.spans[value] }))}
        onChange={(event) => {
          const span = reportSpans.find((each) => each === event.currentTarget.value);
          if (span !== undefined) onChange({ span });
        }}
      />
      {filter.span === 'own' &&
        (['from', 'to'] as const).map((end) => (
          <DayInput
            key={end}
            className={classes.day ?? ''}
            aria-label={texts[end]}
            max={today}
            value={filter[end]}
            error={!isSound}
            onChange={(day) => onChange({ [end]: day })}
          />
        ))}
      {activations.length > 1 && (
        <NativeSelect
          aria-label={texts.which}
          value={filter.activationId ?? ''}
          onChange={(event) => onChange({ activationId: event.currentTarget.value || null })}
          data={[
            { value: '', label: texts.all },
            ...activations.map(({ activationId, serviceName, deleted }) => ({
              value: activationId,
              label: deleted ? texts.deleted(serviceName) : serviceName,
            })),
          ]}
        />
      )}
      <SegmentedControl
        aria-label={texts.per}
        data={pers.map((value) => ({ value, label: texts.pers[value] }))}
        value={filter.per}
        onChange={(per) => onChange({ per })}
      />
      <SegmentedControl
        aria-label={texts.by}
        data={bys.map((value) => ({ value, label: texts.bys[value] }))}
        value={filter.by}
        onChange={(by) => onChange({ by })}
      />
      <Button
        className={classes.csv ?? ''}
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        disabled={onDownload === undefined}
        onClick={onDownload}
      >
        {texts.csv}
      </Button>
      {!isSound && (
        <p role="alert" className={classes.fault}>
          {texts.spanFault}
        </p>
      )}
    </fieldset>
  );
}
