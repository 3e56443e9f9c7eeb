import { Box, VisuallyHidden } from '@mantine/core';
import { type Day, addDays, daysBetween } from '#shared/domain/day.ts';
import { type CoverageSegment, coverageLayout } from '#web/ui/coverage-track-layout.ts';
import classes from '#web/ui/coverage-track.module.css';
import { dayText, periodText, shortDayText } from '#web/ui/localized-days.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

/** The days that are covered and those that wait for a payment, with a line for today. */
export function CoverageTrack({ segments, today }: { segments: readonly CoverageSegment[]; today: Day }) {
  const layout = coverageLayout(segments, today);
  const spoken = layout.segments.map(({ segment }) =>
    texts.coverage.spoken[segment.kind]({
      name: segment.name,
      period: periodText(segment),
    }),
  );
  return (
    <figure className={classes.cover}>
      <VisuallyHidden component="figcaption">{texts.coverage.all(spoken.join(', '), dayText(today))}</VisuallyHidden>
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
            style={{ paddingLeft: labelStart(left, width, layout.today) }}
          >
            {segment.name}
            <small>{texts.coverage.note[segment.kind](lastDayText(segment, today))}</small>
          </Box>
        ))}
        <i className={classes.now} style={{ left: `${layout.today}%` }} data-edge={edgeOf(layout.today)}>
          <span>{texts.today}</span>
        </i>
      </Box>
    </figure>
  );
}

/** Further away, a day without its year reads as one of this year: a plan of 365 days ends on yesterday's date. */
const daysWithoutYear = 182;

function lastDayText({ toDate }: CoverageSegment, today: Day): string {
  const last = addDays(toDate, -1);
  return daysBetween(today, last) > daysWithoutYear ? dayText(last) : shortDayText(last);
}

/** Where today's line would stand in the words, they begin after it. Percents of padding are of the whole track, as here. */
function labelStart(left: number, width: number, today: number): string | undefined {
  const before = today - left;
  const isInTheWay = before > 0.5 && before < labelWidth && width - before > labelWidth;
  return isInTheWay ? `calc(${before}% + 10px)` : undefined;
}

/** Of name and day, in percent of the track. */
const labelWidth = 15;

/** Near an edge the word Today would stand out of the card. */
function edgeOf(percent: number): 'start' | 'end' | undefined {
  if (percent < 4) return 'start';
  return percent > 96 ? 'end' : undefined;
}
