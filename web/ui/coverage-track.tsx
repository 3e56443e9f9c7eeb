import { Box, VisuallyHidden } from '@mantine/core';
import type { Day } from '#domain/day.ts';
import { type CoverageSegment, coverageLayout } from '#web/ui/coverage-track-layout.ts';
import classes from '#web/ui/coverage-track.module.css';
import { dayText, shortDayText } from '#web/ui/day-text.ts';

const notes: Record<CoverageSegment['kind'], (segment: CoverageSegment) => string> = {
  active: (segment) => `to ${shortDayText(segment.toDate)}`,
  prepaid: (segment) => `prepaid, to ${shortDayText(segment.toDate)}`,
  pending: () => 'payment pending',
};

const words: Record<CoverageSegment['kind'], string> = {
  active: 'active',
  prepaid: 'prepaid',
  pending: 'payment pending',
};

/** The days that are covered and those that wait for a payment, with a line for today. */
export function CoverageTrack({ segments, today }: { segments: readonly CoverageSegment[]; today: Day }) {
  const layout = coverageLayout(segments, today);
  const spoken = layout.segments.map(
    ({ segment }) =>
      `${segment.name} ${words[segment.kind]} ${dayText(segment.fromDate)} to ${dayText(segment.toDate)}`,
  );
  return (
    <figure className={classes.cover}>
      <VisuallyHidden component="figcaption">{`Coverage. ${spoken.join(', ')}. Today is ${dayText(today)}.`}</VisuallyHidden>
      <div className={classes.months} aria-hidden="true" data-many={layout.months.length > 4 || undefined}>
        {layout.months.map((month) => (
          <span key={month.left} style={{ left: `${month.left}%` }}>
            {month.label}
          </span>
        ))}
      </div>
      <Box className={classes.lanes} aria-hidden __vars={{ '--lanes': String(layout.lanes) }}>
        {layout.months.slice(1).map((month) => (
          <i key={month.left} className={classes.tick} style={{ left: `${month.left}%` }} />
        ))}
        {layout.segments.map(({ segment, left, width, lane }) => (
          <Box
            key={segment.id}
            className={classes.segment}
            data-kind={segment.kind}
            left={`${left}%`}
            w={`calc(${width}% - 3px)`}
            __vars={{ '--lane': String(lane) }}
          >
            {segment.name}
            <small>{notes[segment.kind](segment)}</small>
          </Box>
        ))}
        <i className={classes.now} style={{ left: `${layout.today}%` }} data-edge={edgeOf(layout.today)}>
          <span>Today</span>
        </i>
      </Box>
    </figure>
  );
}

/** Near an edge the word Today would stand out of the card. */
function edgeOf(percent: number): 'start' | 'end' | undefined {
  if (percent < 4) return 'start';
  return percent > 96 ? 'end' : undefined;
}
